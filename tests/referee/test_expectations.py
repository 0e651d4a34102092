"""What may come next, at moments where it matters who."""

from __future__ import annotations

import pytest

from referee.cards import FACES, Card, Colour
from referee.events import Challenge, Deal, Draw, Event, Hand, NameColour, Pass, Play, Points, Start, Swap, Uno
from referee.expectations import expected_events, legal_plays, seats_to_play
from referee.state import MatchState
from tests.referee.table import played


def after(lines: str, **header: str) -> MatchState:
    return played(lines, **({"Players": "A;B;C", "Top": "R7"} | header)).state


def told(state: MatchState, *kinds: type[Event]) -> list[Event]:
    return [event for event in expected_events(state) if isinstance(event, kinds)]


def words(cards: frozenset[Card]) -> set[str]:
    return {str(card) for card in cards}


def test_legal_plays_match_colour_symbol_or_are_wild() -> None:
    expected = {str(card) for card in FACES[:54] if str(card)[0] in "RW" or str(card).endswith("7")}
    assert words(legal_plays(after(""))) == expected
    assert words(legal_plays(after("", Deck="112"))) == expected | {"WS", "WC"}


def test_what_the_deck_has_used_up_is_not_to_be_expected() -> None:
    assert "R0" not in words(legal_plays(after("1 R0/2 R1")))
    assert "R0" in words(legal_plays(after("1 R0/2 R1/reshuffle")))


@pytest.mark.parametrize(
    ("lines", "seats"),
    [
        ("1 R1", (2,)),
        ("1 RR", (3,)),
        ("1 draw", (1, 2)),
        ("1 W", (2,)),
        ("1 W4>G", (3,)),
        ("1 W4", (3,)),
        ("1 W4>G/2 challenge", (2, 3)),
        ("1 RD", (3,)),
    ],
)
def test_whose_card_the_next_one_can_be(lines: str, seats: tuple[int, ...]) -> None:
    assert seats_to_play(after(lines)) == seats


def test_with_stacking_the_seat_asked_may_pass_it_on() -> None:
    state = after("1 RD", Options="stack")
    assert seats_to_play(state) == (3, 2)
    assert words(legal_plays(state, 2)) == {"RD", "YD", "GD", "BD"}
    assert "R1" in words(legal_plays(state, 3))


def test_a_jump_in_is_legal_for_everybody() -> None:
    state = after("1 R3", Options="jump_in")
    assert words(legal_plays(state, 3)) == words(legal_plays(state, 1)) == {"R3"}


def test_before_the_deal() -> None:
    undecided = played("", Players="A;B").state
    assert told(undecided, Deal, Hand) == [Hand(1, (None,)), Hand(2, (None,)), Deal(1), Deal(2)]
    decided = played("", Players="A;B", Dealer="2").state
    assert told(decided, Deal, Start) == [Deal(2), Start(None), Deal(1)]
    assert told(played("deal 2", Players="A;B").state, Start) == [Start(None)]


def test_a_turn() -> None:
    assert told(after(""), Play, Draw, Pass) == [Play(1, None), Draw(1), Pass(1)]


def test_questions_offer_their_answers() -> None:
    assert told(after("1 W"), NameColour) == [NameColour(1, colour) for colour in Colour]
    assert told(after("1 WS>G", Deck="112"), Swap) == [Swap(1, 2), Swap(1, 3)]
    challenged = told(after("1 W4>G"), Challenge, Draw)
    assert {Challenge(2), Challenge(2, "guilty"), Challenge(2, "innocent"), Draw(2, 4)} <= set(challenged)


def test_penalties_may_be_carried_out() -> None:
    assert Draw(2, 2) in told(after("1 RD"), Draw)
    assert Draw(2, 2) not in told(after("1 RD/2 draw 2"), Draw)


def test_uno_can_be_called_early_in_time_and_late() -> None:
    assert told(after("", Counts="2,5,5"), Uno) == [Uno(1)]
    assert told(after("1 R1", Counts="2,5,5"), Uno) == [Uno(1)]
    assert told(after("1 R1/2 R2", Counts="2,5,5"), Uno) == [Uno(1)]
    assert told(after("1 R1/1 uno", Counts="2,5,5"), Uno) == []


def test_counting_asks_for_the_hands_that_are_missing() -> None:
    state = after("1 R1/2 points 5", Counts="1,2,3")
    assert told(state, Hand, Points) == [Hand(3, (None, None, None)), Points(3, 0)]


def test_after_the_match_nothing_is_expected() -> None:
    assert expected_events(after("leave 1/leave 2")) == ()
