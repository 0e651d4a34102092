"""Deals and plays a legal round at random: real hands from a shuffled deck, simple players, judged as it goes.

The referee is asked what may be laid and who is next; the hands, which it never knows, are kept here. What comes out is
the list of events that a perfect onlooker would write down, the counting at the end included.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from referee.cards import FACES, Card, Colour, Rank, deck_census
from referee.events import Catch, Challenge, Deal, Draw, Event, Hand, NameColour, Pass, Play, Reshuffle, Start, Uno
from referee.judge import judge, legal_plays, new_match
from referee.options import MatchSettings
from referee.state import MatchState

TRIES: Final = 400
"""How many rounds are dealt before giving up on one of the wanted length."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players play; shares 0 to 1.

    draws: draw although they could play. keeps: keep a drawn card that could be played. forgets: do not call uno.
    catches: somebody notices. challenges: a Wild Draw Four is challenged. bluffs: one is laid against R5.5.
    reshuffles: whether a round in which the draw pile runs out goes on with the discard pile (R4.7), or is not used.
    """

    draws: float = 0.06
    keeps: float = 0.2
    forgets: float = 0.15
    catches: float = 0.6
    challenges: float = 0.1
    bluffs: float = 0.05
    reshuffles: bool = False


ORDINARY: Final = Habits()


class OutOfCardsError(Exception):
    """The draw pile ran out; such a round is not used."""


@dataclass(slots=True)
class _Round:
    """One round as it is played: what the referee knows (`state`) and what it does not (`hands`, `deck`)."""

    rng: np.random.Generator
    state: MatchState
    habits: Habits
    deck: list[Card]
    hands: dict[int, list[Card]]
    events: list[Event] = field(default_factory=list)
    colour_before: Colour | None = None
    laid: list[Card] = field(default_factory=list)
    """The discard pile, its top last."""

    def add(self, event: Event) -> None:
        """Something happens, and the referee judges it."""
        self.events.append(event)
        self.state = judge(self.state, event).match
        self._pay()

    def _pay(self) -> None:
        """Whoever owes cards draws them at once."""
        round = self.state.round
        for seat, owed in enumerate(round.owed if round else (), start=1):
            if owed:
                self.take(seat, owed)
                self.add(Draw(seat, owed))
                return

    def take(self, seat: int, count: int) -> list[Card]:
        """Cards go from the draw pile into a hand."""
        if len(self.deck) <= count:
            self._reshuffle()
        if len(self.deck) <= count:
            raise OutOfCardsError
        drawn = [self.deck.pop() for _ in range(count)]
        self.hands[seat] += drawn
        return drawn

    def _reshuffle(self) -> None:
        """The discard pile but for its top card goes under what is left of the draw pile (R4.7)."""
        if not self.habits.reshuffles or len(self.laid) < 2:
            raise OutOfCardsError
        below, self.laid = self.laid[:-1], self.laid[-1:]
        self.deck = [below[int(place)] for place in self.rng.permutation(len(below))] + self.deck
        self.events.append(Reshuffle())
        self.state = judge(self.state, Reshuffle()).match

    def chance(self, share: float) -> bool:
        """True that often."""
        return bool(self.rng.random() < share)

    def choice(self, cards: list[Card]) -> Card:
        """One of them, at random."""
        return cards[int(self.rng.integers(len(cards)))]

    def run(self) -> None:
        """Plays until somebody has gone out, then lays the hands open."""
        while self.state.phase == "playing":
            self.step()
        for seat in sorted(self.hands):
            if self.hands[seat] and self.state.phase == "counting":
                self.add(Hand(seat, tuple(sorted(self.hands[seat], key=FACES.index))))

    def step(self) -> None:
        """One turn, or the answer to one question."""
        seat, question = self.state.turn, self.state.pending
        assert seat is not None
        if question is not None and question.kind == "colour":
            self.add(NameColour(seat, self.best_colour(seat)))
        elif question is not None and question.kind == "challenge":
            self.answer(seat, question.target)
        elif (cards := self.playable(seat)) and not self.chance(self.habits.draws):
            self.lay(seat, self.choice(cards))
        else:
            self.draw(seat)

    def answer(self, seat: int, player: int) -> None:
        """Challenges the Wild Draw Four, or draws."""
        if self.chance(self.habits.challenges):
            guilty = any(card.colour is self.colour_before for card in self.hands[player])
            self.add(Challenge(seat, "guilty" if guilty else "innocent"))
        else:
            self.take(seat, 4)
            self.add(Draw(seat, 4))

    def playable(self, seat: int) -> list[Card]:
        """What the hand may lay; a Wild Draw Four only when it holds nothing of the colour (R5.5), mostly."""
        hand = self.hands[seat]
        legal = legal_plays(self.state, seat)
        has_colour = any(card.colour is self.state.colour for card in hand)
        bluffs = self.chance(self.habits.bluffs)
        return [c for c in hand if c in legal and (c.rank is not Rank.WILD_DRAW_FOUR or not has_colour or bluffs)]

    def draw(self, seat: int) -> None:
        """Draws one card; lays it or keeps it (R4.4)."""
        drawn = self.take(seat, 1)[0]
        self.add(Draw(seat))
        if drawn in self.playable(seat) and not self.chance(self.habits.keeps):
            self.lay(seat, drawn)
        else:
            self.add(Pass(seat))

    def lay(self, seat: int, card: Card) -> None:
        """Lays a card, names the colour of a wild, calls uno or forgets to."""
        self.colour_before = self.state.colour
        self.hands[seat].remove(card)
        self.laid.append(card)
        if not self.hands[seat]:
            self._last(seat, card)
        self.add(Play(seat, card))
        if self.state.pending is not None and self.state.pending.kind == "colour":
            self.add(NameColour(seat, self.best_colour(seat)))
        if len(self.hands[seat]) == 1 and self.state.catchable == seat:
            self._call(seat)

    def _last(self, seat: int, card: Card) -> None:
        """The last card is a Draw Two or Wild Draw Four: the next seat's cards count (R7.1)."""
        penalty = {Rank.DRAW_TWO: 2, Rank.WILD_DRAW_FOUR: 4}.get(card.rank, 0)
        assert self.state.round is not None
        if penalty:
            self.take(self.state.round.next_to(seat), penalty)

    def _call(self, seat: int) -> None:
        if not self.chance(self.habits.forgets):
            self.add(Uno(seat))
        elif self.chance(self.habits.catches):
            others = [other for other in self.hands if other != seat]
            self.add(Catch(others[int(self.rng.integers(len(others)))], seat))

    def best_colour(self, seat: int) -> Colour:
        """The colour that the hand holds most of."""
        held = Counter(card.colour for card in self.hands[seat] if card.colour is not None)
        return max(Colour, key=lambda colour: (held[colour], self.rng.random()))


def play_round(rng: np.random.Generator, settings: MatchSettings, habits: Habits = ORDINARY) -> list[Event]:
    """The events of one whole round, from the deal to the counting. Raises OutOfCardsError."""
    deck = [card for card, copies in deck_census(settings.deck).items() for _ in range(copies)]
    deck = [deck[int(place)] for place in rng.permutation(len(deck))]
    hands = {seat: [deck.pop() for _ in range(7)] for seat in settings.seats}
    turned = next(place for place, card in enumerate(deck) if not card.is_wild or card.rank is Rank.WILD)
    start = deck.pop(turned)
    round = _Round(rng, new_match(settings), habits, deck, hands, laid=[start])
    round.add(Deal(settings.dealer or 1))
    round.add(Start(start))
    round.run()
    return round.events


def game(
    rng: np.random.Generator, settings: MatchSettings, plays: tuple[int, int], habits: Habits = ORDINARY
) -> list[Event]:
    """A round with a number of plays within `plays`, both included. Raises ValueError when none is found."""
    for _ in range(TRIES):
        events = _attempt(rng, settings, habits)
        if plays[0] <= sum(isinstance(event, Play) for event in events) <= plays[1]:
            return events
    raise ValueError(f"{len(settings.players)} players had no round of {plays[0]} to {plays[1]} plays in {TRIES} tries")


def _attempt(rng: np.random.Generator, settings: MatchSettings, habits: Habits) -> list[Event]:
    try:
        return play_round(rng, settings, habits)
    except OutOfCardsError:
        return []
