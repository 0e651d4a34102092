"""From what the camera saw to what happened in the game: whose card it was, who drew, and why.

The camera knows no seats and the referee sees nothing; the onlooker knows both sides. Whose card it is follows from
the turn; where more than one seat may be meant (a drawn card kept or laid, a penalty that somebody still owes) the
direction that the hand came from decides.
"""

from __future__ import annotations

from referee.events import Deal, Draw, Event, Play, Reshuffle, Start, Undo
from referee.expectations import seats_to_play
from referee.judge import expected_events
from referee.state import MatchState
from service.places import Pile, Places
from vision.changes import CardLaid, CardsDrawn, CardTaken, PileReshuffled, TableChange


class Onlooker:
    """Stands at one table of `seats` seats. Tell it every event that was applied (`noted`), whoever reported it."""

    def __init__(self, seats: int) -> None:
        self._places = Places(seats)
        self._since_play = 0

    def events(self, change: TableChange, state: MatchState) -> tuple[Event, ...]:
        """The events that a change of the table means in `state`, in order; none when it means nothing."""
        match change:
            case CardLaid() if state.phase == "between" or (state.round is not None and not state.round.is_turned):
                return self._turned(change, state)
            case CardLaid() if state.phase == "playing":
                return self._laid(change, state)
            case CardsDrawn() if state.phase == "playing":
                return self._drawn(change, state)
            case CardTaken() if state.phase != "between" and state.top == change.card:
                return (Undo(seconds=change.seconds),) * self._since_play
            case PileReshuffled():
                return (Reshuffle(seconds=change.seconds),)
        return ()

    def noted(self, event: Event) -> None:
        """`event` was applied: what lies on the pile since then would be undone with it."""
        if isinstance(event, (Play, Start)):
            self._since_play = 1
        elif isinstance(event, Undo):
            self._since_play = max(0, self._since_play - 1)
        else:
            self._since_play += 1

    def _turned(self, change: CardLaid, state: MatchState) -> tuple[Event, ...]:
        """The first card of a round; the deal before it is implied when it is known who deals."""
        if change.card is None:
            return ()
        start = Start(change.card, seconds=change.seconds, confidence=change.confidence)
        if state.phase != "between":
            return (start,)
        return (Deal(state.dealer, seconds=change.since), start) if state.dealer else ()

    def _laid(self, change: CardLaid, state: MatchState) -> tuple[Event, ...]:
        seats = seats_to_play(state)
        if not seats:
            return ()
        seat = self._whose(seats, "discard", change.hand)
        return (Play(seat, change.card, seconds=change.seconds, confidence=change.confidence),)

    def _drawn(self, change: CardsDrawn, state: MatchState) -> tuple[Event, ...]:
        draws = _possible_draws(state)
        if not draws:
            return ()
        seat = self._whose(tuple(draws), "draw", change.hand)
        draw = draws[seat]
        cards = None if draw.cards is None else min(change.count, draw.cards)
        return (Draw(seat, cards, seconds=change.seconds, confidence=change.confidence),)

    def _whose(self, candidates: tuple[int, ...], pile: Pile, hand: float | None) -> int:
        seat = self._places.whose(candidates, pile, hand)
        if len(candidates) == 1:
            self._places.learn(seat, pile, hand)
        return seat


def _possible_draws(state: MatchState) -> dict[int, Draw]:
    """Who may be drawing, the likeliest first: who owes cards, who is asked, whose turn it is or comes next."""
    assert state.round is not None
    expected = [event for event in expected_events(state) if isinstance(event, Draw)]
    owing = [Draw(seat, owed) for seat, owed in enumerate(state.round.owed, start=1) if owed]
    asked = [event for event in expected if event.cards is not None]
    by_choice = [event for event in expected if event.cards is None]
    draws: dict[int, Draw] = {}
    for draw in (*owing, *asked, *by_choice):
        draws.setdefault(draw.seat, draw)
    return draws
