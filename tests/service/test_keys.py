"""Keys: one at a time or in lines, numbers when the table wants them, a table set up without a page."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from starlette.types import ASGIApp

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings, Options
from service.api import create_app
from service.commands import name_of, words_of
from service.desk import Desk
from service.framing import framing
from service.hands import Hands
from service.keys import HEARD, KeyDoor, Keys
from service.language import languages, load_language
from service.opening import sayable, spoken
from service.phrases import Phrases
from service.preview import Preview
from service.standpoint import has_moved, standpoint
from service.store import Store
from service.table import Table
from service.terminal import Terminal, names
from tests.service.rounds import played_out
from vision.zones import Zone, Zones

USUAL = "Type it, or the number of a usual name, or just Enter for Seat 1."


class Board:
    """A table, its keys, and what is said at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.talked = 0
        self.hands = hands = Hands(table)
        hands.talk = self._talk
        self.at = 0.0
        self.keys = Keys(hands, lambda: self.at)

    def _talk(self) -> bool:
        self.talked += 1
        return True

    def press(self, *keys: str) -> None:
        for key in keys:
            self.keys.press(key)
            self.keys.tick()

    def line(self, *lines: str) -> None:
        for text in lines:
            self.keys.line(f"{text}\n")
            self.keys.tick()

    def begin(self, *cards: str, options: str = "") -> None:
        self.table.new_match(MatchSettings(("Anna", "Bram", "Carla"), dealer=3, options=Options.parse(options)))
        self.table.apply(ev.Deal(3))
        self.table.apply(ev.Start(Card.parse(cards[0])))
        for seat, card in enumerate(cards[1:], start=1):
            self.table.apply(ev.Play(seat, Card.parse(card)))

    @property
    def told(self) -> str:
        """The last line of the record."""
        return self.table.record().splitlines()[-1].partition(" @")[0]

    @property
    def said(self) -> list[str]:
        return [caption["text"] for caption in self.table.snapshot()["captions"]]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with Store.open(tmp_path / "t.sqlite") as store:
        yield Board(Table.open(store, Phrases.load("en")))


def test_a_table_is_set_up_by_keys(board: Board) -> None:
    board.keys.tick()
    assert board.said[-1].startswith("How many players")
    board.press("9", "9", "Enter")
    assert board.said[-1].startswith("It must be a number from two to ten. How many players")
    board.press("3", "Enter")
    assert board.said[-1].startswith("Three players. The name of player 1?")
    board.press(*"Ada", "Backspace", "Backspace", *"nna", "Enter")
    assert board.said[-2:] == ["A", "Anna. The name of player 2?"]
    board.press("Enter")
    assert board.said[-1] == "Seat 2. The name of player 3?"
    board.press(*"anna", "Enter")
    assert board.said[-1] == "Anna plays already. The name of player 3?"
    board.press("1", "5", "Enter")
    assert board.said[-1].startswith(
        "Olivia. Who deals first? Type the number, or just Enter for Anna: 1 Anna, 2 Seat 2"
    )
    board.press("4", "Enter", "3", "Enter")
    assert board.said[-1] == "Anna, Seat 2 and Olivia play, and Olivia deals. Enter begins, minus goes back."
    assert board.table.state is None
    board.press("Enter")
    state = board.table.state
    assert state is not None and state.settings == MatchSettings(("Anna", "Seat 2", "Olivia"), dealer=3)
    assert "I see" in board.said[-1]


def test_a_wrong_key_in_setting_up_is_put_right(board: Board) -> None:
    """Whoever presses the keys of play, nine for help and three for a name, is told so and may go back."""
    board.keys.tick()
    board.press("*")
    assert board.said[-1].startswith("Enter answers, zero repeats the question, minus goes back, star is help.")
    assert board.said[-1].endswith("Now type how many play, such as 3, then Enter.")
    board.press("9", "Enter")
    assert board.said[-1].startswith("Nine players. The name of player 1?")
    board.press("-")
    assert board.said[-1].startswith("How many players")
    board.press("-")
    assert board.said[-1].startswith("This is the beginning. How many players")
    board.press("2", "Enter", "3", "Enter")
    assert board.said[-1] == "Carla. The name of player 2?"
    board.press("0", "?")
    assert board.said[-2] == "The name of player 2?" and "3 Carla, 4 David" in board.said[-1]
    board.press("9", "9", "Enter")
    assert board.said[-1] == "There is no name 99, only 1 to 20. The name of player 2?"
    board.press(*"Jo-", "Escape", "%")
    assert board.said[-2:] == ["Cleared.", "That key does nothing here. Star is help."]
    board.press("Enter", "Enter", "-", "-", "-", "1", "Enter", "2", "Enter", "Enter")
    assert board.said[-1].startswith("Anna and Ben play, and Anna deals.")
    board.press("/", "9")
    assert board.said[-1].startswith("I see") and board.table.state is None
    board.press(" ")
    assert board.talked == 1


@pytest.mark.parametrize("code", languages())
def test_setting_up_is_spoken_in_every_language(code: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "t.sqlite") as store:
        board = Board(Table.open(store, Phrases.load(code)))
        steps = (("9", "9", "Enter"), ("2", "Enter"), ("1", "Enter"), ("1", "Enter"), ("2", "Enter"), ("5", "Enter"))
        told: list[str] = []
        for keys in ((), *steps, ("-",), ("-",), ("2", "Enter"), ("Enter",)):
            board.press(*keys, "*", "%")
            told += board.said[-3:]
        assert len(set(told)) >= 12 and not any("{" in text or "}" in text for text in told)
        if code != "en":
            english = "\n".join(str(text) for text in load_language("en").table["opening"].values())
            assert not [text for text in told if len(text) > 12 and text in english]
        board.press("Enter", "Enter")
        assert board.table.state is not None and board.table.state.settings.dealer == 1


def test_another_match_with_the_same_players(board: Board) -> None:
    table = board.table
    table.new_match(MatchSettings(("Anna", "Bram"), dealer=2, target=50))
    played_out(table)
    board.keys.tick()
    board.press("5", "5", "Enter")
    assert "Anna wins the match!" in board.said[-3:] and board.said[-1].startswith("Enter begins another match")
    board.press("5")
    assert board.said[-1].startswith("The score: Anna 55"), "questions are answered all the same"
    board.press("Enter")
    assert board.said[-1] == "Who deals first? Type the number, or just Enter for Anna: 1 Anna and 2 Bram."
    board.press("Enter", "Enter")
    assert table.state is not None and table.state.settings == MatchSettings(("Anna", "Bram"), dealer=1, target=50)


def test_lines_set_a_table_up(board: Board) -> None:
    lines = "help\n3\nback\n2\nsay again\nHelga\n?\nback\n\n7\n2\nyes\n"
    KeyDoor(board.keys, "line", io.StringIO(lines)).run()
    state = board.table.state
    assert state is not None and state.settings == MatchSettings(("Seat 1", "Grace"), dealer=2)


@pytest.mark.parametrize("code", languages())
def test_signs_in_a_name_are_said_in_words(code: str, tmp_path: Path) -> None:
    """A sign alone is a caption without a sound."""
    with Store.open(tmp_path / "t.sqlite") as store:
        board = Board(Table.open(store, Phrases.load(code)))
        board.press("2", "Enter", *"R. d-")
        letters = [text for text in board.said[-5:] if len(text) == 1]
        assert letters == ["R", "D"] and all(
            text.replace("’", "").replace(" ", "").isalpha() for text in board.said[-5:]
        )


@pytest.mark.parametrize("code", languages())
def test_lines_of_setting_up_obey_what_is_said_of_keys(code: str, tmp_path: Path) -> None:
    """A key typed as a line, by its sign or by its spoken name, is that key and no name of a player."""
    with Store.open(tmp_path / "t.sqlite") as store:
        board = Board(Table.open(store, Phrases.load(code)))
        phrases = board.table.phrases
        names = phrases.language.find("keys")
        board.line("3")
        asked, helped = phrases.text("opening.name_next", number=2), phrases.text("opening.help")
        for again in ("0", "+", names["0"], name_of("repeat", phrases.language)):
            board.line("1" if again == "0" else "", again)
            assert board.said[-1] == asked, again
            board.line("-")
        board.line("1")
        for star in ("*", "?", "F1", names["*"].upper(), "help", name_of("help", phrases.language)):
            board.line(star)
            assert board.said[-1].startswith(helped), star
        for back in ("-", names["-"], ".", "Backspace"):
            board.line(back)
            assert "1" in board.said[-1] and board.table.state is None, back
            board.line("1")
            assert board.said[-1].endswith(asked)
        for enter in ("Enter", names["Enter"], names["PageDown"]):
            board.line(enter, "-")
            assert board.said[-1] == asked, enter
        for talk in ("talk", " ", "/ Enter", "F5", names["Escape"], names[" "]):
            board.line(talk)
        assert board.talked == 6
        board.line("camera", "/ 9")
        assert board.said[-2:] == 2 * [phrases.text("framing.nothing")]
        board.line("-", "-")
        assert board.said[-1] == phrases.text("opening.count"), "none of these was a name"


def test_a_name_needs_a_letter_or_a_digit(board: Board) -> None:
    board.line("2", "!?", ";")
    assert board.said[-2:] == 2 * ["A name needs a letter or a digit. The name of player 1? " + USUAL]
    board.line("Ann-Sofie", "R2-D2")
    assert board.said[-1].startswith("R2-D2. Who deals first?")


def test_single_keys_and_two_after_one_another(board: Board) -> None:
    board.begin("R5", "W")
    board.press("/", "2")
    assert board.table.snapshot()["colour"] == "B"
    board.press("1")
    assert board.said[-1] == "It is Bram's turn, then Carla."
    board.press("d")
    assert isinstance(board.table.history()[-1].event, ev.Draw)
    board.press("%")
    assert board.said[-1].startswith("That key does nothing")
    board.press(" ")
    assert board.talked == 1


def test_the_key_card_is_spoken(board: Board) -> None:
    board.begin("R5")
    board.press("9")
    assert (
        board.said[-1].startswith("The keys. zero: Repeat. one: Whose turn.")
        and "slash then two: Blue." in board.said[-1]
    )


def test_whoever_can_speak_hears_by_which_words(board: Board) -> None:
    board.begin("R5")
    board.press("9")
    assert board.said[-1].endswith("Talk. Spoken, each command goes by the same name.")
    board.hands.talk = None
    board.press("9")
    assert board.said[-1].endswith("Talk.")


@pytest.mark.parametrize("code", languages())
def test_what_may_be_said_while_a_table_is_set_up_is_understood(code: str) -> None:
    language = load_language(code)
    told = sayable(language)
    assert all(any(word in told for word in words_of(wish, language)) for wish in ("help", "repeat", "yes", "no"))
    assert len([phrase for phrase in spoken(language, "dealer") if phrase in told.lower()]) >= 6


def test_a_command_for_another_seat(board: Board) -> None:
    board.begin("R5", "R7")
    board.press("/", "8")
    board.press("1", "Enter")
    assert board.said[-1] == "Next for Anna."
    board.press("+")
    assert board.said[-1] == "Draw: not now."


def test_a_swap_partner_and_points_are_typed(board: Board) -> None:
    board.begin("R5", "R7", options="seven_swap=on")
    board.keys.tick()
    assert board.said[-1].startswith("Whose hand? Type the number: 1 Anna, 2 Bram and 3 Carla.")
    board.press("9", "Enter")
    assert board.said[-1] == "There is no player 9."
    board.press("2", "Enter")
    assert isinstance(board.table.history()[-1].event, ev.Swap)


def test_lines_for_scripts(board: Board) -> None:
    lines = "2\nAnna\n\n\n\ndraw\n"
    door = KeyDoor(board.keys, "line", io.StringIO(lines))
    assert door.is_open
    door.run()
    state = board.table.state
    assert state is not None and state.settings.players == ("Anna", "Seat 2")
    board.begin("R5", "R7")
    KeyDoor(board.keys, "line", io.StringIO("whose turn\n1 draw\nDraw\n?\nnonsense\n")).run()
    assert board.said.index("Draw: not now.") < board.said.index("Bram draws one card.")
    assert board.said[-1] == "There is no such command."


def test_a_number_of_a_player_who_is_not_there_is_named(board: Board) -> None:
    board.begin("R5", "R7")
    version = board.table.version
    for line, number in (("99 draw", 99), ("9 uno", 9), ("0 uno", 0), ("4 turn", 4)):
        board.line(line)
        assert board.said[-1] == f"There is no player {number}."
    board.line("1 " * 9000)
    assert board.said[-1] == "There is no such command." and board.table.version == version


def last_card(board: Board) -> None:
    """Anna plays her last card: points are wanted next."""
    board.table.new_match(MatchSettings(("Anna", "Bram"), dealer=2, target=500))
    played_out(board.table)


def test_a_question_typed_as_points_are_first_asked_for_stays_a_question(board: Board) -> None:
    """Nobody can have heard by then that a number is wanted; a little later a six is six points."""
    last_card(board)
    for line in ("6", "6"):
        version = board.table.version
        board.line(line)
        assert board.table.version == version and "Still to be counted: Bram." in board.said[-2:]
    board.at += HEARD
    board.line("6")
    assert board.told == "2 points 6"


def test_points_that_are_no_key_count_at_once(board: Board) -> None:
    last_card(board)
    board.keys.tick()
    board.line("36")
    assert board.told == "2 points 36"


def test_lines_are_asked_for_without_waiting_for_a_line(board: Board) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream, os.fdopen(writing, "w") as typed:
        door = KeyDoor(board.keys, "line", stream)
        door.start()
        assert comes(lambda: board.said[-1:] != [])
        last_card(board)
        assert comes(lambda: board.said[-1].startswith("How many points are left in the hand of Bram?"))
        typed.write("36\n")
        typed.flush()
        assert comes(lambda: board.told == "2 points 36")
        door.stop()
        assert not door.is_alive()


def comes(true: Callable[[], bool]) -> bool:
    """Whether that becomes true soon."""
    waiting = threading.Event()
    return any(true() or waiting.wait(0.05) for _ in range(200)) or true()


def test_what_terminals_send() -> None:
    assert list(names("u\r\x7f")) == ["u", "Enter", "Backspace"]
    assert list(names("\x1b[6~\x1b[5~\x1b[A5")) == ["PageDown", "PageUp", "5"]
    assert list(names("\x1bOr\x1bOM\x1b")) == ["2", "Enter", "Escape"]


def test_without_a_terminal_the_keys_stay_off(board: Board) -> None:
    assert not KeyDoor(board.keys, "auto", io.StringIO("u")).is_open
    assert not KeyDoor(board.keys, "off").is_open


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is wanted")
def test_keys_of_a_real_terminal_without_enter_and_given_back(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    import pty
    import termios

    monkeypatch.setattr(Terminal, "_in_front", lambda self: True)  # the test is in no session of its own
    board.begin("R5", "R7")
    master, slave = pty.openpty()
    with os.fdopen(slave) as stream:
        before = termios.tcgetattr(stream.fileno())
        door = KeyDoor(board.keys, "auto", stream)
        assert door.is_open
        door.start()
        os.write(master, b"1d\x1b[6~")
        came = threading.Event()
        for _ in range(100):
            if board.table.version and board.said[-1] == "Uno: not now.":
                came.set()
                break
            came.wait(0.05)
        door.stop()
        assert came.is_set(), board.said
        assert not door.is_alive() and termios.tcgetattr(stream.fileno()) == before
    os.close(master)


@pytest.mark.parametrize(
    ("pile", "advice"),
    [
        (None, "none"),
        (Zone(640, 360, 140), "good"),
        (Zone(500, 420, 140), "good"),
        (Zone(200, 360, 140), "left"),
        (Zone(1100, 360, 140), "right"),
        (Zone(640, 40, 140), "up"),
        (Zone(640, 690, 140), "down"),
        (Zone(640, 360, 40), "small"),
        (Zone(640, 360, 500), "large"),
    ],
)
def test_where_the_camera_should_go(pile: Zone | None, advice: str) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    assert framing(picture, pile) == advice
    assert framing(np.full_like(picture, 7), pile) == framing(None, pile) == "nothing"


def test_the_doctor_says_where_the_camera_should_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from service import cli_doctor
    from service.settings import load

    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((360, 480, 3), 90, np.uint8))
    told = list(cli_doctor.framed(load({"source": str(grey)}, environment={})))
    assert [finding.works for finding in told] == [False] and told[0].found.startswith("I see nothing but one colour")
    demo = Path(cli_doctor.__file__).parent / "demo" / "demo.mp4"
    told = list(cli_doctor.framed(load({"source": str(demo)}, environment={}), pictures=150))
    assert "discard pile" in told[0].found and "no discard pile" not in told[0].found


def test_the_doctor_says_whether_the_camera_was_moved_since_it_saw_the_piles(tmp_path: Path) -> None:
    from service import cli_doctor
    from service.kept import Kept
    from service.settings import load

    rng = np.random.default_rng(3)
    small = (rng.random((24, 32, 3)) * 255).astype(np.uint8)
    table = np.asarray(cv2.resize(small, (640, 480), interpolation=cv2.INTER_NEAREST), np.uint8)
    turned = cv2.getRotationMatrix2D((320, 240), 6, 1.0)
    views = {"same": table // 2, "moved": cv2.warpAffine(table, turned, (640, 480)), "other": table[::-1]}
    piles = Zones(Zone(200, 240, 90), Zone(400, 240, 90))
    kept = standpoint(table, piles)
    assert {name: has_moved(kept, np.array(view, np.uint8)) for name, view in views.items()} == {
        "same": False,
        "moved": True,
        "other": True,
    }
    assert standpoint(np.full((480, 640, 3), 90, np.uint8), piles) == {} and not has_moved({}, table)
    picture = tmp_path / "moved.png"
    cv2.imwrite(str(picture), views["moved"])
    settings = load({"source": str(picture), "data_dir": str(tmp_path), "lang": "da"}, environment={})
    Kept(settings.data_dir).keep_standpoint(settings.source, kept)
    last = list(cli_doctor.framed(settings))[-1]
    assert last.found.startswith("Kameraet står anderledes") and not last.works and last.name == "kamera"


def test_pages_know_the_same_commands_and_give_them(
    board: Board, serve: Callable[[ASGIApp], str], tmp_path: Path
) -> None:
    board.begin("R5", "R7")
    with contextlib.ExitStack() as opened:
        store = opened.enter_context(Store.open(tmp_path / "other.sqlite"))
        url = serve(create_app(Desk(board.table, store, Preview())))
        client = opened.enter_context(httpx.Client(base_url=url, timeout=15))

        def give(**body: object) -> httpx.Response:
            return client.post("/api/commands", json=body)

        known = client.get("/api/commands").json()["commands"]
        assert {one["id"]: one["keys"] for one in known}["uno"] == ["*", "u", "PageDown"]
        assert give(command="turn").json()["answer"].startswith("It is Bram's turn")
        assert give(command="draw", expected_version=board.table.version).status_code == 200
        assert isinstance(board.table.history()[-1].event, ev.Draw)
        assert give(command="draw", expected_version=1).status_code == 409
        deaf = client.post("/api/listen")
        assert deaf.status_code == 422 and deaf.json()["detail"] == "The ears are not on."


def test_a_dark_table_and_a_glaring_pile_are_told() -> None:
    picture = np.random.default_rng(3).integers(60, 200, (400, 600, 3), np.uint8)
    pile = Zone(300, 200, 80)
    assert framing(picture // 8, pile) == "dark"
    assert framing(picture, pile) == "good"
    picture[170:230, 270:330] = 255
    assert framing(picture, pile) == "glare"
