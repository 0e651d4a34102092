"""A turn that begins, a card that is drawn, a card that is kept (R4.3, R4.4, R4.7), and play that goes on (R9.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.challenges import INNOCENT_EXTRA, judged
from referee.events import Draw, Pass
from referee.order import asked, begin_turn, close, pay, stop
from referee.piles import can_draw, charge, settle, settle_all, take
from referee.rulings import ImpliedDraw, NothingToDraw, Oddity, OpenQuestion, Stalemate, Unexplained, Voided
from referee.state import Outcome, Question, QuestionKind, RoundState, replace
from referee.uno import close_windows

PAYABLE: Final = ("challenge", "stack")
"""Questions that drawing answers."""


def go_on(round: RoundState, seat: int) -> Outcome | None:
    """`seat` begins its turn or is in it: what must have been before is implied; None when it cannot be its turn."""
    outcome = Outcome(round)
    for question in round.questions:
        if not question.late:
            outcome = outcome.then(_OVERRUN[question.kind], question, seat)
    after = outcome.round
    if after.ending is not None or after.question is not None or after.turn is None:
        return None
    if after.turn != seat:
        kept = after.drawn and not must_draw_on(after)  # R4.4
        if not (kept and after.next_to(after.turn) == seat):
            return None
        outcome = outcome.then(begin_turn, seat)
    return outcome.then(settle_all).then(close_windows)


def must_draw_on(round: RoundState) -> bool:
    """Whether the seat in turn may not stop drawing before it can play (R10, `draw_until_playable`)."""
    return round.settings.options.draw_until_playable and can_draw(round)


def may_play(round: RoundState) -> tuple[int, ...]:
    """The seats whose turn it may be when the next card comes, the likeliest first."""
    if round.turn is None:
        return ()
    seats = [round.turn]
    while (following := round.next_to(seats[-1])) != round.turn:
        seats.append(following)
    return tuple(seat for seat in seats if go_on(round, seat) is not None)


def _stay_open(round: RoundState, question: Question, seat: int) -> Outcome:
    """The play is kept, the question is asked again and holds up nobody (R9.3)."""
    late = tuple(replace(other, late=True) if other == question else other for other in round.questions)
    return Outcome(replace(round, questions=late), (OpenQuestion(question.kind, question.seat),))


def _unless_asked(round: RoundState, question: Question, seat: int) -> Outcome:
    """Anybody else's turn means that the seat asked has drawn (R5.5)."""
    return Outcome(round) if seat == question.seat else pay(round, question)


def _tells_verdict(round: RoundState, question: Question, seat: int) -> Outcome:
    """A challenger that plays was right; when the next one plays, it was wrong (R5.6)."""
    return judged(round, question, "guilty" if seat == question.seat else "innocent")


def _house_rule(round: RoundState, question: Question, seat: int) -> Outcome:
    if question.house == "stack":
        return _unless_asked(round, question, seat)
    if question.house == "dare":
        return Outcome(close(round, question))
    return _stay_open(round, question, seat)


_OVERRUN: Final[dict[QuestionKind, Callable[[RoundState, Question, int], Outcome]]] = {
    "colour": _stay_open,
    "swap": _stay_open,
    "house_rule": _house_rule,
    "challenge": _unless_asked,
    "verdict": _tells_verdict,
}


def draw(round: RoundState, event: Draw) -> Outcome:
    """A seat draws: what it owes, what it is asked for, or a card by choice."""
    if event.cards is not None and event.cards < 1:
        return _odd(round, event, "no_cards")
    for answer in (_pays_debt, _accepts, _shows_verdict, _refuses_dare):
        outcome = answer(round, event)
        if outcome is not None:
            return outcome
    return _by_choice(round, event)


def _pays_debt(round: RoundState, event: Draw) -> Outcome | None:
    """A penalty, or a part of it, is carried out; without a number all of it, unless a draw by choice is due."""
    owed = round.owed[event.seat - 1]
    if not owed or (event.cards is None and _may_draw(round, event.seat)):
        return None
    if event.cards is not None and event.cards > owed and _may_owe_more(round, event.seat):
        return None
    return _drawn_of(Outcome(round), event, owed)


def _may_owe_more(round: RoundState, seat: int) -> bool:
    """Whether a question that drawing answers is open for `seat`, on top of what it owes."""
    return any(q.cards > 0 and (q.seat == seat or (q.kind == "verdict" and q.target == seat)) for q in round.questions)


def _accepts(round: RoundState, event: Draw) -> Outcome | None:
    """Who begins to draw does not challenge (R5.6) and does not stack (R10)."""
    question = asked(round, event.seat, PAYABLE)
    if question is None:
        return None
    return _drawn_of(pay(round, question), event, question.cards + round.owed[event.seat - 1])


def _shows_verdict(round: RoundState, event: Draw) -> Outcome | None:
    """Who draws after a challenge has lost it (R5.6)."""
    question = next((other for other in round.questions if other.kind == "verdict"), None)
    if question is None or event.seat not in (question.seat, question.target):
        return None
    owed = round.owed[event.seat - 1]
    if event.seat == question.target:
        return _drawn_of(judged(round, question, "guilty"), event, question.cards + owed)
    return _drawn_of(judged(round, question, "innocent"), event, question.cards + INNOCENT_EXTRA + owed)


def _refuses_dare(round: RoundState, event: Draw) -> Outcome | None:
    """A number of cards drawn on a dare refuses it (R10)."""
    dare = asked(round, event.seat, ("dare",))
    if dare is None or event.cards is None:
        return None
    refused = charge(close(round, dare), event.seat, dare.cards, "house_rule")
    return _drawn_of(refused, event, dare.cards + round.owed[event.seat - 1])


def _drawn_of(charged: Outcome, event: Draw, due: int) -> Outcome:
    """So many of the cards that are `due` were seen to be drawn; there may be fewer left than that (R4.7)."""
    paid = charged.then(settle, event.seat, event.cards)
    return paid if (event.cards or 0) <= due else paid.then(_odd, event, "too_many")


def _odd(round: RoundState, event: Draw | Pass, why: Oddity) -> Outcome:
    what = "draw" if isinstance(event, Draw) else "pass"
    return Outcome(round, (Unexplained(what, event.seat, why),))


def _may_draw(round: RoundState, seat: int) -> bool:
    """Whether it is the turn of `seat`, and it has not drawn yet."""
    ready = go_on(round, seat)
    return ready is not None and (not ready.round.drawn or must_draw_on(ready.round))


def _by_choice(round: RoundState, event: Draw) -> Outcome:
    """One card by choice (R4.3); more only where the table draws until one can be played (R10)."""
    ready = go_on(round, event.seat)
    until_playable = round.settings.options.draw_until_playable
    if ready is None:
        return _odd(round, event, "not_your_turn")
    if ready.round.drawn and not until_playable:
        return _odd(round, event, "one_card_only")
    if (event.cards or 1) > 1 and not until_playable:
        return _odd(round, event, "too_many")
    return ready.then(_take_one_or_pass, event.seat, event.cards or 1)


def _take_one_or_pass(round: RoundState, seat: int, cards: int) -> Outcome:
    taken = take(round, seat, cards)
    if taken.round.count(seat) == round.count(seat):
        return taken.then(_nothing_to_draw, seat)
    return Outcome(replace(taken.round, drawn=True, drawn_card=None, stalled=0), taken.rulings)


def _nothing_to_draw(round: RoundState, seat: int) -> Outcome:
    """Nobody draws, the seat passes; a whole row of it is a stalemate (R4.7)."""
    stalled = replace(round, stalled=round.stalled + 1)
    passed = Outcome(stalled, (NothingToDraw(seat),)).then(begin_turn, round.next_to(seat))
    return passed.then(_stalemate) if stalled.stalled >= len(round.seats) else passed


def _stalemate(round: RoundState) -> Outcome:
    if round.settings.options.stalemate == "score":
        return Outcome(stop(round, "stalemate"), (Stalemate(),))
    return Outcome(stop(round, "void"), (Stalemate(), Voided()))


def keep(round: RoundState, event: Pass) -> Outcome:
    """A seat keeps the drawn card (R4.4); without a draw before it, the draw is implied."""
    seat = event.seat
    for answer in (_accepts_by_passing, _concedes, _does_as_dared):
        outcome = answer(round, seat)
        if outcome is not None:
            return outcome
    ready = go_on(round, seat)
    if ready is None:
        return _odd(round, event, "not_your_turn")
    if must_draw_on(ready.round):
        return _odd(round, event, "draw_on")
    if not ready.round.drawn:
        return ready.then(_implied_draw_and_keep, seat)
    return ready.then(begin_turn, ready.round.next_to(seat))


def _accepts_by_passing(round: RoundState, seat: int) -> Outcome | None:
    question = asked(round, seat, PAYABLE)
    return pay(round, question) if question else None


def _concedes(round: RoundState, seat: int) -> Outcome | None:
    """A challenger that passes has lost its turn, and the challenge."""
    question = asked(round, seat, ("verdict",))
    return judged(round, question, "innocent") if question else None


def _does_as_dared(round: RoundState, seat: int) -> Outcome | None:
    question = asked(round, seat, ("dare",))
    return Outcome(close(round, question)) if question else None


def _implied_draw_and_keep(round: RoundState, seat: int) -> Outcome:
    taken = _take_one_or_pass(round, seat, 1)
    if not taken.round.drawn:
        return taken
    implied = Outcome(taken.round, (*taken.rulings, ImpliedDraw(seat, 1, "R4.3")))
    return implied.then(begin_turn, round.next_to(seat))
