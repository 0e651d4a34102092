"""A line for every event, an event for every line."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import events
from referee.cards import FACES, Card, Colour, Rank
from referee.events import Event
from referee.notation import Laid, NotationError, event_of, line_for, read_laid

seats = st.integers(0, 99)
numbers = st.integers(1, 99)
cards = st.sampled_from(FACES)
maybe_cards = st.none() | cards
hands = st.lists(maybe_cards, max_size=9).map(tuple)
colours = st.sampled_from(Colour)
marks = st.fixed_dictionaries(
    {
        "seconds": st.none() | st.floats(0, 1e6, allow_nan=False).map(abs),
        "confidence": st.none() | st.floats(0, 1, allow_nan=False).map(abs),
    }
)
named: dict[str, Any] = {"colour": st.none() | colours, "partner": st.none() | numbers}
kinds = st.one_of(
    st.builds(events.Deal, seats),
    st.builds(events.Start, maybe_cards, **named),
    st.builds(events.Play, seats, maybe_cards, uno=st.booleans(), **named),
    st.builds(events.Draw, seats, st.none() | seats),
    *(st.builds(kind, seats) for kind in (events.Pass, events.Uno, events.Leave)),
    *(st.builds(kind, seats, seats) for kind in (events.Catch, events.Swap, events.ChooseRule, events.Points)),
    st.builds(events.Challenge, seats, st.sampled_from((None, "guilty", "innocent"))),
    st.builds(events.NameColour, seats, colours),
    st.builds(events.Discard, seats, hands),
    st.builds(events.Hand, seats, hands),
    *(st.builds(kind) for kind in (events.Reshuffle, events.Void, events.Undo)),
    st.builds(events.Amend, numbers, cards, **named),
)


@settings(max_examples=300, deadline=None)
@given(kinds, marks)
def test_every_event_has_a_line_that_notes_it(event: Event, marked: dict[str, float | None]) -> None:
    event = replace(event, **marked)
    assert event_of(line_for(event)) == event


@settings(max_examples=200, deadline=None)
@given(maybe_cards, st.none() | colours, st.none() | numbers)
def test_every_card_is_read_as_it_is_noted(card: Card | None, colour: Colour | None, number: int | None) -> None:
    laid = Laid(card, colour, number)
    assert read_laid(str(laid)) == laid


LINES = [
    "deal 3",
    "start R5",
    "start W>B",
    "start WS>B=2",
    "start ??",
    "2 R7",
    "2 W>B",
    "2 R7 uno",
    "2 ??",
    "2 draw",
    "2 pass",
    "2 draw 4",
    "2 uno",
    "4 catch 2",
    "3 challenge guilty",
    "3 challenge innocent",
    "3 challenge",
    "2 colour B",
    "2 swap 4",
    "2 hand R5 W ??",
    "2 hand",
    "2 points 75",
    "reshuffle",
    "leave 3",
    "void",
    "undo",
    "amend 14 B6",
    "2 rule 1",
    "2 discard W W4",
]


@pytest.mark.parametrize("line", [*LINES, "2 W4>G @12.4 ~0.93", "2 R7 @100000000 ~0.00001"])
def test_every_line_of_the_format_prints_as_it_was_read(line: str) -> None:
    event = event_of(line)
    assert event is not None
    assert line_for(event) == line


@pytest.mark.parametrize("line", LINES)
def test_every_line_keeps_its_time_and_confidence(line: str) -> None:
    event = event_of(f"{line} @12.4 ~0.93")
    assert event is not None
    assert (event.seconds, event.confidence) == (12.4, 0.93)
    assert line_for(event) == f"{line} @12.4 ~0.93"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("start R5 R6", "the end of the line, not 'R6'"),
        ("amend 2 R5 R6", "the end of the line, not 'R6'"),
        ("amend two R5", "the number of a line, not 'two'"),
        ("amend 2 ??", "the card that it was"),
        ("3 challenge guilty now", "the end of the line, not 'now'"),
        ("2 colour B now", "the end of the line, not 'now'"),
        ("2 colour X", "R, Y, G or B, not 'X'"),
        ("undo 2", "the end of the line, not '2'"),
        ("reshuffle now", "the end of the line, not 'now'"),
        ("deal 3 4", "the end of the line, not '4'"),
        ("4 catch 2 3", "the end of the line, not '3'"),
        ("4 catch Bram", "the seat that was caught, not 'Bram'"),
        ("4 swap Bram", "the seat to swap with, not 'Bram'"),
        ("4 rule two", "the number of the rule, not 'two'"),
        ("4 points many", "the points, not 'many'"),
    ],
)
def test_a_line_of_other_words_is_refused(line: str, said: str) -> None:
    with pytest.raises(NotationError) as caught:
        event_of(line)
    assert str(caught.value) == said


@pytest.mark.parametrize("card", FACES)
def test_a_card_is_represented_by_what_makes_it(card: Card) -> None:
    assert repr(card) == f"Card.parse('{card}')"
    assert Card.parse(str(card)) is card


def test_a_colour_needs_a_rank_that_has_one() -> None:
    with pytest.raises(ValueError, match="no such card: colour R, rank W4"):
        Card(Colour.RED, Rank.WILD_DRAW_FOUR)
    with pytest.raises(ValueError, match="no such card: colour None, rank 7"):
        Card(None, Rank.SEVEN)


@pytest.mark.parametrize("line", ["", "   ", "; a comment", "\t; deal 3"])
def test_lines_without_an_event(line: str) -> None:
    assert event_of(line) is None


@pytest.mark.parametrize("gap", [" " * 200_000, " \t" * 100_000], ids=["spaces", "tabs"])
@pytest.mark.parametrize("ends", ["x", "@x", "@1 ~0.5 ~", "; @"])
def test_a_line_of_gaps_takes_no_time(gap: str, ends: str) -> None:
    started = time.process_time()
    for line in (f"deal 1{gap}{ends}", f"{gap}{ends}"):
        with contextlib.suppress(NotationError):
            event_of(line)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("line", [f"2 R7 @{'9' * 400}", "2 R7 @1 ~0.5 @2", "2 @1 R7", "2 R7 @", "@1", "~0.5"])
def test_a_mark_that_cannot_be_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        event_of(line)
