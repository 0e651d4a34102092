"""Calling uno: the call, the catch window and the catch (R6)."""

from __future__ import annotations

from referee.events import Catch, Uno
from referee.piles import charge
from referee.rulings import Caught, FalseCatch, LateCatch, Unexplained, UnoCalled, UnoDue
from referee.state import Outcome, RoundState, replace


def one_card_left(round: RoundState, seat: int, called: bool) -> Outcome:
    """`seat` has come to one card: it called with it, or its catch window opens (R6.1, R6.2)."""
    if called:
        return Outcome(round, (UnoCalled(seat),))
    return Outcome(replace(round, catchable=(*round.catchable, seat)), (UnoDue(seat),))


def changed_hands(round: RoundState, seats: tuple[int, ...]) -> Outcome:
    """`seats` hold other hands than before: who has one card now must call (R5.8, `uno_after_swap`)."""
    fresh = replace(
        round,
        catchable=tuple(seat for seat in round.catchable if seat not in seats),
        missed=round.missed - set(seats),
    )
    outcome = Outcome(fresh)
    for seat in seats:
        if round.count(seat) == 1 and round.settings.options.uno_after_swap:
            outcome = outcome.then(one_card_left, seat, called=False)
    return outcome


def close_windows(round: RoundState) -> Outcome:
    """A turn begins: who has not been caught goes free (R6.2, R6.3)."""
    if not round.catchable:
        return Outcome(round)
    return Outcome(replace(round, catchable=(), missed=round.missed.union(round.catchable)))


def uno(round: RoundState, event: Uno, may_play: tuple[int, ...]) -> Outcome:
    """A call apart from a play: after it, just before it, or again (R6.1, R6.3)."""
    seat = event.seat
    if seat in round.catchable or seat in round.missed:
        waiting = tuple(other for other in round.catchable if other != seat)
        return Outcome(replace(round, catchable=waiting, missed=round.missed - {seat}), (UnoCalled(seat),))
    if round.count(seat) == 1 or round.early_call == seat:
        return Outcome(round)
    if round.count(seat) == 2 and seat in may_play:
        return Outcome(replace(round, early_call=seat))
    return Outcome(round, (Unexplained("uno", seat, "not_one_card"),))


def catch(round: RoundState, event: Catch) -> Outcome:
    """Somebody says that `target` forgot: in time, too late, or wrongly (R6.3, R6.4)."""
    seat, target = event.seat, event.target
    if target == seat:
        return Outcome(round, (Unexplained("catch", seat, "own_seat"),))
    if target not in round.seats:
        return Outcome(round, (Unexplained("catch", target, "not_playing"),))
    if target in round.catchable:
        caught = replace(round, catchable=tuple(other for other in round.catchable if other != target))
        return Outcome(caught, (Caught(target, seat),)).then(charge, target, 2, "uno")
    if target in round.missed:
        return Outcome(round, (LateCatch(seat, target),))
    cost = round.settings.options.false_catch
    false = Outcome(round, (FalseCatch(seat, target),))
    return false.then(charge, seat, cost, "false_catch") if cost else false
