"""One normal form for all records of the same game, to compare what a camera wrote with what was true.

Times and confidences go, undone lines are gone already. Passes, penalty draws and reshuffles are left out; a draw
that a pass implies is written; a colour, swap partner, rule or verdict is joined to what asked for it, a uno call to
its play; hands are sorted. Faults at the table stay: they happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from referee.cards import Card
from referee.events import (
    Challenge,
    ChooseRule,
    Deal,
    Draw,
    Event,
    Hand,
    NameColour,
    Pass,
    Play,
    Reshuffle,
    Start,
    Swap,
    Uno,
)
from referee.ledger import Judged
from referee.rulings import ImpliedDraw, NothingToDraw, Unexplained, UnoCalled
from referee.state import MatchState


def normal_form(history: Iterable[Judged]) -> tuple[Event, ...]:
    """The events of the game that `history` is, in normal form."""
    events: list[Event] = []
    for judged in history:
        write = _WRITERS.get(type(judged.event), _as_it_is)
        write(events, judged, replace(judged.event, seconds=None, confidence=None))
    return tuple(events)


def _as_it_is(events: list[Event], judged: Judged, event: Event) -> None:
    events.append(event)


def _left_out(events: list[Event], judged: Judged, event: Event) -> None:
    return


def _start(events: list[Event], judged: Judged, event: Start) -> None:
    """A deal that was left out is written."""
    dealer = judged.after.round.dealer if judged.after.round else None
    if judged.before.phase == "between" and dealer is not None and judged.after.phase != "between":
        events.append(Deal(dealer))
    events.append(event)


def _play(events: list[Event], judged: Judged, event: Play) -> None:
    """A call just before the play is joined to it."""
    called = UnoCalled(event.seat) in judged.rulings
    events.append(replace(event, uno=called))


def _draw(events: list[Event], judged: Judged, event: Draw) -> None:
    """Draws by choice stay, penalties may be left out."""
    odd = any(isinstance(ruling, Unexplained) for ruling in judged.rulings)
    if odd or _drawn(judged.after) or any(isinstance(ruling, NothingToDraw) for ruling in judged.rulings):
        events.append(event if odd or (event.cards or 1) > 1 else replace(event, cards=None))


def _drawn(state: MatchState) -> bool:
    return state.round is not None and state.round.drawn


def _pass(events: list[Event], judged: Judged, event: Pass) -> None:
    """A pass is left out, the draw that it implies is not."""
    by_choice = ImpliedDraw(event.seat, 1, "R4.3") in judged.rulings
    if by_choice or any(isinstance(ruling, NothingToDraw) for ruling in judged.rulings):
        events.append(Draw(event.seat))
    elif any(isinstance(ruling, Unexplained) for ruling in judged.rulings):
        events.append(event)


def _joined(kinds: tuple[type[Event], ...], fits: Callable[[Any, Any], bool], join: Callable[[Any, Any], Event]) -> Any:
    """Joins an answer to the last event that it answers; an answer that nobody asked for stays."""

    def write(events: list[Event], judged: Judged, answer: Event) -> None:
        odd = any(isinstance(ruling, Unexplained) for ruling in judged.rulings)
        for place in range(len(events) - 1, -1, -1):
            asked = events[place]
            if not odd and isinstance(asked, kinds) and fits(asked, answer):
                events[place] = join(asked, answer)
                return
        events.append(answer)

    return write


def _same_seat(asked: Any, answer: Any) -> bool:
    return isinstance(asked, Start) or asked.seat == answer.seat


def _uno(events: list[Event], judged: Judged, event: Uno) -> None:
    """A call in the window is joined to its play; one before the play comes with it; a repeated one says nothing."""
    if any(isinstance(ruling, Unexplained) for ruling in judged.rulings):
        events.append(event)
    elif judged.rulings:
        _join_uno(events, judged, event)


def _challenge(events: list[Event], judged: Judged, event: Challenge) -> None:
    """A verdict is joined to its challenge."""
    asked = judged.before.pending
    if event.verdict and asked is not None and asked.kind == "verdict" and Challenge(event.seat) in events:
        events[_last(events, Challenge(event.seat))] = event
    else:
        events.append(event)


def _last(events: list[Event], event: Event) -> int:
    return len(events) - 1 - events[::-1].index(event)


def _hand(events: list[Event], judged: Judged, event: Hand) -> None:
    events.append(replace(event, cards=tuple(sorted(event.cards, key=_face))))


def _face(card: Card | None) -> str:
    return str(card or "")


_join_uno: Final = _joined((Play,), _same_seat, lambda play, uno: replace(play, uno=True))

_WRITERS: Final[dict[type[Event], Callable[[list[Event], Judged, Any], None]]] = {
    Start: _start,
    Play: _play,
    Draw: _draw,
    Pass: _pass,
    Uno: _uno,
    Challenge: _challenge,
    NameColour: _joined((Play, Start), _same_seat, lambda asked, answer: replace(asked, colour=answer.colour)),
    Swap: _joined((Play, Start), _same_seat, lambda asked, answer: replace(asked, partner=answer.partner)),
    ChooseRule: _joined((Play,), _same_seat, lambda asked, answer: replace(asked, partner=answer.number)),
    Hand: _hand,
    Reshuffle: _left_out,
}
