"""What each seat may do now: the buttons of its page, the keys of its player, and what its token is let through with.

The events come from `referee.expectations`; those that a host decides (leave, void, reshuffle, turning the first card)
are no seat's. Nothing in them tells of a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from referee import events as ev
from referee.cards import Colour
from referee.expectations import expected_events
from referee.state import MatchState

ACTIONS: Final[dict[type[ev.Event], str]] = {
    ev.Deal: "deal",
    ev.Start: "start",
    ev.Play: "play",
    ev.Draw: "draw",
    ev.Pass: "pass",
    ev.Uno: "uno",
    ev.Catch: "catch",
    ev.Challenge: "challenge",
    ev.NameColour: "colour",
    ev.Swap: "swap",
    ev.ChooseRule: "choose_rule",
    ev.Discard: "discard",
    ev.Hand: "hand",
    ev.Points: "points",
    ev.Reshuffle: "reshuffle",
    ev.Leave: "leave",
    ev.Void: "void",
}
"""What each event is called in `POST /api/actions`."""

_SHOWN: Final = ("seat", "target", "cards", "colour", "partner", "verdict", "number")


def name_of(event: ev.Event) -> str:
    """What an event is called in `POST /api/actions`."""
    return {**ACTIONS, ev.Undo: "undo", ev.Amend: "amend"}[type(event)]


def expected(event: ev.Event) -> dict[str, int | str]:
    """An event that may happen now as the action that brings it; nothing of a hand is in it."""
    action: dict[str, int | str] = {"action": ACTIONS[type(event)]}
    for name in _SHOWN:
        value = getattr(event, name, None)
        if isinstance(value, (int, str, Colour)):
            action[name] = str(value) if isinstance(value, Colour) else value
    return action


AT_ANY_TIME: Final = ("uno", "catch", "play")
"""What a seat may tell even when it is not expected: a false alarm is the referee's to rule on."""

_NEEDS: Final[dict[type[ev.Event], tuple[str, ...]]] = {
    ev.Play: ("card",),
    ev.Discard: ("cards",),
    ev.Hand: ("cards",),
    ev.Points: ("points",),
}
_HOSTS: Final = (ev.Leave, ev.Void, ev.Reshuffle, ev.Start)


@dataclass(frozen=True, slots=True)
class Possible:
    """One thing that a seat may do: a stable `id`, the event (a template where `needs` names what is still free)."""

    id: str
    event: ev.Event
    needs: tuple[str, ...] = ()

    def public(self, seat: int) -> dict[str, Any]:
        """As the snapshot shows it: `body` is that of `POST /api/actions` without the version."""
        if isinstance(self.event, ev.Undo):
            return {"id": self.id, "body": {"action": "undo"}, "needs": []}
        body: dict[str, Any] = {"seat": seat, **expected(self.event)}
        for name in self.needs:
            body.pop(name, None)
        return {"id": self.id, "body": body, "needs": list(self.needs)}


def possible(state: MatchState | None, last: ev.Event | None = None) -> tuple[tuple[Possible, ...], ...]:
    """What may be done, one tuple for each seat. `last`: the last thing that happened, which its seat may take back."""
    if state is None:
        return ()
    found: list[list[Possible]] = [[] for _ in state.settings.players]
    for event in expected_events(state):
        seat = getattr(event, "seat", None)
        if seat is not None and not isinstance(event, _HOSTS) and _is_its_own(event, state):
            found[seat - 1].append(Possible(_id(event), event, _NEEDS.get(type(event), ())))
    author = getattr(last, "seat", None)
    if author is not None and 1 <= author <= len(found):
        found[author - 1].append(Possible("undo", ev.Undo()))
    return tuple(map(tuple, found))


def may_tell(seat: int, action: str, event: ev.Event, allowed: tuple[Possible, ...]) -> bool:
    """Whether the token of `seat` is good for `event`; `allowed` is what that seat may do now."""
    if isinstance(event, ev.Undo):
        return any(one.id == "undo" for one in allowed)
    if getattr(event, "seat", None) != seat:
        return False
    return action in AT_ANY_TIME or any(_same(one, event) for one in allowed)


def _same(one: Possible, event: ev.Event) -> bool:
    """Whether `event` is what `one` offers, but for what is left free."""
    if type(one.event) is not type(event):
        return False
    if one.needs:
        return True
    return expected(one.event) == expected(event)


def _is_its_own(event: ev.Event, state: MatchState) -> bool:
    """A deal is the next dealer's to tell; everything else the seat's that it is about."""
    return not isinstance(event, ev.Deal) or state.dealer in (None, event.seat)


def _id(event: ev.Event) -> str:
    shown = expected(event)
    own = [str(value) for name, value in shown.items() if name not in ("action", "seat")]
    return "-".join([str(shown["action"]), *own])
