"""What may be told to the table: bodies in, events of the game out."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from referee import events
from referee.cards import Card, Colour
from service.actions import Action, NewMatchAction

ACTION: TypeAdapter[Any] = TypeAdapter(Action)

TOLD: list[tuple[dict[str, Any], events.Event]] = [
    ({"action": "draw", "seat": 2}, events.Draw(2)),
    ({"action": "draw", "seat": 2, "cards": 4}, events.Draw(2, 4)),
    ({"action": "pass", "seat": 2}, events.Pass(2)),
    ({"action": "play", "seat": 1, "card": "r7"}, events.Play(1, Card.parse("R7"))),
    ({"action": "play", "seat": 1, "card": "??"}, events.Play(1, None)),
    (
        {"action": "play", "seat": 1, "card": "WS", "colour": "Y", "partner": 3, "uno": True},
        events.Play(1, Card.parse("WS"), Colour.YELLOW, 3, True),
    ),
    ({"action": "colour", "seat": 2, "colour": "b"}, events.NameColour(2, Colour.BLUE)),
    ({"action": "uno", "seat": 2}, events.Uno(2)),
    ({"action": "catch", "seat": 4, "target": 2}, events.Catch(4, 2)),
    ({"action": "challenge", "seat": 3}, events.Challenge(3)),
    ({"action": "challenge", "seat": 3, "verdict": "guilty"}, events.Challenge(3, "guilty")),
    ({"action": "swap", "seat": 2, "partner": 4}, events.Swap(2, 4)),
    ({"action": "choose_rule", "seat": 3, "number": 2}, events.ChooseRule(3, 2)),
    ({"action": "discard", "seat": 3, "cards": ["R1", "??"]}, events.Discard(3, (Card.parse("R1"), None))),
    ({"action": "start", "card": "??"}, events.Start(None)),
    ({"action": "deal", "seat": 3}, events.Deal(3)),
    ({"action": "start", "card": "W", "colour": "G"}, events.Start(Card.parse("W"), Colour.GREEN)),
    (
        {"action": "hand", "seat": 2, "cards": ["R5", "w", "??"]},
        events.Hand(2, (Card.parse("R5"), Card.parse("W"), None)),
    ),
    ({"action": "points", "seat": 2, "points": 75}, events.Points(2, 75)),
    ({"action": "reshuffle"}, events.Reshuffle()),
    ({"action": "leave", "seat": 3}, events.Leave(3)),
    ({"action": "void"}, events.Void()),
    ({"action": "undo"}, events.Undo()),
    ({"action": "amend", "line": 14, "card": "B6"}, events.Amend(14, Card.parse("B6"))),
]


@pytest.mark.parametrize(("body", "event"), TOLD)
def test_a_body_stands_for_its_event(body: dict[str, Any], event: events.Event) -> None:
    assert ACTION.validate_python({**body, "expected_version": 4}).event() == event


def test_every_event_can_be_told() -> None:
    told = {type(event) for _, event in TOLD}
    assert told == {
        kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Event)
    } - {events.Event}


@pytest.mark.parametrize(
    "body",
    [
        {"action": "dance", "seat": 1},
        {"seat": 1},
        {"action": "draw"},
        {"action": "draw", "seat": 0},
        {"action": "draw", "seat": 11},
        {"action": "draw", "seat": 1, "cards": 0},
        {"action": "draw", "seat": 1, "hand": "R7"},
        {"action": "play", "seat": 1, "card": "X9"},
        {"action": "play", "seat": 1, "card": 7},
        {"action": "colour", "seat": 1, "colour": "P"},
        {"action": "challenge", "seat": 1, "verdict": "maybe"},
        {"action": "amend", "line": 3, "card": "??"},
        {"action": "new_match", "players": ["Anna"]},
        {"action": "new_match", "players": ["Anna", ""]},
    ],
)
def test_a_body_that_cannot_be_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ACTION.validate_python({**body, "expected_version": 4})


def test_the_version_looked_at_is_asked_for() -> None:
    with pytest.raises(ValidationError, match="expected_version"):
        ACTION.validate_python({"action": "undo"})


def test_a_new_match_has_the_defaults_of_the_rules() -> None:
    body = ACTION.validate_python({"action": "new_match", "players": ["Anna", "Bram"], "expected_version": 0})
    assert isinstance(body, NewMatchAction)
    assert (body.mode, body.deck, body.target, body.dealer, body.options) == ("points", "108", 500, 1, {})
