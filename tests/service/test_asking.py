"""A card that the camera is not sure of: played on, asked about, put right by anybody, never on another turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from referee.record import replay_text
from service.hands import Hands
from service.phrases import Phrases, Utterance
from service.store import Store
from service.table import Table
from vision.changes import CardLaid, CardReread

THREE = MatchSettings(players=("Anna", "Bram", "Carla"), dealer=3)
R5, R7, R1, R9 = (Card.parse(name) for name in ("R5", "R7", "R1", "R9"))


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Ear:
    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, utterances: Sequence[Utterance], /) -> None:
        self.heard += [utterance.text for utterance in utterances]

    def listen(self, listener: object, /) -> None:
        pass


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path, ear: Ear, clock: Clock) -> Iterator[Table]:
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"), ear, clock)
        table.new_match(THREE)
        table.apply(ev.Deal(3))
        table.apply(ev.Start(R5))
        clock.now += 5
        yield table


def seen(*faces: tuple[Card, float], again: bool = False) -> CardLaid:
    card = faces[0][0] if faces else None
    return CardLaid(card, faces[0][1] if faces else 0.0, 50, 49, faces=faces, again=again)


CLOSE = seen((R7, 0.5), (R1, 0.45))


def top(table: Table) -> str:
    assert table.state is not None
    return str(table.state.top)


def test_a_close_card_is_played_on_asked_aloud_and_shown(table: Table, ear: Ear, clock: Clock) -> None:
    table.see(CLOSE)
    assert top(table) == "R7" and table.state is not None and table.state.turn == 2
    assert "red seven" in ear.heard[-1] and ear.heard[-1].endswith("?")
    doubt = table.snapshot()["doubt"]
    assert doubt["cards"] == ["R7", "R1"] and doubt["seat"] == 1 and doubt["seconds"] == 15
    assert table.snapshot()["question"] == doubt["text"] == ear.heard[-1]


def test_yes_leaves_it_and_no_asks_on(table: Table, ear: Ear, clock: Clock) -> None:
    table.see(CLOSE)
    assert table.reply(True) is not None
    assert top(table) == "R7" and table.snapshot()["doubt"] is None and table.reply(True) is None
    table.apply(ev.Undo())
    clock.now += 5
    table.see(CLOSE)
    table.reply(False)
    assert "red one" in ear.heard[-1] and top(table) == "R7"
    table.reply(True)
    assert top(table) == "R1" and table.snapshot()["doubt"] is None


def test_an_answer_that_comes_late_is_about_its_card_and_never_about_the_next(table: Table, clock: Clock) -> None:
    table.see(CLOSE)
    clock.now += 5
    table.see(seen((R9, 0.99)))
    table.reply(False)
    table.reply(True)
    assert top(table) == "R9"
    plays = [judged.event for judged in table.history() if isinstance(judged.event, ev.Play)]
    assert [(play.seat, play.card) for play in plays] == [(1, R1), (2, R9)]


def test_a_card_that_nobody_could_read_is_named_by_whoever_laid_it(table: Table, ear: Ear) -> None:
    table.see(seen())
    assert ear.heard[-1].endswith("?") and table.snapshot()["doubt"]["kind"] == "which"
    table.apply(ev.Play(1, R9), source="ears")
    assert top(table) == "R9" and table.state is not None and table.state.turn == 2
    assert table.snapshot()["doubt"] is None


def test_a_card_read_late_puts_right_the_one_that_could_not_be_read(table: Table) -> None:
    table.see(seen())
    table.see(CardLaid(R9, 0.95, 60, 59, faces=((R9, 0.95),), late=True))
    assert top(table) == "R9" and table.state is not None and table.state.turn == 2
    assert table.snapshot()["doubt"] is None


def test_the_same_face_again_is_taken_back_on_a_no(table: Table) -> None:
    table.see(seen((R9, 0.99)))
    table.see(seen((R9, 0.99), again=True))
    assert table.state is not None and table.state.turn == 3
    table.reply(False)
    assert table.state.turn == 2 and top(table) == "R9"


def test_without_an_answer_it_is_left_and_said(table: Table, ear: Ear, clock: Clock) -> None:
    table.see(CLOSE)
    clock.now += 14
    table.tick()
    assert table.snapshot()["doubt"]["seconds"] == 1
    clock.now += 1.1
    table.tick()
    assert table.snapshot()["doubt"] is None and ear.heard[-1] == "I leave it at red seven."
    assert table.reply(False) is None and top(table) == "R7"


def test_the_camera_is_told_what_a_card_is_that_it_misread(table: Table) -> None:
    told: list[tuple[str, str]] = []
    table.asking.corrected = lambda was, now: told.append((str(was), str(now)))
    table.see(seen((Card.parse("B7"), 0.5), (R7, 0.45)))
    assert top(table) == "R7" and told == [("B7", "R7")]
    table.apply(ev.Amend(table.history()[-1].line, R1))
    assert told[-1] == ("R7", "R1")


def test_the_camera_keeps_the_name_of_a_card_laid_since_that_it_reads_as_it_read_the_old_one(table: Table) -> None:
    told: list[tuple[str, str]] = []
    table.asking.corrected = lambda was, now: told.append((str(was), str(now)))
    table.see(seen((R7, 0.99)))
    line = table.history()[-1].line
    table.see(seen((R7, 0.99)))
    table.apply(ev.Amend(line, R1))
    assert plays(table) == ["1 R1", "2 R7"] and not told


def test_a_card_that_turns_out_another_one_turns_later_is_put_right_aloud(table: Table, ear: Ear, clock: Clock) -> None:
    for number, name in enumerate(("R7", "R3", "R4")):
        card = Card.parse(name)
        table.see(CardLaid(card, 0.99, 50 + number, 49 + number, faces=((card, 0.99),)))
    table.see(CardReread(R1, 0.98, 53, 50, ((R1, 0.98), (R7, 0.01))))
    assert plays(table) == ["1 R1", "2 R3", "3 R4"]
    assert "Correction: Anna's card was red one." in ear.heard


def test_a_new_match_asks_nothing(table: Table) -> None:
    table.see(CLOSE)
    table.new_match(THREE)
    assert table.snapshot()["doubt"] is None and table.snapshot()["question"] == ""


FROM = {1: 20.0, 2: 140.0, 3: 260.0}


def lays(table: Table, seat: int, **shares: float) -> None:
    faces = tuple((Card.parse(name), share) for name, share in shares.items())
    table.see(CardLaid(faces[0][0], faces[0][1], 50, 49, None, FROM[seat], faces))


def plays(table: Table) -> list[str]:
    return [f"{one.event.seat} {one.event.card}" for one in table.history() if isinstance(one.event, ev.Play)]


def a_round(table: Table) -> None:
    """Everybody is seen once."""
    for seat, name in ((1, "R2"), (2, "R3"), (3, "R4")):
        lays(table, seat, **{name: 0.99})


def test_what_follows_puts_a_misread_card_right_in_one_correction(table: Table, ear: Ear, clock: Clock) -> None:
    told: list[tuple[str, str]] = []
    table.asking.corrected = lambda was, now: told.append((str(was), str(now)))
    a_round(table)
    lays(table, 1, RD=0.6, RS=0.3, RR=0.09)
    for seat, name in ((3, "R6"), (2, "R8")):
        clock.now += 3
        lays(table, seat, **{name: 0.99})
    assert plays(table)[3:] == ["1 RR", "3 R6", "2 R8"] and told[-1] == ("RD", "RR")
    corrections = [text for text in ear.heard if text.startswith("Correction")]
    assert corrections == ["Correction: Anna's card was red reverse."]
    assert table.state is not None and table.state.turn == 1 and table.state.direction == -1
    assert sum("direction" in text for text in ear.heard) == 1, ear.heard
    assert table.snapshot()["doubt"] is None


def test_a_revision_is_stored_as_undos_and_what_happened_and_replays_the_same(table: Table) -> None:
    a_round(table)
    lays(table, 1, RD=0.6, RS=0.3, RR=0.09)
    lays(table, 3, R6=0.99)
    lays(table, 2, R8=0.99)
    text = table.record()
    assert text.count("undo") == 3 and "1 RR" in text
    assert table.version == 1 + len(text.splitlines()) - 2
    again = replay_text(text)
    assert again.state == table.state


def test_what_only_seems_so_is_asked_once_and_a_yes_puts_all_of_it_right(table: Table, ear: Ear) -> None:
    a_round(table)
    lays(table, 1, R9=0.9, RR=0.1)
    lays(table, 3, R6=0.99)
    assert ear.heard[-1] == "Was Anna's card red reverse?" and table.snapshot()["doubt"]["kind"] == "instead"
    table.reply(True)
    assert plays(table)[3:] == ["1 RR", "3 R6"] and table.state is not None and table.state.turn == 2


def test_a_no_leaves_it_for_good(table: Table, ear: Ear) -> None:
    a_round(table)
    lays(table, 1, R9=0.9, RR=0.1)
    lays(table, 3, R6=0.99)
    table.reply(False)
    lays(table, 2, R8=0.99)
    assert "1 R9" in plays(table) and "1 RR" not in table.record()


def test_who_puts_a_card_right_puts_the_seats_right_that_came_after_it(table: Table) -> None:
    a_round(table)
    lays(table, 1, RD=0.999)
    line = table.history()[-1].line
    lays(table, 3, R6=0.99)
    table.asking.clear()
    table.apply(ev.Amend(line, Card.parse("RR")), source="keys")
    assert plays(table)[3:] == ["1 RR", "3 R6"]


def reread(table: Table, laid: float = 50, **shares: float) -> None:
    faces = tuple((Card.parse(name), share) for name, share in shares.items())
    table.see(CardReread(faces[0][0], faces[0][1], laid + 3, laid, faces))


def test_a_card_that_turns_out_another_one_is_put_right_the_first_one_too(table: Table, ear: Ear) -> None:
    lays(table, 1, R7=0.8, R1=0.1)
    reread(table, R1=0.97, R7=0.02)
    assert top(table) == "R1" and "Correction: Anna's card was red one." in ear.heard
    reread(table, laid=44, R9=0.99)
    assert top(table) == "R1"
    table.new_match(THREE)
    lays(table, 3, WC=0.85, B0=0.05)
    reread(table, B0=0.98, WC=0.01)
    assert top(table) == "B0" and "Correction: the first card was blue zero." in ear.heard


def test_what_a_person_said_of_a_card_is_not_read_anew(table: Table) -> None:
    lays(table, 1, R7=0.8, R1=0.1)
    table.apply(ev.Amend(table.history()[-1].line, R9), source="keys")
    reread(table, R1=0.97, R7=0.02)
    assert top(table) == "R9"


def test_a_reading_that_would_be_illegal_must_be_clearer_to_be_believed(table: Table) -> None:
    lays(table, 1, R7=0.8, B1=0.1)
    reread(table, B1=0.7, R7=0.3)
    assert top(table) == "R7"
    reread(table, B1=0.999)
    assert plays(table) == ["1 B1"]


@pytest.fixture
def lost(table: Table) -> Table:
    """A table where three cards in a row fit nothing."""
    a_round(table)
    for name in ("B9", "G2", "Y0"):
        table.see(CardLaid(Card.parse(name), 0.99, 50, 49, None, None, ((Card.parse(name), 0.99),)))
    return table


def test_when_the_thread_is_lost_it_is_said_once_with_what_is_seen(lost: Table, ear: Ear) -> None:
    asked = [text for text in ear.heard if text.startswith("I have lost the thread. The top card is")]
    assert len(asked) == 1 and asked[0].endswith("If not, whose?")
    assert lost.snapshot()["doubt"]["kind"] == "turn"


def test_no_asks_for_the_next_seat_and_yes_goes_on_from_there(lost: Table, ear: Ear) -> None:
    first = lost.snapshot()["doubt"]["seat"]
    lost.reply(False)
    second = lost.snapshot()["doubt"]["seat"]
    assert second != first and ear.heard[-1].startswith("Is it ")
    lost.reply(True)
    assert lost.state is not None and lost.state.turn == second and lost.snapshot()["doubt"] is None
    before = len(plays(lost))
    assert replay_text(lost.record()).state == lost.state
    lays(lost, second, W=0.99)
    assert plays(lost)[before:] == [f"{second} W"]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_who_names_the_seat_is_believed(lost: Table, seat: int) -> None:
    Hands(lost).for_seat(seat)
    assert lost.state is not None and lost.state.turn == seat
    lays(lost, seat, **{str(lost.state.top or "W"): 0.9})
    assert plays(lost)[-1].startswith(f"{seat} ")


def test_without_an_answer_it_goes_on_from_the_card_on_the_pile_and_marks_the_record(lost: Table, ear: Ear) -> None:
    before = lost.state
    lays(lost, 2, Y7=0.99)
    assert before is not None and lost.state is not None and str(lost.state.top) == "Y7" and lost.state.turn == 3
    assert "out of step" in lost.record() and replay_text(lost.record()).state == lost.state
    lays(lost, 3, Y8=0.99)
    assert plays(lost)[-2:] == ["2 Y7", "3 Y8"] and sum("lost the thread" in text for text in ear.heard) == 1


def test_a_fault_in_looking_back_costs_no_play(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("service.hindsight.Hindsight.revision", broken)
    lays(table, 1, R7=0.99)
    lays(table, 2, R9=0.99)
    assert plays(table) == ["1 R7", "2 R9"]
