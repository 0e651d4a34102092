"""What keys, ears and command cards ask is done for the right seat, once, or refused in words and not stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings, Options
from service.commands import commands, grammar, of_key, of_mark, with_marks
from service.hands import Hands
from service.language import FOLDER, load_language
from service.phrases import Phrases
from service.store import Store
from service.table import Conflict, Table
from tests.service.rounds import played_out
from vision.changes import CardLaid, TableChange
from vision.marks import MarkSettings


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    with Store.open(tmp_path / "t.sqlite") as store:
        hands = Hands(Table.open(store, Phrases.load("en")))
        hands.table.new_match(MatchSettings(("Anna", "Bram", "Carla"), dealer=3))
        yield hands


def play(hands: Hands, *lines: str) -> None:
    """`deal`, `start R5`, then `seat card`, `seat draw`, as they would be seen."""
    for line in lines:
        seat, _, what = line.partition(" ")
        event: ev.Event
        if seat == "deal":
            event = ev.Deal(3)
        elif seat == "start":
            event = ev.Start(Card.parse(what))
        else:
            event = ev.Play(int(seat), Card.parse(what))
        hands.table.apply(event, source="camera")


def last(hands: Hands) -> ev.Event:
    return hands.table.history()[-1].event


def caption(hands: Hands) -> str:
    return str(hands.table.snapshot()["captions"][-1]["text"])


def test_a_command_acts_for_the_seat_that_must_act(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    assert hands.do("draw") == ""
    assert (type(last(hands)), getattr(last(hands), "seat", None)) == (ev.Draw, 1)
    hands.do("pass")
    assert hands.table.state is not None and hands.table.state.turn == 2


def test_colours_answer_whoever_was_asked(hands: Hands) -> None:
    play(hands, "deal", "start R5", "1 W")
    hands.do("blue", source="cards")
    assert hands.table.state is not None and hands.table.state.colour is Colour("B")
    assert hands.do("green") == caption(hands) == "Nothing was asked that Green answers."


@pytest.mark.parametrize(
    ("said", "drew"), [(("no",), 2), (("yes", "yes"), 1), (("yes", "no"), 2), (("challenge", "no"), 2)]
)
def test_a_challenge_by_yes_and_no_alone(hands: Hands, said: tuple[str, ...], drew: int) -> None:
    play(hands, "deal", "start R5", "1 W4")
    hands.do("red")
    before = hands.table.state
    for word in said:
        hands.do(word)
    after = hands.table.state
    assert before is not None and after is not None and after.pending is None
    counts = [cards - had for cards, had in zip(after.counts, before.counts, strict=True)]
    assert max(range(3), key=lambda at: counts[at]) == drew - 1


def test_uno_saves_who_could_be_caught_and_catch_catches(hands: Hands) -> None:
    for command in ("uno", "catch"):
        hands.table.new_match(MatchSettings(("Anna", "Bram"), options=Options()))
        hands.table.apply(ev.Deal(2))
        hands.table.apply(ev.Start(Card.parse("R0")))
        for number in "123456":
            hands.table.apply(ev.Play(1, Card.parse(f"R{number}")))
            if number != "6":
                hands.table.apply(ev.Draw(2))
                hands.table.apply(ev.Pass(2))
        hands.do(command)
        event = last(hands)
        assert event == (
            ev.Uno(1, seconds=event.seconds) if command == "uno" else ev.Catch(2, 1, seconds=event.seconds)
        )
    assert hands.do("catch") == "Nobody can be caught now."


def test_a_named_seat_holds_for_one_command(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    assert hands.for_seat(2) == "Next for Bram."
    version = hands.table.version
    assert hands.do("draw") == "Draw: not now." and hands.table.version == version
    assert hands.do("draw") == ""
    assert hands.for_seat(7) == "There is no player 7."


def test_what_costs_cards_is_said_back_when_it_was_heard(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    version = hands.table.version
    assert hands.do("draw", source="ears") == "Draw, Anna? Yes or no."
    assert hands.do("no", source="ears") == "Not done." and hands.table.version == version
    hands.do("draw", source="ears")
    hands.do("yes", source="ears")
    assert isinstance(last(hands), ev.Draw)
    assert hands.do("undo", source="ears").startswith("Take the last move back?")
    hands.do("yes", source="keys")
    assert len(hands.table.history()) == 2
    hands.do("uno", source="ears")  # costs nobody anything: not asked back


def test_a_yes_that_comes_too_late_does_nothing(hands: Hands) -> None:
    clock = [0.0]
    late = Hands(hands.table, lambda: clock[0])
    play(hands, "deal", "start R5")
    late.do("draw", source="ears")
    clock[0] += 60
    assert late.do("yes", source="ears").startswith("Nothing was asked")
    late.do("draw", source="ears")
    play(hands, "1 R7")
    assert late.do("yes", source="ears").startswith("The turn moved on")
    assert isinstance(last(hands), ev.Play)


def test_an_action_about_another_state_is_refused(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    with pytest.raises(Conflict):
        hands.do("draw", version=hands.table.version - 1)


def test_every_question_has_an_answer_that_is_shown(hands: Hands) -> None:
    play(hands, "deal", "start R5", "1 R7", "2 W")
    for command in commands().values():
        if command.kind == "ask":
            assert hands.do(command.id) == caption(hands) != "", command.id
    assert "red seven" in hands.do("last") and hands.do("repeat").startswith("Bram: wild")


def test_without_a_match_it_is_said_that_there_is_none(tmp_path: Path) -> None:
    with Store.open(tmp_path / "t.sqlite") as store:
        hands = Hands(Table.open(store, Phrases.load("en")))
        for command in ("turn", "draw"):
            assert hands.do(command) == "No match has been begun."
        for command in ("yes", "repeat", "undo"):
            assert "How many players" in hands.do(command)
        assert "how many play" in hands.do("help")


def test_points_are_typed_at_the_end(hands: Hands) -> None:
    table = hands.table
    table.new_match(MatchSettings(("Anna", "Bram")))
    played_out(table)
    assert table.snapshot()["phase"] == "counting"
    hands.number(112)
    assert table.snapshot()["phase"] == "between" and table.snapshot()["scores"] == [112, 0]
    assert hands.number(3) == "There is no such command."


def test_keys_and_marks_are_unambiguous() -> None:
    keys = [key for command in commands().values() for key in command.keys]
    assert len(keys) == len(set(keys)) and of_key("U") == "uno" and of_key("/ 5") == "catch"
    numbers = [command.mark for command in with_marks()]
    assert numbers == list(range(MarkSettings().count)) and of_mark(6) == "uno" and of_mark(16) is None
    keypad = {"Enter", "+", "-", "*", ".", "/", *"0123456789"}
    reached = [any(set(key.split()) <= keypad for key in command.keys) for command in commands().values()]
    assert all(reached), "every command can be given on a numeric keypad"


@pytest.mark.parametrize("code", sorted(path.parent.name for path in FOLDER.glob("*/commands.toml")))
def test_every_language_names_every_command_and_no_word_twice(code: str) -> None:
    own = load_language(code).table
    assert own["command"].keys() == commands().keys()
    words = [word for entry in own["command"].values() for word in entry["words"]]
    assert len(words) == len(set(words)) and set(words) <= grammar(load_language(code)).keys()
    english = load_language("en").table
    for heading in ("hands", "keys", "framing", "sheet"):
        assert own[heading].keys() == english[heading].keys(), heading


def test_what_a_seat_does_forgets_nothing_of_the_others(hands: Hands) -> None:
    play(hands, "deal", "start R5", "1 R7")
    hands.for_seat(1)
    assert hands.do("turn", 2, "seat-2") and hands.do("turn", source="pages")
    assert hands.do("draw"), "the keys had said for whom, and it is not Anna's turn"
    assert hands.do("draw", source="ears") and hands.waits_for_yes
    hands.do("catch", 2, "seat-2")
    hands.do("yes", 2, "seat-2")
    assert hands.waits_for_yes, "a seat does not say yes to what was not its own"
    hands.do("yes", source="ears")
    assert isinstance(last(hands), ev.Draw)


def test_a_seat_begins_no_match(hands: Hands) -> None:
    hands.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1, target=100, options=Options()))
    hands.table.apply(ev.Leave(2))
    assert hands.opening.is_over
    hands.do("yes", 1, "seat-1")
    assert hands.opening.is_over
    hands.do("yes", source="keys")
    assert not hands.opening.is_over


SET_UP = ("2", "", "", "1", "")


@pytest.fixture
def setting_up(tmp_path: Path) -> Iterator[Hands]:
    """A table at which nobody plays yet."""
    with Store.open(tmp_path / "u.sqlite") as store:
        yield Hands(Table.open(store, Phrases.load("en")))


def see(hands: Hands, change: TableChange) -> None:
    hands.first.note(change)
    hands.table.see(change)
    hands.first.tick()


def answered(hands: Hands, *answers: str) -> None:
    for answer in answers:
        hands.opening.take(answer)


def test_the_first_card_may_lie_there_before_the_match_begins(setting_up: Hands) -> None:
    see(setting_up, CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
    answered(setting_up, *SET_UP)
    asked = "Yellow six lies on the pile. Is it the first card? Yes or no."
    assert caption(setting_up).endswith(asked) and setting_up.do("pending") == asked
    assert setting_up.do("yes") == ""
    assert "The first card is yellow six." in str(setting_up.table.snapshot()["captions"])
    assert [type(one.event) for one in setting_up.table.history()] == [ev.Deal, ev.Start]


def test_a_card_that_tried_the_camera_out_is_not_the_first(setting_up: Hands) -> None:
    see(setting_up, CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
    answered(setting_up, *SET_UP)
    turn = "Seat 1 deals. Then turn the first card, face up, in the middle of the table."
    assert setting_up.do("no") == turn == setting_up.do("pending") and not setting_up.table.history()
    see(setting_up, CardLaid(Card.parse("G5"), 0.99, 4.0, 3.0))
    assert getattr(last(setting_up), "card", None) == Card.parse("G5")
    setting_up.do("yes")
    assert len(setting_up.table.history()) == 2


def test_a_card_that_was_taken_away_again_is_not_asked_about(setting_up: Hands) -> None:
    see(setting_up, CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
    setting_up.first.lies = lambda: False
    answered(setting_up, *SET_UP)
    assert "Yellow" not in caption(setting_up) and setting_up.do("yes").startswith("Nothing was asked")


def test_a_match_begun_on_a_page_asks_about_the_card_as_well(setting_up: Hands) -> None:
    see(setting_up, CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
    setting_up.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
    for _ in range(2):
        setting_up.first.tick()
    said = [caption["text"] for caption in setting_up.table.snapshot()["captions"]]
    assert sum("Is it the first card?" in text for text in said) == 1


def test_a_match_in_play_can_be_left_for_another_one(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    asked = "Set up another match? This one is kept. Yes or no."
    assert hands.do("another") == asked and hands.do("no") == "Not done."
    hands.do("another")
    hands.do("turn")
    assert hands.do("yes").startswith("Nothing was asked"), "what was asked meanwhile was no answer"
    assert hands.do("another", source="ears") == asked and hands.waits_for_yes
    assert hands.do("yes", source="ears").startswith(
        "The match so far is kept; minus goes back to it. How many players"
    )
    assert hands.do("uno", source="cards") == "No match has been begun."
    see(hands, CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
    answered(hands, *SET_UP)
    assert caption(hands).endswith("Is it the first card? Yes or no.")
    state = hands.table.state
    assert state is not None and state.settings.players == ("Seat 1", "Seat 2") and hands.opening.step is None


def test_who_goes_back_from_another_match_is_in_the_old_one(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    hands.do("another")
    hands.do("yes")
    hands.do("no")
    assert caption(hands) == (
        "The match of Anna, Bram and Carla goes on where it left off. The top card is red five. "
        "It is Anna's turn, then Bram. For another match: slash then zero."
    )
    hands.do("draw")
    assert isinstance(last(hands), ev.Draw)


def test_another_match_is_not_for_a_seat_to_begin(hands: Hands) -> None:
    play(hands, "deal", "start R5")
    hands.do("another")
    hands.do("yes", 1, "seat-1")
    assert hands.opening.step is None


def test_what_was_heard_outlives_a_repeat(setting_up: Hands) -> None:
    opening = setting_up.opening
    assert opening.hear("three") == setting_up.do("repeat") == opening.hear("repeat") == "Three? Yes or no."
    assert setting_up.do("yes").startswith("Three players.")


def test_a_yes_to_nothing_takes_nothing(setting_up: Hands) -> None:
    opening = setting_up.opening
    answered(setting_up, "2", "Anna")
    assert opening.hear("yes") == "Seat 2? Yes or no." and opening.names == ["Anna"]
    opening.hear("yes")
    assert opening.names == ["Anna", "Seat 2"]
    assert opening.hear("yes") == "Anna? Yes or no." and not opening.dealer
    opening.hear("yes")
    assert setting_up.table.state is None
    sure = "Anna and Seat 2 play, and Anna deals. Enter begins, minus goes back."
    assert opening.take("3") == opening.hear("anna") == f"That is no answer here. {sure}"
    opening.hear("yes")
    assert setting_up.table.state is not None


def test_setting_up_speaks_of_what_there_is(setting_up: Hands) -> None:
    opening = setting_up.opening
    opening.ask()
    assert "space bar" not in setting_up.do("help")
    opening.by_voice = True
    assert "space bar" in setting_up.do("help") and "Type the number" in caption(setting_up) + opening.ask()
    opening.by_keys = False
    said = [opening.ask(), setting_up.do("help")]
    for answer in ("2", "", "", "1"):
        said += [opening.take(answer), setting_up.do("help")]
    words = re.compile(r"\b(type|press|enter|minus|zero|star|space)\b", re.IGNORECASE)
    assert said[0] == "How many players, two to ten? Say the number. For help say: help me."
    assert [text for text in said if words.search(text) or "{" in text] == []
    assert said[-2].endswith("Say yes to begin, or back.")
