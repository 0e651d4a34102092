"""The two piles and the hands as numbers: drawing, penalties, reshuffles (R4.7) and the census of faces (R2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from referee.cards import FACES, Card
from referee.rulings import Census, ImpliedDraw, Penalty, PenaltyReason, Reshuffled, Ruling
from referee.state import Outcome, RoundState, replace

INDEX: Final = {card: place for place, card in enumerate(FACES)}
NOTHING_SEEN: Final = (0,) * len(FACES)

# The rules that a penalty rests on, by its reason.
REASONS: Final[dict[PenaltyReason, str]] = {
    "draw_two": "R5.3",
    "wild_draw_four": "R5.5",
    "challenge_guilty": "R5.6",
    "challenge_innocent": "R5.6",
    "uno": "R6.3",
    "false_catch": "R6.4",
    "misplay": "R9.1",
    "house_rule": "R10",
}


def changed(numbers: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    """`numbers` with the one of `seat` changed by `by`."""
    return (*numbers[: seat - 1], numbers[seat - 1] + by, *numbers[seat:])


def hold(round: RoundState, counts: tuple[int, ...]) -> RoundState:
    """The hands are now `counts`: who no longer holds exactly one card has nothing to call (R6.1)."""
    if not round.catchable and not round.missed:
        return replace(round, counts=counts)
    return replace(
        round,
        counts=counts,
        catchable=tuple(seat for seat in round.catchable if counts[seat - 1] == 1),
        missed=frozenset(seat for seat in round.missed if counts[seat - 1] == 1),
    )


def take(round: RoundState, seat: int, cards: int) -> Outcome:
    """`seat` draws `cards`, or as many as there are, the pile being reshuffled on the way (R4.7)."""
    outcome = Outcome(round) if cards <= round.draw_pile else reshuffle_unseen(round)
    drawn = min(cards, outcome.round.draw_pile)
    after = hold(outcome.round, changed(round.counts, seat, drawn))
    return Outcome(replace(after, draw_pile=after.draw_pile - drawn), outcome.rulings)


def can_draw(round: RoundState) -> bool:
    """Whether any card is left to draw, now or after a reshuffle."""
    return round.draw_pile > 0 or round.discards > 1


def charge(round: RoundState, seat: int, cards: int, why: PenaltyReason, rule: str = "") -> Outcome:
    """`seat` has to draw `cards`: counted at once, owed until somebody sees it draw (R9)."""
    if seat not in round.seats:
        return Outcome(round)
    outcome = take(round, seat, cards)
    drawn = outcome.round.count(seat) - round.count(seat)
    owing = replace(outcome.round, owed=changed(round.owed, seat, drawn))
    return Outcome(owing, (Penalty(seat, drawn, why, rule or REASONS[why]), *outcome.rulings))


def settle(round: RoundState, seat: int, cards: int | None) -> Outcome:
    """`seat` was seen to draw `cards` of what it owes; None: all."""
    owed = round.owed[seat - 1]
    return Outcome(replace(round, owed=changed(round.owed, seat, -min(cards or owed, owed))))


def settle_all(round: RoundState) -> Outcome:
    """Play goes on, so everybody is taken to have drawn what was owed (R9.3)."""
    if not any(round.owed):
        return Outcome(round)
    rulings = tuple(ImpliedDraw(seat, round.owed[seat - 1], "R9.3") for seat in round.seats if round.owed[seat - 1])
    return Outcome(replace(round, owed=(0,) * len(round.owed)), rulings)


def reshuffle(round: RoundState) -> Outcome:
    """The top card stays, the rest becomes the draw pile (R4.7); from now on every face may come again."""
    if round.discards <= 1:
        return Outcome(round)
    seen = NOTHING_SEEN if round.top is None else changed(NOTHING_SEEN, INDEX[round.top] + 1, 1)
    piles = replace(round, draw_pile=round.draw_pile + round.discards - 1, discards=1, seen=seen)
    return Outcome(piles, (Reshuffled(),))


def reshuffle_unseen(round: RoundState) -> Outcome:
    """A reshuffle that must have been, whether or not somebody reports it later."""
    outcome = reshuffle(round)
    return Outcome(replace(outcome.round, reshuffle_unseen=bool(outcome.rulings)), outcome.rulings)


def see(round: RoundState, card: Card | None) -> Outcome:
    """Counts the face `card` as seen on the discard pile (R2.3)."""
    if card is None:
        return Outcome(round)
    place = INDEX[card]
    seen = changed(round.seen, place + 1, 1)
    too_often: tuple[Ruling, ...] = (Census(card),) if seen[place] > round.settings.copies[place] else ()
    return Outcome(replace(round, seen=seen), too_often)


def see_hand(round: RoundState, cards: Iterable[Card | None]) -> Outcome:
    """Counts all faces of a shown hand (R2.3, R7.5)."""
    outcome = Outcome(round)
    for card in cards:
        outcome = outcome.then(see, card)
    return outcome


def is_used_up(round: RoundState, card: Card) -> bool:
    """Whether the deck has no `card` left that could come now (R2.3)."""
    place = INDEX[card]
    return round.seen[place] >= round.settings.copies[place]
