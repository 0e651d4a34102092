from dataclasses import replace

import pytest

from referee.cards import Card
from referee.events import Deal, Play, Start
from referee.ledger import Ledger
from referee.options import MatchSettings
from referee.record import line_for
from referee.state import MatchState
from service.counting import remark
from service.onlooker import Onlooker
from service.phrases import Phrases
from vision.changes import CardLaid, CardsShown

FROM = {1: 0.0, 2: 90.0, 3: 180.0, 4: 270.0}
"""Where the four hands come from."""
DEALT = MatchSettings(players=("Anna", "Bram", "Cleo", "Daan"), dealer=4)


def cards(text: str) -> tuple[Card | None, ...]:
    return tuple(None if name == "??" else Card.parse(name) for name in text.split())


class Counting:
    """Anna has gone out; the others hold `counts`, and everybody's arm was seen once."""

    def __init__(self, *counts: int) -> None:
        self.onlooker = Onlooker(4)
        self.ledger = Ledger(DEALT)
        for event in (Deal(4), Start(Card.parse("R5"))):
            self.onlooker.noted(event, self.ledger.add(event).line)
        for name, seat in (("R1", 1), ("R2", 2), ("R3", 3), ("R4", 4)):
            laid = CardLaid(Card.parse(name), 0.9, 10, 9, None, FROM[seat])
            for told in self.onlooker.events(laid, self.ledger.state):
                self.onlooker.noted(told, self.ledger.add(told).line)
        round = self.ledger.state.round
        assert round is not None
        self.state: MatchState = replace(
            self.ledger.state,
            round=replace(round, counts=(0, *counts), points=(None,) * 4, ending="gone_out", winner=1),
        )

    def shows(self, text: str, seat: int | None = None) -> list[str]:
        """The lines that cards laid open mean."""
        change = CardsShown(cards(text), 0.9, 12, 11, FROM.get(seat or 0))
        return [line_for(event).partition(" @")[0] for event in self.onlooker.events(change, self.state)]


def test_a_hand_laid_open_is_counted_for_the_seat_that_holds_so_many_cards() -> None:
    assert Counting(2, 3, 4).shows("B9 R5 W4", 3) == ["3 hand R5 B9 W4"]
    assert Counting(2, 3, 4).shows("B9 R5 W4") == ["3 hand R5 B9 W4"]


def test_hands_of_one_size_are_told_apart_by_the_arms_that_lay_them() -> None:
    table = Counting(2, 2, 5)
    assert table.shows("B9 R5", 2) == ["2 hand R5 B9"]
    assert table.shows("B9 R5", 3) == ["3 hand R5 B9"]
    assert table.shows("B9 R5") == []


@pytest.mark.parametrize(("text", "seat"), [("B9 ??", 2), ("B9 R5 R6", 2), ("B9 R5 R6", 4), ("B9", None)])
def test_a_hand_of_which_not_all_is_told_is_not_counted(text: str, seat: int | None) -> None:
    assert Counting(2, 5, 5).shows(text, seat) == []


def test_an_arm_from_elsewhere_lays_no_hand_that_happens_to_fit() -> None:
    assert Counting(2, 4, 3).shows("B9 R5", 3) == []


def said(text: str, state: MatchState, pile: str | None = None) -> str:
    phrases = Phrases.load("en")
    found = remark(CardsShown(cards(text), 0.9, 12, 11, None, pile), state, phrases)
    return "" if found is None else phrases.notice(found[0], **found[1]).text


def test_what_cannot_be_counted_is_asked_about() -> None:
    state = Counting(2, 5, 5).state
    assert said("B9 ?? R1", state).startswith("I read two cards laid open and cannot tell whose.")
    assert state.round is not None
    last = replace(state, round=replace(state.round, points=(None, None, 5, 7)))
    assert said("B9 ??", last).startswith("Bram should hold two cards, but I read one card.")


def test_cards_that_go_astray_in_play_are_told_of_and_no_plays() -> None:
    ledger = Ledger(DEALT)
    for event in (Deal(4), Start(Card.parse("R5")), Play(1, Card.parse("R1"))):
        ledger.add(event)
    state = ledger.state
    assert said("R7", state, "draw") == "A card lies face up on the draw pile: red seven. It does not count as played."
    assert said("R7", state, "discard").startswith("A card lies beside the discard pile: red seven.")
    assert said("R7", state) == said("R7 R8", state) == said("??", state, "draw") == ""
    assert Onlooker(4).events(CardsShown(cards("R7"), 0.9, 12, 11, None, "draw"), state) == ()


def test_points_told_by_somebody_leave_nothing_to_count() -> None:
    table = Counting(2, 3, 4)
    assert table.state.round is not None
    counted = replace(table.state, round=replace(table.state.round, points=(None, None, 9, None)))
    change = CardsShown(cards("B9 R5 W4"), 0.9, 12, 11, FROM[3])
    assert table.onlooker.events(change, counted) == ()
