"""Games acted for the camera without a film: what it would tell of a legal random round, with mistakes of the eyes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from datasets.deal import OutOfCardsError, play_round
from referee.cards import FACES, Card
from referee.events import Deal, Draw, Event, Play, Start
from referee.judge import judge, legal_plays, new_match
from referee.options import MatchSettings
from referee.record import Record, append, new_record
from referee.state import MatchState
from service.films import watch, words_of
from vision.changes import CardLaid, CardsDrawn, CardTaken, TableChange
from vision.detections import Detections, Image, Quads

Faces = tuple[tuple[Card, float], ...]


class Blind:
    """A sight that sees nothing: the changes come from elsewhere."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


def settings(players: int) -> MatchSettings:
    return MatchSettings(players=tuple("ABCDEF"[:players]), dealer=1)


@dataclass
class Acted:
    """A round: `truth`, and the `changes` that a camera tells of it.

    blunders, close: shares of cards that are quite another one to the eyes, and nearly so. misplays: share of plays
    before which a card is laid that cannot be played, and taken back. strangers: share of hands that come from
    anywhere.
    """

    seed: int
    players: int
    blunders: float = 0.0
    close: float = 0.0
    misplays: float = 0.0
    strangers: float = 0.02
    changes: list[TableChange] = field(default_factory=list)
    truth: list[Event] = field(default_factory=list)
    misplayed: list[Card] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng, self.now = np.random.default_rng(self.seed), 0.0
        self.settings = settings(self.players)
        self._turned = self.rng.uniform(0, 360)
        state = new_match(self.settings)
        for event in self._round():
            self.now += 2
            if isinstance(event, Play) and state.pending is None and self._chance(self.misplays):
                self._misplay(event.seat, state)
            happened = replace(event, seconds=self.now)
            self._shown(happened)
            self.truth.append(happened)
            state = judge(state, event).match

    @property
    def words(self) -> list[Event]:
        """What no camera sees."""
        return words_of([event for event in self.truth if not isinstance(event, Deal)])

    def watched(self) -> Record:
        """The record that comes of it."""
        return watch([], Blind(), self.settings, self.words, look=lambda *_: self.changes)

    def record(self) -> Record:
        """The true record."""
        record = new_record(self.settings)
        for event in self.truth:
            record = append(record, event)
        return record

    def hand(self, seat: int) -> float:
        """Where a hand of `seat` comes from this time."""
        if self._chance(self.strangers):
            return float(self.rng.uniform(0, 360))
        return float((self._turned + 360 / self.players * (seat - 1) + self.rng.normal(0, 8)) % 360)

    def _round(self) -> list[Event]:
        while True:
            try:
                return play_round(self.rng, self.settings)
            except OutOfCardsError:
                continue

    def _chance(self, share: float) -> bool:
        return bool(share and self.rng.random() < share)

    def _shown(self, event: Event) -> None:
        if isinstance(event, (Play, Start)):
            assert event.card is not None
            self._lay(getattr(event, "seat", 1), self._seen(event.card))
        elif isinstance(event, Draw):
            for place in range(event.cards or 1):
                at = self.now + place / 10
                self.changes.append(CardsDrawn(1, 0.9, at, at - 1, self.hand(event.seat)))

    def _lay(self, seat: int, faces: Faces) -> None:
        card, sure = faces[0]
        self.changes.append(CardLaid(card, sure, self.now, self.now - 1, None, self.hand(seat), faces))

    def _seen(self, card: Card) -> Faces:
        """What the eyes say of it: one in four times quite another one is nearly as likely."""
        others = [face for face in FACES[:52] if face != card and card.is_wild in (face.colour == card.colour, True)]
        first, second = (others[int(place)] for place in self.rng.choice(len(others), 2, replace=False))
        if self._chance(self.blunders):
            return (first, 0.97), (second, 0.03)
        if self._chance(self.close):
            return (first, 0.6), (card, 0.25), (second, 0.15)
        sure = float(self.rng.choice([0.8, 0.95, 0.999]))
        return (card, sure), (first, 0.8 * (1 - sure)), (second, 0.2 * (1 - sure))

    def _misplay(self, seat: int, state: MatchState) -> None:
        """A card that cannot be played is laid, and goes back."""
        legal = legal_plays(state, seat)
        if state.round is None or state.round.drawn:
            return
        wrong = [face for face in FACES[:52] if face not in legal]
        card = wrong[int(self.rng.integers(len(wrong)))]
        self._lay(seat, ((card, 0.97), (next(iter(sorted(legal, key=str))), 0.03)))
        self.truth.append(Play(seat, card, seconds=self.now))
        self.misplayed.append(card)
        self.now += 1
        self.changes.append(CardTaken(card, 0.97, self.now, self.now - 0.9, self.hand(seat)))
        self.now += 1
