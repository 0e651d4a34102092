"""A card that the camera is not sure of: played on, asked about, put right by anybody, never on another turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service.phrases import Phrases, Utterance
from service.store import Store
from service.table import Table
from vision.changes import CardLaid

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


def test_a_new_match_asks_nothing(table: Table) -> None:
    table.see(CLOSE)
    table.new_match(THREE)
    assert table.snapshot()["doubt"] is None and table.snapshot()["question"] == ""
