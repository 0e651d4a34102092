"""From what the camera saw to what happened in the game: whose card it was, who drew, and why.

The camera knows no seats and the referee sees nothing; the onlooker knows both sides. Whose card it is follows from
the turn; where more than one seat may be meant (a drawn card kept or laid, a penalty that somebody still owes) the
direction that the hand came from decides. Which card it was is the eyes' word, weighed with what the rules let one
expect (`evidence`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from referee.cards import FACES, Card
from referee.events import Amend, Deal, Draw, Event, Play, Reshuffle, Start, Undo
from referee.expectations import legal_plays, seats_to_play
from referee.state import MatchState
from service.counting import counted
from service.evidence import STANDARD, Belief, Trust, copies_left, reshuffled, weigh
from service.hindsight import Hindsight
from service.places import Pile, Places
from service.revisions import Revision
from service.ways import Item, faces_of, possible_draws
from vision.changes import CardLaid, CardReread, CardsDrawn, CardsShown, CardTaken, PileReshuffled, TableChange
from vision.motion import angle_between

TOOK: Final = 0.5
"""Confidence from which a hand at the draw pile drew by choice; whoever has to draw is believed in any case."""

SHUFFLING, ONE_ARM = 40.0, 40.0
"""Seconds within which shuffled cards are put down, and degrees within which two hands come from one place."""


class Onlooker:
    """Stands at one table of `seats` seats. Tell it every event that was applied (`noted`), whoever reported it."""

    def __init__(self, seats: int, trust: Trust = STANDARD) -> None:
        self._places = Places(seats)
        self._trust = trust
        self._since_play = 0
        self._unread: int | None = None
        """The line of the newest card, when nobody could read it."""
        self._names: dict[Card, Card] = {}
        self._brings: PileReshuffled | None = None
        """A reshuffle after which nobody has been at the draw pile yet."""
        self.hindsight = Hindsight(seats)
        self._came: tuple[TableChange, MatchState] | None = None
        """The change whose events are being applied, and the state before."""
        self._due = 0
        self._told: list[tuple[Event, int]] = []
        """Those of them that were applied already, with their lines."""
        self._revising = False
        self.belief: Belief | None = None
        """What the card of the last change may have been; None when it was no card that could be read."""

    def events(self, change: TableChange, state: MatchState) -> tuple[Event, ...]:
        """The events that a change of the table means in `state`, in order; none when it means nothing."""
        self.belief = None
        if isinstance(change, CardReread):
            self.hindsight.reread(change)
            return ()
        found = self._events(change, state)
        self._came, self._due, self._told = (change, state), len(found), []
        if not found and isinstance(change, (CardLaid, CardsDrawn, CardTaken)):
            self.hindsight.take_in(Item(change), state)
        return found

    def _events(self, change: TableChange, state: MatchState) -> tuple[Event, ...]:
        match change:
            case CardLaid(card=Card(), late=True) if self._unread is not None:
                assert change.card is not None
                return (Amend(self._unread, change.card, seconds=change.seconds, confidence=change.confidence),)
            case CardLaid() if state.phase == "between" or (state.round is not None and not state.round.is_turned):
                return self._turned(change, state)
            case CardLaid() if state.phase == "playing":
                return self._laid(change, state)
            case CardsDrawn() if state.phase == "playing":
                return self._drawn(change, state)
            case CardTaken() if state.phase != "between" and state.top in (change.card, self._names.get(change.card)):
                return (Undo(seconds=change.seconds),) * self._since_play
            case CardsShown() if state.phase == "counting":
                return counted(change, state, self._places)
            case PileReshuffled() if state.phase == "playing":
                return self._reshuffled(change, state)
        return ()

    def noted(self, event: Event, line: int | None = None) -> None:
        """`event` was applied, as that line of the record: what lies on the pile since would be undone with it."""
        if not self._revising:
            self._remember(event, line)
        if isinstance(event, (Play, Start, Amend, Undo)):
            self._unread = line if isinstance(event, (Play, Start)) and event.card is None else None
        if isinstance(event, (Play, Start)):
            self._since_play = 1
        elif isinstance(event, Undo):
            self._since_play = max(0, self._since_play - 1)
        else:
            self._since_play += 1

    def revised(self, revision: Revision, apply: Callable[[Event], int]) -> None:
        """Puts the record right: `apply` takes in one event and gives its line."""
        self._revising = True
        try:
            lines = [apply(event) for event in revision.events]
        finally:
            self._revising = False
        self.hindsight.revised(revision, lines)

    def _remember(self, event: Event, line: int | None) -> None:
        """Keep what was applied for hindsight, together with what the camera saw of it."""
        if self._due and self._came is not None:
            self._due -= 1
            self._told.append((event, line or 0))
            if not self._due:
                self._seen_and_told(*self._came)
        elif isinstance(event, Amend):
            self.hindsight.said(event.line, event.card)
        elif isinstance(event, Undo):
            self.hindsight.forget()
        else:
            self.hindsight.take_in(Item(event, (event,), (line or 0,)))

    def _seen_and_told(self, change: TableChange, before: MatchState) -> None:
        told, lines = zip(*self._told, strict=True)
        if isinstance(told[0], Amend) and isinstance(change, CardLaid):
            if not self.hindsight.again(change, told[0].card):
                self.hindsight.forget()
        else:
            self.hindsight.take_in(Item(change, told, lines), before)

    def _turned(self, change: CardLaid, state: MatchState) -> tuple[Event, ...]:
        """The first card of a round; the deal before it is implied when it is known who deals."""
        if change.card is None:
            return ()
        left = copies_left(None if state.phase == "between" else state.round)
        start = Start(self._believed(change, FACES, left), seconds=change.seconds, confidence=change.confidence)
        if state.phase != "between":
            return (start,)
        return (Deal(state.dealer, seconds=change.since), start) if state.dealer else ()

    def _laid(self, change: CardLaid, state: MatchState) -> tuple[Event, ...]:
        seats = seats_to_play(state)
        if not seats:
            return ()
        seat = self._whose(seats, "discard", change.hand)
        if change.card is None:
            return (Play(seat, None, seconds=change.seconds, confidence=change.confidence),)
        left = copies_left(state.round)
        if change.again and left[change.card] <= 0:
            return ()  # the deck has no other one: the card itself was moved
        everybody = (seat, *(other for other in range(1, len(state.counts) + 1) if other != seat))
        if change.again and self._places.whose(everybody, "discard", change.hand) != seat:
            return ()  # whose turn it is did not do it: the card itself was moved
        card = self._believed(change, legal_plays(state, seat), left)
        return (Play(seat, card, seconds=change.seconds, confidence=change.confidence),)

    def _believed(self, change: CardLaid, legal: Collection[Card], left: Mapping[Card, int]) -> Card:
        """The card that it was, as far as anybody can tell; the pile keeps the name that the eyes gave it."""
        assert change.card is not None
        self.belief = weigh(faces_of(change).items(), legal, left, self._trust)
        self._names[change.card] = self.belief.card
        return self.belief.card

    def _reshuffled(self, change: PileReshuffled, state: MatchState) -> tuple[Event, ...]:
        """The pile was taken away, when the draw pile is low enough for that; else it was squared up."""
        assert state.round is not None
        left = 0 if state.round.reshuffle_unseen else state.round.draw_pile
        if not reshuffled(change.confidence, left, self._trust):
            return ()
        self._brings = change
        return (Reshuffle(seconds=change.seconds),)

    def _brings_cards(self, change: CardsDrawn) -> bool:
        """Whether this is the hand that puts the reshuffled cards down: the first there, from where they went."""
        took, self._brings = self._brings, None
        if took is None or not 0 <= change.seconds - took.since <= SHUFFLING:
            return False
        return change.hand is None or took.hand is None or angle_between(change.hand, took.hand) <= ONE_ARM

    def _drawn(self, change: CardsDrawn, state: MatchState) -> tuple[Event, ...]:
        if self._brings_cards(change):
            return ()
        draws = possible_draws(state)
        if not draws:
            return ()
        seat = self._whose(tuple(draws), "draw", change.hand)
        draw = draws[seat]
        if change.confidence < TOOK and draw.cards is None:
            return ()  # the pile was only touched
        cards = None if draw.cards is None else min(change.count, draw.cards)
        return (Draw(seat, cards, seconds=change.seconds, confidence=change.confidence),)

    def _whose(self, candidates: tuple[int, ...], pile: Pile, hand: float | None) -> int:
        known = self.hindsight.known
        seat = self._places.whose(candidates, pile, hand) if known is None else known.whose(candidates, pile, hand)
        if len(candidates) == 1:
            self._places.learn(seat, pile, hand)
        return seat
