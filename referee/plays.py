"""Laying a card: whether it may be played (R4.1, R9.1), and what happens when it lies (R4, R6.1, R7.1)."""

from __future__ import annotations

from typing import Final

from referee.cards import Card, Colour, Rank
from referee.effects import carry_out
from referee.events import Play
from referee.order import ask, begin_turn, close, gone_out
from referee.piles import changed, charge, hold, see, settle_all
from referee.rulings import CannotBePlayed, OpenQuestion, Unexplained, Unplayable
from referee.state import Outcome, Question, RoundState, replace
from referee.turns import go_on
from referee.uno import close_windows, one_card_left

MISPLAY_COST: Final = {"none": 0, "draw1": 1, "draw2": 2}  # R9.1
STACKING: Final = (Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR)


def play(round: RoundState, event: Play) -> Outcome:
    """`seat` lays a card: it goes back, or it lies and does what it does."""
    ready = ready_to_play(round, event)
    if ready is None:
        return _out_of_turn(round, event)
    why = unplayable(ready.round, event)
    if why is None:
        return ready.then(_lies, event)
    begun = go_on(round, event.seat) or Outcome(round)  # what is passed on or jumped in and goes back, never was
    return begun.then(_goes_back, event, why)


def ready_to_play(round: RoundState, event: Play) -> Outcome | None:
    """The round when `seat` lays this card, everything before implied; None when it is not its turn."""
    return go_on(round, event.seat) or _pass_on(round, event) or _jump_in(round, event)


def matches(card: Card, top: Card | None, colour: Colour | None) -> bool:
    """Whether `card` may lie on `top` while `colour` is active (R4.1, R4.5); what nobody saw forbids nothing."""
    if top is None or colour is None or card.is_wild:
        return True
    return card.colour is colour or card.rank is top.rank


def unplayable(round: RoundState, event: Play) -> Unplayable | None:
    """Why the card must go back, if it must; a card that nobody saw is believed."""
    card = event.card
    if card is None:
        return None
    if round.drawn and round.drawn_card not in (None, card):
        return "not_the_drawn_card"  # R4.4
    if not matches(card, round.top, round.colour):
        return "colour_and_symbol"  # R4.1
    if round.settings.options.no_action_finish and round.count(event.seat) == 1 and not card.rank.is_number:
        return "no_action_finish"  # R10
    return None


def _pass_on(round: RoundState, event: Play) -> Outcome | None:
    """A penalty is passed on with a card of its kind (R10, `stack`)."""
    question, options = round.question, round.settings.options
    if question is None or question.seat != event.seat or question.kind not in ("challenge", "house_rule"):
        return None
    if not options.stacking or question.cards == 0:
        return None
    if round.count(question.target) == 0:  # a last card ends the round (R7.1)
        return None
    if event.card is None or round.top is None or event.card.rank not in STACKING:
        return None
    if event.card.rank is not round.top.rank and not options.stack_mixed:
        return None
    passed = replace(close(round, question), stacked=question.cards)
    return settle_all(passed).then(close_windows)


def _jump_in(round: RoundState, event: Play) -> Outcome | None:
    """An identical card may be laid out of turn; play goes on from there (R10)."""
    identical = event.card is not None and event.card == round.top and not event.card.is_wild
    if not (round.settings.options.jump_in and identical and round.question is None and round.turn is not None):
        return None
    jumped = settle_all(round).then(close_windows)
    return jumped.then(begin_turn, event.seat)


def _out_of_turn(round: RoundState, event: Play) -> Outcome:
    asked = round.question
    back = CannotBePlayed(event.seat, event.card, "not_your_turn", round.top, round.colour)
    if asked is not None and asked.seat == event.seat:
        return Outcome(round, (back, OpenQuestion(asked.kind, asked.seat)))
    return Outcome(round, (back,))


def _goes_back(round: RoundState, event: Play, why: Unplayable) -> Outcome:
    """The same seat is still to play (R9.1); the first card laid after a draw is taken for the drawn one (R4.4)."""
    shown = event.card if round.drawn and round.drawn_card is None else round.drawn_card
    back = CannotBePlayed(event.seat, event.card, why, round.top, round.colour)
    outcome = Outcome(replace(round, drawn_card=shown), (back,))
    cost = MISPLAY_COST[round.settings.options.misplay]
    return outcome.then(charge, event.seat, cost, "misplay") if cost else outcome


def _lies(round: RoundState, event: Play) -> Outcome:
    seat, called = event.seat, event.uno or round.early_call == event.seat
    laid = _on_the_pile(round, event).then(see, event.card)
    left = laid.round.count(seat)
    if left == 0:
        return laid.then(_last_card, event)
    if left == 1:
        laid = laid.then(one_card_left, seat, called)
    elif event.uno:
        laid = Outcome(laid.round, (*laid.rulings, Unexplained("uno", seat, "not_one_card")))
    return laid.then(carry_out, event)


def _on_the_pile(round: RoundState, event: Play) -> Outcome:
    card = event.card
    laid = replace(
        hold(round, changed(round.counts, event.seat, -1)),
        top=card,
        colour=event.colour if card is None or card.is_wild else card.colour,
        player=event.seat,
        discards=round.discards + 1,
        stalled=0,
        reshuffle_unseen=False,
        questions=tuple(asked for asked in round.questions if asked.kind != "colour"),
    )
    return Outcome(laid)


def _last_card(round: RoundState, event: Play) -> Outcome:
    """The round ends; what the last card makes the next seat draw counts (R7.1), nothing else it does (R5.8)."""
    seat, rank = event.seat, event.card.rank if event.card else None
    victim = round.next_to(seat)
    if rank is Rank.WILD_DRAW_FOUR and round.settings.options.last_card_challenge:
        question = Question("challenge", victim, target=seat, cards=4 + round.stacked)
        return Outcome(replace(round, stacked=0, questions=())).then(ask, question).then(begin_turn, victim)
    if rank is Rank.DRAW_TWO:
        return charge(round, victim, 2 + round.stacked, "draw_two", "R7.1").then(gone_out, seat)
    if rank is Rank.WILD_DRAW_FOUR:
        return charge(round, victim, 4 + round.stacked, "wild_draw_four", "R7.1").then(gone_out, seat)
    return gone_out(round, seat)
