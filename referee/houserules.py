"""The rules that a table writes itself: the Customizable cards' effects and the exchange on a zero (R5.9, R10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.cards import Card
from referee.events import ChooseRule, Discard, Play
from referee.options import Effect, EffectKind
from referee.order import ask, asked, begin_turn, close, gone_out
from referee.piles import changed, charge, hold, see_hand
from referee.rulings import CannotBePlayed, HouseRule, Rotated, Skipped, Unexplained
from referee.state import HouseQuestion, Outcome, Question, RoundState, replace
from referee.uno import changed_hands, one_card_left


def rotate_hands(round: RoundState) -> Outcome:
    """Every hand moves on one seat in the direction of play (`zero_rotate`)."""
    counts = list(round.counts)
    for seat in round.seats:
        counts[round.next_to(seat) - 1] = round.count(seat)
    return Outcome(hold(round, tuple(counts)), (Rotated(),)).then(changed_hands, round.seats)


def customizable(round: RoundState, event: Play) -> Outcome:
    """Carries out the rule on the card; with several different ones, the number behind the card says which."""
    rules = round.settings.custom
    if event.partner is not None and 1 <= event.partner <= len(rules):
        return carry_out_rule(round, event.seat, rules[event.partner - 1])
    if len(set(rules)) == 1:
        return carry_out_rule(round, event.seat, rules[0])
    return ask(round, Question("house_rule", event.seat, house="which")) if rules else Outcome(round)


def choose_rule(round: RoundState, event: ChooseRule) -> Outcome:
    """The player says which of the agreed rules its card carries."""
    question = asked(round, event.seat, ("which",))
    if question is None or not 1 <= event.number <= len(round.settings.custom):
        return Outcome(round, (Unexplained("rule", event.seat, "no_question"),))
    effect = round.settings.custom[event.number - 1]
    if question.late and effect.kind == "skip_all":  # the turns that it would have skipped have been played
        return Outcome(close(round, question))
    return carry_out_rule(close(round, question), event.seat, effect)


def carry_out_rule(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """The effect of the card that `seat` played."""
    return Outcome(round, (HouseRule(seat, str(effect)),)).then(EFFECTS[effect.kind], seat, effect)


def others(round: RoundState, seat: int) -> tuple[int, ...]:
    """Everybody but `seat`, in the order of play from it."""
    found: list[int] = []
    other = round.next_to(seat)
    while other != seat and other not in found:
        found.append(other)
        other = round.next_to(other)
    return tuple(found)


def others_draw(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """Everyone else draws."""
    outcome = Outcome(round)
    for other in others(round, seat):
        outcome = outcome.then(charge, other, effect.cards, "house_rule")
    return outcome


def next_draw(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """The next seat draws; its turn stays."""
    return charge(round, round.next_to(seat), effect.cards, "house_rule")


def skip_all(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """Everyone else loses one turn, the player goes again."""
    skipped = tuple(Skipped(other, "R10") for other in others(round, seat))
    return Outcome(round, skipped).then(begin_turn, seat)


def discard_wilds(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """Everyone but the player lays off all wilds; which, the table has to say."""
    return _ask_each(round, others(round, seat), "discard_wilds")


def discard_colour(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """Everyone lays off one colour; which cards, the table has to say."""
    return _ask_each(round, (*others(round, seat), seat), "discard_colour")


def _ask_each(round: RoundState, seats: tuple[int, ...], house: HouseQuestion) -> Outcome:
    questions = tuple(Question("house_rule", seat, house=house) for seat in seats)
    return Outcome(replace(round, questions=(*round.questions, *questions)))


def dare(round: RoundState, seat: int, effect: Effect) -> Outcome:
    """The next seat does as it is told, or draws."""
    return ask(round, Question("house_rule", round.next_to(seat), house="dare", cards=effect.cards))


EFFECTS: Final[dict[EffectKind, Callable[[RoundState, int, Effect], Outcome]]] = {
    "others_draw": others_draw,
    "next_draw": next_draw,
    "skip_all": skip_all,
    "discard_wilds": discard_wilds,
    "discard_colour": discard_colour,
    "dare": dare,
}


def discard(round: RoundState, event: Discard) -> Outcome:
    """`seat` lays off what a house rule asks for, under the top card; it may go out with it."""
    seat, cards = event.seat, event.cards
    question = asked(round, seat, _MAY_LAY_OFF)
    if question is None or question.house is None:
        return Outcome(round, (Unexplained("discard", seat, "no_question"),))
    if len(cards) > round.count(seat):
        return Outcome(round, (Unexplained("discard", seat, "too_many"),))
    wrong = _MAY_LAY_OFF[question.house](cards)
    if wrong is not None:
        return Outcome(round, (CannotBePlayed(seat, wrong, "colour_and_symbol", round.top, round.colour, "R10"),))
    laid_off = replace(
        hold(close(round, question), changed(round.counts, seat, -len(cards))),
        discards=round.discards + len(cards),
    )
    return see_hand(laid_off, cards).then(_after_laying_off, seat, len(cards))


def _after_laying_off(round: RoundState, seat: int, cards: int) -> Outcome:
    if round.count(seat) == 0:
        return gone_out(round, seat)
    return one_card_left(round, seat, called=False) if cards and round.count(seat) == 1 else Outcome(round)


def _not_a_wild(cards: tuple[Card | None, ...]) -> Card | None:
    return next((card for card in cards if card is not None and not card.is_wild), None)


def _not_one_colour(cards: tuple[Card | None, ...]) -> Card | None:
    known = [card for card in cards if card is not None]
    return next((card for card in known if card.is_wild or card.colour is not known[0].colour), None)


_MAY_LAY_OFF: Final[dict[HouseQuestion, Callable[[tuple[Card | None, ...]], Card | None]]] = {
    "discard_wilds": _not_a_wild,
    "discard_colour": _not_one_colour,
}
