"""Ends that nobody plays for: a round that is void, a seat that leaves the match."""

from __future__ import annotations

from referee.counting import last_one_left, next_deal, score_when_counted
from referee.events import Leave, Void
from referee.order import begin_turn, pay, stop
from referee.piles import changed, hold
from referee.rulings import Left, MatchWon, Ruling, Unexplained, Voided
from referee.state import MatchOutcome, MatchState, Outcome, RoundState, partner_of, replace


def void(match: MatchState, event: Void) -> MatchOutcome:
    """The round is void: nobody scores, the next one is dealt."""
    if match.phase not in ("playing", "counting") or match.round is None:
        return MatchOutcome(match, (Unexplained("void", None, "no_round"),))
    return MatchOutcome(next_deal(replace(match, round=stop(match.round, "void"))), (Voided(),))


def leave(match: MatchState, event: Leave) -> MatchOutcome:
    """`seat` leaves the match; a pair without its partner, or a single seat left over, ends it."""
    seat = event.seat
    if seat not in match.seats:
        return MatchOutcome(match, (Unexplained("leave", seat, "not_playing"),))
    outcome = leave_round(match.round, seat) if match.round else None
    left = replace(match, out=tuple(sorted((*match.out, seat))), round=outcome.round if outcome else None)
    rulings = (Left(seat), *(outcome.rulings if outcome else ()))
    if match.settings.mode == "teams":
        return _other_pair_wins(left, seat, rulings)
    ended = last_one_left(left, rulings, "R3.1")
    if ended.match.winner is not None:
        return ended
    if left.phase == "between":
        return MatchOutcome(next_deal(left), rulings)
    scored = score_when_counted(left)
    return MatchOutcome(scored.match, rulings + scored.rulings)


def _other_pair_wins(match: MatchState, seat: int, rulings: tuple[Ruling, ...]) -> MatchOutcome:
    winner = min(other for other in match.settings.seats if other not in (seat, partner_of(seat)))
    return MatchOutcome(replace(match, winner=winner), (*rulings, MatchWon(winner, "R7.4")))


def leave_round(round: RoundState, seat: int) -> Outcome:
    """The cards of `seat` go under the draw pile; what it was asked is no longer asked."""
    if seat not in round.seats or round.scored:
        return Outcome(round)
    outcome = _penalty_stands(round, seat) if round.ending is None else Outcome(round)
    following = outcome.round.next_to(seat)
    gone = _without(outcome.round, seat)
    if gone.turn == seat:
        return Outcome(gone, outcome.rulings).then(begin_turn, following)
    return Outcome(gone, outcome.rulings)


def _penalty_stands(round: RoundState, seat: int) -> Outcome:
    """Who was to draw for a card of `seat` still does."""
    outcome = Outcome(round)
    for question in round.questions:
        if question.target == seat and question.seat != seat:
            outcome = outcome.then(pay, question)
    return outcome


def _without(round: RoundState, seat: int) -> RoundState:
    gone = replace(
        hold(round, changed(round.counts, seat, -round.count(seat))),
        draw_pile=round.draw_pile + round.count(seat),
        seats=tuple(other for other in round.seats if other != seat),
        owed=changed(round.owed, seat, -round.owed[seat - 1]),
        questions=tuple(asked for asked in round.questions if asked.seat != seat),
    )
    return gone
