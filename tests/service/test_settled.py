"""A card that play has gone on over turns out another one: the record is put right where nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.cards import Card
from referee.events import Amend, Event, Play
from referee.ledger import Ledger
from referee.options import MatchSettings
from service.onlooker import Onlooker
from vision.changes import CardLaid, CardReread

PLAYERS = ("Anna", "Bram", "Cleo", "Daan", "Elin", "Finn", "Gus", "Hana")
EVENING = ("Y5", "Y7", "Y3", "Y2", "G2", "G4", "G8", "G9", "G0", "B0", "B1", "B3", "B5", "B6", "R6")
"""The turned card, then plays in turn."""
AFTER = [f"R{rank}" for rank in (*"123456789", *"12345789")] + [f"B{rank}" for rank in (*"98742", *"1345678")]
"""Enough plays for hindsight to let go of all that was before."""


class Table:
    """Eight players whose table revises its record when that is clear; each card is laid a second after the last."""

    def __init__(self, cards: Sequence[str] = (*EVENING, *AFTER)) -> None:
        self.ledger, self.onlooker = Ledger(MatchSettings(players=PLAYERS, dealer=8)), Onlooker(len(PLAYERS))
        self.revised: list[tuple[Event, ...]] = []
        self.now = 0.0
        for card in cards:
            self.lays(card)

    def lays(self, card: str) -> None:
        self.now += 1
        seat = self.ledger.state.turn or 8
        face = Card.parse(card)
        self._sees(CardLaid(face, 0.99, self.now, self.now - 0.5, None, 45.0 * seat, ((face, 0.99),)))

    def rereads(self, *cards: tuple[int, str]) -> None:
        """Cards, by the second that they were laid at, turn out others."""
        for laid, name in cards:
            face = Card.parse(name)
            change = CardReread(face, 0.97, self.now, float(laid), ((face, 0.97), (Card.parse("R0"), 0.01)))
            assert self.onlooker.events(change, self.ledger.state) == ()
        self._look_back()

    def says(self, event: Event) -> None:
        self._note(event)
        self._look_back()

    def cards(self) -> list[str]:
        return [str(judged.event.card) for judged in self.ledger.history if isinstance(judged.event, Play)]

    def line_of(self, play: int) -> int:
        return [judged.line for judged in self.ledger.history if isinstance(judged.event, Play)][play]

    def _sees(self, change: CardLaid) -> None:
        for event in self.onlooker.events(change, self.ledger.state):
            self._note(event)
        self._look_back()

    def _note(self, event: Event) -> int:
        line = self.ledger.add(event).line
        self.onlooker.noted(event, line)
        return line

    def _look_back(self) -> None:
        revision = self.onlooker.hindsight.revision(self.ledger)
        if revision is not None and revision.clear:
            self.revised.append(revision.events)
            self.onlooker.revised(revision, self._note)


def test_an_old_card_is_put_right_on_its_line_and_play_goes_on() -> None:
    table = Table()
    before = table.ledger.state
    table.rereads((2, "Y1"))
    assert table.cards()[:2] == ["Y1", "Y3"] and len(table.revised) == 1
    assert replace(before, round=None) == replace(table.ledger.state, round=None)
    assert before.round is not None and table.ledger.state.round is not None
    assert replace(before.round, seen=()) == replace(table.ledger.state.round, seen=())
    table.rereads((2, "Y1"))
    assert len(table.revised) == 1
    table.lays("B9")
    table.lays("G9")
    assert table.cards()[-2:] == ["B9", "G9"] and len(table.revised) == 1


def test_what_was_ruled_is_not_ruled_anew() -> None:
    table = Table()
    table.rereads((2, "B7"))  # which could not have been laid on the yellow five
    assert table.cards()[0] == "Y7" and not table.revised


def test_cards_that_explain_each_other_are_put_right_together() -> None:
    table = Table(("Y5", "Y7", "B7", "B0", "R0", "R6", *AFTER))
    table.rereads((2, "Y1"))
    assert table.cards()[:2] == ["Y7", "B7"]
    table.rereads((2, "Y1"), (3, "B1"))
    assert table.cards()[:2] == ["Y1", "B1"] and len(table.revised) == 1


def test_of_two_that_do_not_go_together_the_one_that_does_is_put_right() -> None:
    table = Table()
    table.rereads((3, "B3"), (2, "Y1"))
    assert table.cards()[:2] == ["Y1", "Y3"]


def test_what_a_person_said_of_an_old_card_stays() -> None:
    table = Table()
    line = table.line_of(0)
    table.says(Amend(line, Card.parse("Y9")))
    table.rereads((2, "Y1"))
    assert table.cards()[0] == "Y9" and not table.revised


def test_what_a_person_confirmed_of_an_old_card_stays() -> None:
    table = Table()
    table.onlooker.hindsight.stands(table.line_of(0))
    table.rereads((2, "Y1"))
    assert table.cards()[0] == "Y7" and not table.revised


def test_a_card_that_counts_no_more_is_left_alone() -> None:
    table = Table()
    table.rereads((99, "Y1"))
    assert not table.revised


@pytest.mark.parametrize("play", [0, 1, 3])
def test_a_card_that_hindsight_still_remembers_is_put_right_whichever_it_is(play: int) -> None:
    table = Table(("Y5", "Y7", "Y3", "Y2", "Y6"))
    was = table.cards()
    table.rereads((play + 2, "Y1"))
    assert table.cards() == [*was[:play], "Y1", *was[play + 1 :]]
