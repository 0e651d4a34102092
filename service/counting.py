"""Hands that are laid open under the camera: whose they are, and what is said where that cannot be told.

A hand counts only when all its cards were read, as many as its seat holds, and nobody else's arm laid them. Cards that
lie face up at other times are no plays: somebody is told where they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.cards import FACES, Card
from referee.events import Hand
from referee.state import MatchState
from service.phrases import Phrases
from service.places import Places
from vision.changes import CardsShown


def counted(change: CardsShown, state: MatchState, places: Places) -> tuple[Hand, ...]:
    """The hand that somebody lays open to be counted (R7.5); nothing when it is unclear whose, or not all is read."""
    cards = [card for card in change.cards if card is not None]
    if len(cards) < len(change.cards):
        return ()
    seat = _whose(len(cards), change.hand, state, places)
    if seat is None:
        return ()
    order = tuple(sorted(cards, key=FACES.index))
    return (Hand(seat, order, seconds=change.seconds, confidence=change.confidence),)


def _whose(cards: int, hand: float | None, state: MatchState, places: Places) -> int | None:
    """The only seat that it can be: one that holds so many cards, and whose arm came from there."""
    fitting = [seat for seat in state.uncounted if state.counts[seat - 1] == cards]
    if not fitting or (hand is None and len(fitting) > 1):
        return None
    others = [seat for seat in state.uncounted if seat not in fitting]
    told = {_nearest(order, others, hand, places) for order in (fitting, fitting[::-1])}
    seat = told.pop()
    return None if told or seat not in fitting else seat


def _nearest(fitting: Sequence[int], others: Sequence[int], hand: float | None, places: Places) -> int:
    likely = places.whose(fitting, "discard", hand)
    return places.whose((likely, *others), "discard", hand)


def remark(change: CardsShown, state: MatchState, phrases: Phrases) -> tuple[str, dict[str, Any]] | None:
    """What to say about cards that lie open and are no event: the key of a notice, and its fields; None: nothing."""
    if state.phase == "counting":
        return _about_a_hand(change, state, phrases)
    card = change.cards[0] if len(change.cards) == 1 else None
    if state.phase != "playing" or change.pile is None or not isinstance(card, Card):
        return None
    return f"astray_{change.pile}", {"card": phrases.card(card)}


def _about_a_hand(change: CardsShown, state: MatchState, phrases: Phrases) -> tuple[str, dict[str, Any]] | None:
    read = phrases.cards(sum(card is not None for card in change.cards))
    match state.uncounted:
        case ():
            return None
        case (seat,):
            held = phrases.cards(state.counts[seat - 1])
            return "hand_of", {"cards": read, "held": held, **phrases.seat_fields(state, seat)}
    return "hand_whose", {"cards": read}
