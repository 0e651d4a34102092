"""The challenge of a Wild Draw Four (R5.6)."""

from __future__ import annotations

from referee import rulings
from referee.events import Challenge
from referee.events import Verdict as Finding
from referee.order import ask, begin_turn, close, draw_and_lose_turn, stop_if_out
from referee.piles import charge
from referee.rulings import Unexplained
from referee.state import Outcome, Question, RoundState, replace

INNOCENT_EXTRA = 2


def challenge(round: RoundState, event: Challenge) -> Outcome:
    """`seat` challenges, or tells the verdict of its challenge; only the next seat may, before it draws."""
    question = next((other for other in round.questions if other.kind in ("challenge", "verdict")), None)
    if question is None:
        return Outcome(round, (Unexplained("challenge", event.seat, "no_question", rule="R5.6"),))
    if question.seat != event.seat:
        return Outcome(round, (Unexplained("challenge", event.seat, "not_your_turn", rule="R5.6"),))
    if event.verdict is None:
        verdict = replace(question, kind="verdict")
        return Outcome(close(round, question)).then(ask, verdict)
    return judged(round, question, event.verdict)


def judged(round: RoundState, question: Question, finding: Finding) -> Outcome:
    """The verdict is in; card and colour stand either way."""
    told = Outcome(close(round, question), (rulings.Verdict(finding, question.target),))
    return told.then(guilty if finding == "guilty" else innocent, question)


def guilty(round: RoundState, question: Question) -> Outcome:
    """The player draws instead, the challenger has a normal turn."""
    return charge(round, question.target, question.cards, "challenge_guilty").then(begin_turn, question.seat)


def innocent(round: RoundState, question: Question) -> Outcome:
    """The challenger draws two more and loses its turn."""
    cards = question.cards + INNOCENT_EXTRA
    paid = draw_and_lose_turn(round, question.seat, cards, "challenge_innocent")
    return paid.then(stop_if_out, question.target)
