"""How a match, a round and the first turn begin (R3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.cards import Card, Rank
from referee.effects import name_or_ask, swap_or_ask, turn_round
from referee.events import Deal, Hand, Play, Start
from referee.options import HAND_SIZE, MatchSettings
from referee.order import begin_turn, draw_and_lose_turn, lose_turn
from referee.piles import NOTHING_SEEN, see
from referee.rulings import DealerDrawn, DealerTied, OpenQuestion, StartAgain, Unexplained
from referee.state import MatchOutcome, MatchState, Outcome, RoundState, replace


def new_match(settings: MatchSettings) -> MatchState:
    """The match before its first event: before the first deal, or in the position that the settings describe."""
    match = MatchState(settings, scores=settings.start_scores, out=settings.out, dealer=settings.dealer)
    if settings.is_position:
        round = position(settings, match.seats)
        return replace(match, number=1, round=round, dealer=round.left_of(round.dealer) if round.dealer else None)
    return ask_for_dealer(match)


def ask_for_dealer(match: MatchState) -> MatchState:
    """Whoever draws the highest number deals, when nobody is known to (R3.2)."""
    return replace(match, drawing_for_deal=() if match.dealer else match.seats, drawn_for_deal=())


def position(settings: MatchSettings, seats: tuple[int, ...]) -> RoundState:
    """The round in the middle of which the settings start."""
    counts = settings.start_counts
    on_piles = settings.cards - sum(counts)
    draw_pile = on_piles - 1 if settings.draw_pile is None else settings.draw_pile
    round = replace(
        empty_round(settings, seats, settings.dealer),
        counts=counts,
        draw_pile=draw_pile,
        discards=on_piles - draw_pile,
        top=settings.top,
        colour=settings.colour or (settings.top.colour if settings.top else None),
        direction=settings.direction,
    )
    first = round.next_to(settings.dealer) if settings.dealer else seats[0]
    return see(replace(round, turn=settings.turn or first), settings.top).round


def empty_round(settings: MatchSettings, seats: tuple[int, ...], dealer: int | None) -> RoundState:
    """A round as it is dealt: seven cards each, no card turned (R3.3)."""
    counts = tuple(HAND_SIZE if seat in seats else 0 for seat in settings.seats)
    return RoundState(
        settings=settings,
        seats=seats,
        dealer=dealer,
        counts=counts,
        draw_pile=settings.cards - sum(counts),
        discards=0,
        seen=NOTHING_SEEN,
        owed=(0,) * len(counts),
    )


def deal(match: MatchState, event: Deal) -> MatchOutcome:
    """A round begins; the deal moves one seat clockwise each round."""
    if event.seat not in match.seats:
        return MatchOutcome(match, (Unexplained("deal", event.seat, "not_playing"),))
    if match.uncounted:
        return MatchOutcome(match, (OpenQuestion("hand", match.uncounted[0], rule="R7.5"),))
    dealt_already = match.phase == "playing" and match.round is not None
    if dealt_already and match.round is not None and match.round.is_turned:
        return MatchOutcome(match, (Unexplained("deal", event.seat, "round_in_play"),))
    return MatchOutcome(dealt(match, event.seat, again=dealt_already))


def dealt(match: MatchState, dealer: int, again: bool = False) -> MatchState:
    """The match with a new round dealt by `dealer`."""
    round = empty_round(match.settings, match.seats, dealer)
    return replace(
        match,
        round=round,
        number=match.number + (0 if again else 1),
        dealer=round.left_of(dealer),
    )


def draw_for_deal(match: MatchState, event: Hand) -> MatchOutcome:
    """`seat` shows the card that it drew for the deal; the highest number deals, a tie is drawn again (R3.2)."""
    if event.seat not in match.drawing_for_deal or len(event.cards) != 1:
        return MatchOutcome(match, (Unexplained("hand", event.seat, "no_question", rule="R3.2"),))
    drawn = (*match.drawn_for_deal, (event.seat, event.cards[0]))
    waiting = tuple(seat for seat in match.drawing_for_deal if seat != event.seat)
    if waiting:
        return MatchOutcome(replace(match, drawn_for_deal=drawn, drawing_for_deal=waiting))
    highest = max(_deal_value(card) for _, card in drawn)
    tied = tuple(sorted(seat for seat, card in drawn if _deal_value(card) == highest))
    if len(tied) > 1:
        return MatchOutcome(replace(match, drawn_for_deal=(), drawing_for_deal=tied), (DealerTied(),))
    named = replace(match, dealer=tied[0], drawn_for_deal=(), drawing_for_deal=())
    return MatchOutcome(named, (DealerDrawn(tied[0]),))


def _deal_value(card: Card | None) -> int:
    """Action cards and wilds do not count."""
    return card.points if card is not None and card.rank.is_number else -1


def start(match: MatchState, event: Start) -> MatchOutcome:
    """A card is turned to start the discard pile; the deal before it may be left out."""
    if match.phase == "between" and match.dealer is not None:
        match = dealt(match, match.dealer)
    if match.phase != "playing" or match.round is None:
        return MatchOutcome(match, (Unexplained("start", None, "no_round"),))
    if match.round.is_turned:
        return MatchOutcome(match, (Unexplained("start", None, "round_in_play"),))
    outcome = turn_card(match.round, event)
    return MatchOutcome(replace(match, round=outcome.round), outcome.rulings)


def turn_card(round: RoundState, event: Start) -> Outcome:
    """The turned card lies and does what R3.4 says, or is put back."""
    card, first = event.card, round.left_of(round.dealer or 1)
    if card is not None and put_back(round, card):
        return Outcome(round, (StartAgain(card),))
    turned = replace(
        round,
        top=card,
        colour=event.colour if card is None else card.colour,
        draw_pile=round.draw_pile - 1,
        discards=1,
        turn=first,
    )
    lying = see(turned, card)
    effect = None if card is None else TURNED.get(card.rank)
    return lying.then(effect, Play(first, card, event.colour, event.partner)) if effect else lying


def put_back(round: RoundState, card: Card) -> bool:
    """Whether another card is turned instead (R3.4)."""
    redraws = round.settings.options.first_wild == "redraw"
    return card.rank is Rank.WILD_DRAW_FOUR or (redraws and card.rank is Rank.WILD)


def turned_skip(round: RoundState, first: Play) -> Outcome:
    """The first seat loses its turn (R3.4)."""
    return lose_turn(round, first.seat, "R3.4")


def turned_reverse(round: RoundState, first: Play) -> Outcome:
    """The dealer plays first, then the seat right of it (R3.4); with two seats it is a Skip (R3.5)."""
    if round.is_two_handed:
        return lose_turn(round, first.seat, "R3.5")
    return turn_round(round).then(lambda turned: begin_turn(turned, turned.next_to(first.seat)))


def turned_draw_two(round: RoundState, first: Play) -> Outcome:
    """The first seat draws two and is skipped (R3.4)."""
    return draw_and_lose_turn(round, first.seat, 2, "draw_two", "R3.4")


def turned_swap_hands(round: RoundState, first: Play) -> Outcome:
    """The first seat names the colour and swaps hands, then plays (R3.4)."""
    return name_or_ask(round, first).then(swap_or_ask, first.seat, first.partner)


TURNED: Final[dict[Rank, Callable[[RoundState, Play], Outcome]]] = {
    Rank.SKIP: turned_skip,
    Rank.REVERSE: turned_reverse,
    Rank.DRAW_TWO: turned_draw_two,
    Rank.WILD: name_or_ask,
    Rank.SWAP_HANDS: turned_swap_hands,
    Rank.CUSTOMIZABLE: name_or_ask,  # the house rule is not carried out
}
