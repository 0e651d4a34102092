"""What a card does when it lies on the discard pile (R5, R8), the house rules that change it among them (R10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.cards import Rank
from referee.events import NameColour, Play, Swap
from referee.houserules import customizable, rotate_hands
from referee.order import ask, asked, begin_turn, close, draw_and_lose_turn, lose_turn
from referee.piles import hold
from referee.rulings import ColourNamed, Direction, Swapped, Unexplained
from referee.state import Outcome, Question, RoundState, replace
from referee.uno import changed_hands


def carry_out(round: RoundState, event: Play) -> Outcome:
    """What the card just laid by `seat` does; a card nobody saw does nothing."""
    rank, options = event.card.rank if event.card else None, round.settings.options
    if rank is Rank.SEVEN and options.seven_swap:
        return swap_hands(round, event)
    if rank is Rank.ZERO and options.zero_rotate:
        return rotate_hands(round).then(next_turn, event)
    return next_turn(round, event) if rank is None else EFFECTS[rank](round, event)


def next_turn(round: RoundState, event: Play) -> Outcome:
    """The next seat is to play."""
    return begin_turn(round, round.next_to(event.seat))


def skip(round: RoundState, event: Play) -> Outcome:
    """The next seat loses its turn (R5.1, R8.2)."""
    return lose_turn(round, round.next_to(event.seat), "R5.1")


def reverse(round: RoundState, event: Play) -> Outcome:
    """Direction turns round (R5.2); with two seats it works like Skip (R8.1)."""
    if round.is_two_handed:
        return lose_turn(round, round.next_to(event.seat), "R8.1")
    return turn_round(round).then(next_turn, event)


def turn_round(round: RoundState) -> Outcome:
    """The direction turns round."""
    turned = replace(round, direction=-1 if round.direction == 1 else 1)
    return Outcome(turned, (Direction(turned.direction),))


def draw_two(round: RoundState, event: Play) -> Outcome:
    """The next seat draws two and loses its turn (R5.3), or passes them on where the table stacks (R10)."""
    victim, cards = round.next_to(event.seat), 2 + round.stacked
    plain = replace(round, stacked=0)
    if not round.settings.options.stacking:
        return draw_and_lose_turn(plain, victim, cards, "draw_two")
    question = Question("house_rule", victim, house="stack", target=event.seat, cards=cards)
    return ask(plain, question).then(begin_turn, victim)


def wild(round: RoundState, event: Play) -> Outcome:
    """The player names any colour (R5.4)."""
    return name_or_ask(round, event).then(next_turn, event)


def wild_draw_four(round: RoundState, event: Play) -> Outcome:
    """As Wild, and the next seat challenges or draws four and loses its turn (R5.5)."""
    victim = round.next_to(event.seat)
    question = Question("challenge", victim, target=event.seat, cards=4 + round.stacked)
    return name_or_ask(replace(round, stacked=0), event).then(ask, question).then(begin_turn, victim)


def wild_swap_hands(round: RoundState, event: Play) -> Outcome:
    """As Wild, and the player swaps hands (R5.8)."""
    return name_or_ask(round, event).then(swap_hands, event)


def wild_customizable(round: RoundState, event: Play) -> Outcome:
    """As Wild, and the agreed house rule is carried out (R5.9)."""
    return name_or_ask(round, event).then(next_turn, event).then(customizable, event)


def swap_hands(round: RoundState, event: Play) -> Outcome:
    """The player swaps with its partner, or is asked with whom; the turn then ends (R5.8, R10 `seven_swap`)."""
    return swap_or_ask(round, event.seat, event.partner).then(next_turn, event)


def name_or_ask(round: RoundState, event: Play) -> Outcome:
    """The colour named with the card is active, or the player is asked for it (R5.4)."""
    if event.colour is None:
        return ask(round, Question("colour", event.seat))
    return Outcome(replace(round, colour=event.colour), (ColourNamed(event.colour),))


def swap_or_ask(round: RoundState, seat: int, partner: int | None) -> Outcome:
    """`seat` and `partner` swap hands; `seat` is asked when it named nobody that it could swap with."""
    if partner == seat or partner not in round.seats:
        return ask(round, Question("swap", seat, counts=round.counts))
    return exchange(round, seat, partner, round.counts)


def exchange(round: RoundState, seat: int, partner: int, then: tuple[int, ...]) -> Outcome:
    """The hands that `seat` and `partner` held at counts `then` change places, with what came or went since."""
    mine, theirs = then[seat - 1], then[partner - 1]
    counts = list(round.counts)
    counts[seat - 1] += theirs - mine
    counts[partner - 1] += mine - theirs
    if min(counts[seat - 1], counts[partner - 1]) < 1:
        counts[seat - 1], counts[partner - 1] = round.count(partner), round.count(seat)
    swapped = Outcome(hold(round, tuple(counts)), (Swapped(seat, partner),))
    return swapped.then(changed_hands, (seat, partner))


def name_colour(round: RoundState, event: NameColour) -> Outcome:
    """The answer to an open colour (R5.4)."""
    question = asked(round, event.seat, ("colour",))
    if question is None:
        return Outcome(round, (Unexplained("colour", event.seat, "no_question"),))
    return Outcome(replace(close(round, question), colour=event.colour), (ColourNamed(event.colour),))


def swap(round: RoundState, event: Swap) -> Outcome:
    """The answer to an open swap (R5.8); any other trade is not allowed (R4.6)."""
    question = asked(round, event.seat, ("swap",))
    if question is None:
        return Outcome(round, (Unexplained("swap", event.seat, "trading", rule="R4.6"),))
    if event.partner == event.seat:
        return Outcome(round, (Unexplained("swap", event.seat, "own_seat", rule="R5.8"),))
    if event.partner not in round.seats:
        return Outcome(round, (Unexplained("swap", event.partner, "not_playing", rule="R5.8"),))
    return exchange(close(round, question), event.seat, event.partner, question.counts)


EFFECTS: Final[dict[Rank, Callable[[RoundState, Play], Outcome]]] = {
    **{rank: next_turn for rank in Rank if rank.is_number},
    Rank.SKIP: skip,
    Rank.REVERSE: reverse,
    Rank.DRAW_TWO: draw_two,
    Rank.WILD: wild,
    Rank.WILD_DRAW_FOUR: wild_draw_four,
    Rank.SWAP_HANDS: wild_swap_hands,
    Rank.CUSTOMIZABLE: wild_customizable,
}
