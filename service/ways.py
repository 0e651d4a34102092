"""One way in which the game may have gone, and how likely it is: what the eyes saw, the rules, and whose arm came.

A `Way` is a telling of the last things that came in. `options` are the tellings of the next one: other faces that the
card may have had, a card that nobody can name, another seat, a turn that nobody saw. Each costs what it is rarer than
the usual; legality is one cost among others and forbids nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from referee import rulings as ru
from referee.cards import FACES, Card, Rank
from referee.events import Deal, Draw, Event, NameColour, Play, Reshuffle, Start, Undo
from referee.expectations import seats_to_play
from referee.judge import expected_events, judge
from referee.state import MatchState
from service import evidence
from service.arms import Known
from service.places import Pile
from vision.changes import CardLaid, CardsDrawn, CardTaken, TableChange


@dataclass(frozen=True, slots=True)
class Odds:
    """How often the unusual happens, shares 0 to 1; each is the price of a telling that needs it.

    blunder: the eyes are sure of a card and it is quite another one. Higher: play that follows says more than the eyes.
    illegal: a card that may not be played is laid (see `evidence.Trust`, as `absent`).
    absent: a face comes of which the deck has no copy left.
    stayed: a card that could not be played is left lying, and play goes on over it.
    nameless: it was a card that cannot be named, where one was read.
    unseen: a card was drawn that nobody saw; `missed`: one was laid.
    phantom: nothing was laid where a card was seen to be that a hand brought; where no hand was seen, or it looks like
        the top: `handless`; where the eyes doubt themselves whether it was the top again: `again`.
    undrawn: a penalty is not seen to be drawn.
    idle: a hand at the draw pile draws nothing, however it looks; or takes something.
    taken: a card that may be played is taken back.
    unexplained: somebody tells of what cannot be.
    """

    blunder: float = 0.05
    illegal: float = evidence.STANDARD.illegal
    absent: float = evidence.STANDARD.absent
    stayed: float = 0.1
    nameless: float = 0.004
    unseen: float = 0.004
    missed: float = 0.001
    phantom: float = 1e-4
    handless: float = 0.02
    again: float = 0.5
    undrawn: float = 0.03
    idle: float = 0.05
    taken: float = 0.1
    unexplained: float = 0.03


STANDARD: Final = Odds()
NEVER: Final = 1e-12
NAMED: Final = 0.01
"""Share from which a face that the eyes name is thought of."""
SIGNS: Final = (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO)
"""Ranks that turn the order of play: thought of whatever the eyes say, since the hand that comes next tells them."""
WILDS: Final = (Card(None, Rank.WILD), Card(None, Rank.WILD_DRAW_FOUR))
"""Thought of whatever the eyes say, since somebody names a colour after them."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that came in, and what the record makes of it: `told`, on those `lines`.

    sure: a person has said which card it was.
    """

    came: TableChange | Event
    told: tuple[Event, ...] = ()
    lines: tuple[int, ...] = ()
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A telling: where it leads, how likely it is (a logarithm), and `told`, its events for each thing that came in.

    stack: each event that counts with the state before it. refused: the card on top is one that could not be played.
    odd: for each thing that came in, whether it could not be explained.
    """

    state: MatchState
    known: Known
    weight: float = 0.0
    told: tuple[tuple[Event, ...], ...] = ()
    stack: tuple[tuple[Event, MatchState], ...] = ()
    refused: bool = False
    odd: tuple[bool, ...] = ()


def onwards(way: Way, item: Item, told: tuple[Event, ...], price: float = 0.0, odds: Odds = STANDARD) -> Way | None:
    """The way after `told`; None when it takes back what was told before it began."""
    state, known, stack, weight = way.state, way.known, way.stack, way.weight + price
    refused, odd = way.refused, price <= math.log(odds.stayed)
    for event in told:
        if isinstance(event, Undo):
            if not stack:
                return None
            state, stack, refused = stack[-1][1], stack[:-1], False
            continue
        if isinstance(event, (Play, Start)):
            weight += math.log(odds.stayed) if refused and state.phase == "playing" else 0.0
            refused = False
        after, rulings = judge(state, event)
        weight += sum(_price(ruling, odds) for ruling in rulings)
        strange = any(isinstance(one, (ru.CannotBePlayed, ru.Unexplained, ru.StartAgain)) for one in rulings)
        refused, odd = refused or (strange and isinstance(event, (Play, Start))), odd or strange
        stack, state = (*stack, (event, state)), after
    seat = _actor(told, state)
    if isinstance(item.came, (CardLaid, CardsDrawn)) and seat is not None:
        pile: Pile = "discard" if isinstance(item.came, CardLaid) else "draw"
        weight += known.fits(seat, pile, item.came.hand)
        known = known.learnt(seat, pile, item.came.hand)
    elif isinstance(item.came, CardsDrawn) and not told:  # somebody's hand it was all the same
        hands = (known.fits(other, "draw", item.came.hand) for other in possible_draws(state))
        weight += max(hands, default=0.0)
    if isinstance(item.came, CardTaken):
        odd_before = _explained(way.odd) if way.refused and not told else way.odd
        return Way(state, known, weight, (*way.told, told), stack, False, (*odd_before, odd))
    return Way(state, known, weight, (*way.told, told), stack, refused, (*way.odd, odd))


def _explained(odd: tuple[bool, ...]) -> tuple[bool, ...]:
    """The last thing that was odd is not any more: a card that could not be played went back."""
    last = max((place for place, strange in enumerate(odd) if strange), default=None)
    return odd if last is None else (*odd[:last], False, *odd[last + 1 :])


def as_told(way: Way, item: Item, odds: Odds = STANDARD) -> Way | None:
    """The way on which what came in is told as the record tells it."""
    return onwards(way, item, item.told, _seen(item, item.told, way, odds), odds)


def options(way: Way, item: Item, odds: Odds = STANDARD) -> Iterator[Way]:
    """All ways to tell what came in."""
    for told in dict.fromkeys(_tellings(way, item)):
        after = onwards(way, item, told, _seen(item, told, way, odds), odds)
        if after is not None:
            yield after


def faces_of(change: CardLaid) -> dict[Card, float]:
    """What the eyes say that a card is."""
    if change.card is None:
        return {}
    return dict(change.faces or ((change.card, max(change.confidence, 0.5)),))


def _actor(told: tuple[Event, ...], state: MatchState) -> int | None:
    """Whose hand it was: who did the last of these things; who deals turns the first card."""
    for event in reversed(told):
        if isinstance(event, (Play, Draw)):
            return event.seat
        if isinstance(event, Start):
            return state.round.dealer if state.round else None
    return None


def _price(ruling: ru.Ruling, odds: Odds) -> float:
    match ruling:
        case ru.CannotBePlayed():
            return math.log(odds.illegal)
        case ru.Census():
            return math.log(odds.absent)
        case ru.ImpliedDraw():
            return math.log(odds.undrawn)
        case ru.Unexplained() | ru.FalseCatch():
            return math.log(odds.unexplained)
    return 0.0


def _seen(item: Item, told: tuple[Event, ...], way: Way, odds: Odds) -> float:
    """How well what the camera saw goes with `told`, apart from the arm and the rules."""
    match item.came:
        case CardLaid():
            return _laid(item.came, told, way.state.top, replace(odds, blunder=NEVER) if item.sure else odds)
        case CardsDrawn():
            took = min(max(item.came.confidence, odds.idle), 1 - odds.idle)
            return math.log(took) + _turns_unseen(told, odds) if told else math.log(1 - took)
        case CardTaken():
            return 0.0 if way.refused and not told else math.log(odds.taken if told else odds.idle)
        case Event() if any(isinstance(event, Play) for event in told[:-1]):
            return math.log(odds.missed)
        case Event():
            return 0.0 if told == (item.came,) else math.log(odds.taken)
    return 0.0


def _laid(change: CardLaid, told: tuple[Event, ...], top: Card | None, odds: Odds) -> float:
    laid = [event for event in told if isinstance(event, (Play, Start))]
    if not laid:
        rare = odds.handless if change.hand is None or change.card == top else odds.phantom
        return math.log(odds.again if change.again else rare)
    price, card, shares = _turns_unseen(told, odds), laid[-1].card, faces_of(change)
    if not shares:
        return price - (0.0 if card is None else math.log(len(FACES)))
    if card is None:
        return price + math.log(odds.nameless)
    rest = max(0.0, 1 - sum(shares.values())) / (len(FACES) - len(shares))  # of the faces that the eyes do not list
    return price + math.log((1 - odds.blunder) * shares.get(card, rest) + odds.blunder / len(FACES))


def _turns_unseen(told: tuple[Event, ...], odds: Odds) -> float:
    """What turns cost that nobody saw: all but the last thing that was done."""
    done = [event for event in told if isinstance(event, (Draw, Play))]
    return sum(math.log(odds.unseen if isinstance(event, Draw) else odds.missed) for event in done[:-1])


def _tellings(way: Way, item: Item) -> Iterator[tuple[Event, ...]]:
    """What may have happened when it came in."""
    yield item.told
    match item.came:
        case CardLaid() as change:
            yield from _of_a_card(way, change)
        case CardsDrawn() as change:
            yield from _of_a_draw(way, change)
        case CardTaken():
            yield ()
            yield from _taken(way)
        case NameColour(seat=seat) as word:
            yield (word,)
            asked = way.state.pending
            if asked is not None and asked.kind == "colour" and asked.seat != seat:
                yield (replace(word, seat=asked.seat),)
            elif asked is None and seat in seats_to_play(way.state):
                yield from ((Play(seat, wild, seconds=word.seconds), word) for wild in WILDS)
        case Reshuffle() | Event() as word:
            yield (word,)


def _taken(way: Way) -> Iterator[tuple[Event, ...]]:
    for back, (event, _) in enumerate(reversed(way.stack), start=1):
        if isinstance(event, (Play, Start)):
            yield (Undo(),) * back
            return


def _of_a_card(way: Way, change: CardLaid) -> Iterator[tuple[Event, ...]]:
    state, cards = way.state, _cards(change)
    if state.phase == "between" or (state.round is not None and not state.round.is_turned):
        deal = (Deal(state.dealer, seconds=change.since),) if state.phase == "between" and state.dealer else ()
        if deal or state.phase != "between":
            yield from ((*deal, Start(card, seconds=change.seconds, confidence=change.confidence)) for card in cards)
        return
    yield ()
    seats = seats_to_play(state)
    for seat in seats:
        yield from ((_play(seat, card, change),) for card in cards)
    for seat in seats:
        if state.counts[seat - 1] == 1:  # with a card drawn before it, it is not the last one
            yield from ((Draw(seat, seconds=change.since), _play(seat, card, change)) for card in cards[:2])
    for seat, following in _passed_over(way, seats, "discard", change.hand):
        for unseen in _unseen(seat, change):
            yield from ((unseen, _play(following, card, change)) for card in cards[:2])


def _passed_over(way: Way, seats: tuple[int, ...], pile: Pile, direction: float | None) -> Iterator[tuple[int, int]]:
    """Seats that may have had a turn that nobody saw, each with the next one, whose hand it rather was."""
    if way.state.round is None:
        return
    for seat in seats:
        following = way.state.round.next_to(seat)
        if following not in seats and way.known.is_rather(following, seats, pile, direction):
            yield seat, following


def _play(seat: int, card: Card | None, change: CardLaid) -> Play:
    return Play(seat, card, seconds=change.seconds, confidence=change.confidence)


def _unseen(seat: int, change: CardLaid | CardsDrawn) -> tuple[Event, ...]:
    """Turns of a seat that nobody saw."""
    return Draw(seat, seconds=change.since), Play(seat, None, seconds=change.since)


def _cards(change: CardLaid) -> list[Card | None]:
    """Cards that it may have been, the likeliest first; None for one that cannot be named."""
    shares = faces_of(change)
    named = [card for card in sorted(shares, key=lambda card: -shares[card]) if shares[card] >= NAMED]
    colour = change.card.colour if change.card else None
    signs = [Card(colour, rank) for rank in SIGNS] if colour else []
    return [*dict.fromkeys([*named, *signs, *WILDS]), None]


def _of_a_draw(way: Way, change: CardsDrawn) -> Iterator[tuple[Event, ...]]:
    yield ()
    state, seconds, sure = way.state, change.seconds, change.confidence
    draws = possible_draws(state)
    for draw in draws.values():
        cards = None if draw.cards is None else min(change.count, draw.cards)
        yield (Draw(draw.seat, cards, seconds=seconds, confidence=sure),)
    for seat, following in _passed_over(way, tuple(draws), "draw", change.hand):
        for unseen in _unseen(seat, change):
            yield unseen, Draw(following, seconds=seconds, confidence=sure)


def possible_draws(state: MatchState) -> dict[int, Draw]:
    """Who may be drawing, the likeliest first: who owes cards, who is asked, whose turn it is or comes next."""
    if state.round is None or state.phase != "playing":
        return {}
    expected = [event for event in expected_events(state) if isinstance(event, Draw)]
    owing = [Draw(seat, owed) for seat, owed in enumerate(state.round.owed, start=1) if owed]
    asked = [event for event in expected if event.cards is not None]
    by_choice = [event for event in expected if event.cards is None]
    draws: dict[int, Draw] = {}
    for draw in (*owing, *asked, *by_choice):
        draws.setdefault(draw.seat, draw)
    return draws


def unseen_turns(state: MatchState, seat: int, pile: Card | None) -> tuple[Event, ...]:
    """Turns that bring the game to `seat` where nobody saw them, the last of them the card that lies on the pile."""
    passed: list[int] = []
    round, turn = state.round, state.turn
    while round is not None and turn is not None and turn != seat and len(passed) < len(round.seats):
        passed.append(turn)
        turn = round.next_to(turn)
    if not passed or turn != seat:
        return ()
    between = tuple(Draw(other) for other in passed[1:-1])
    return (Play(passed[0], None), *between, *((Play(passed[-1], pile),) if len(passed) > 1 else ()))
