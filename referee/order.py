"""Whose turn it is: the order of turns, the questions that hold them up, and how a round stops."""

from __future__ import annotations

from collections.abc import Container

from referee.cards import Rank
from referee.piles import REASONS, charge
from referee.rulings import GoneOut, PenaltyReason, Skipped
from referee.state import Ending, Outcome, Question, RoundState, replace


def begin_turn(round: RoundState, seat: int) -> Outcome:
    """The next turn is that of `seat`."""
    return Outcome(replace(round, turn=seat, drawn=False, drawn_card=None, early_call=None))


def lose_turn(round: RoundState, seat: int, rule: str) -> Outcome:
    """`seat` loses its turn, the one after it is next (R5.1, R8.2)."""
    return Outcome(round, (Skipped(seat, rule),)).then(begin_turn, round.next_to(seat))


def ask(round: RoundState, question: Question) -> Outcome:
    """The table has to answer `question`, after those it was asked before."""
    return Outcome(replace(round, questions=(*round.questions, question)))


def asked(round: RoundState, seat: int, kinds: Container[str]) -> Question | None:
    """What `seat` is asked, of these kinds (or house rules): what holds up play before what is late."""
    mine = [q for q in round.questions if q.seat == seat and (q.house or q.kind) in kinds]
    return min(mine, key=lambda question: question.late, default=None)


def close(round: RoundState, question: Question) -> RoundState:
    """`question` is answered, or has lost its point."""
    return replace(round, questions=tuple(other for other in round.questions if other != question))


def draw_and_lose_turn(round: RoundState, seat: int, cards: int, why: PenaltyReason, rule: str = "") -> Outcome:
    """`seat` draws `cards` and loses its turn (R5.3, R5.5)."""
    return charge(round, seat, cards, why, rule).then(lose_turn, seat, rule or REASONS[why])


def pay(round: RoundState, question: Question) -> Outcome:
    """The seat asked neither challenges nor passes a penalty on: it draws and loses its turn (R5.5, R10)."""
    wild = round.top is not None and round.top.rank is Rank.WILD_DRAW_FOUR
    why: PenaltyReason = "wild_draw_four" if wild else "draw_two"
    paid = draw_and_lose_turn(close(round, question), question.seat, question.cards, why)
    return paid.then(stop_if_out, question.target)


def stop_if_out(round: RoundState, seat: int) -> Outcome:
    """A seat without cards ends the round (R7.1)."""
    return gone_out(round, seat) if seat in round.seats and round.count(seat) == 0 else Outcome(round)


def gone_out(round: RoundState, seat: int) -> Outcome:
    """The round ends because `seat` has no cards left (R7.1)."""
    return Outcome(stop(replace(round, winner=seat), "gone_out"), (GoneOut(seat),))


def stop(round: RoundState, ending: Ending) -> RoundState:
    """The round is no longer played; nothing that was open in it matters now."""
    return replace(
        round,
        ending=ending,
        turn=None,
        questions=(),
        drawn=False,
        drawn_card=None,
        early_call=None,
        catchable=(),
        missed=frozenset(),
        owed=(0,) * len(round.owed),
        points=(None,) * len(round.counts),
        scored=ending == "void",
    )
