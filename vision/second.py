"""Second thoughts: a card that lies uncovered goes on being looked at, ever less often, and may turn out another one.

Frames of a table on which nothing moves are nearly the same picture, so a further look counts only a part of what an
independent one would. What all looks say together is told on when it no longer bears out what was told first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card
from vision.changes import CardLaid, CardReread
from vision.detections import Detections, Quads, likeliest
from vision.overlaps import overlap

Logarithms = npt.NDArray[np.float64]

SAME_PLACE: Final = 0.7
"""Overlap from which a card seen is the one that lies there."""


@dataclass(frozen=True, slots=True)
class SecondSettings:
    """How a card is looked at again.

    after: seconds from when it was read to the next look; each later one takes twice as long to come. Shorter: mistakes
        are found sooner, at more work.
    most: looks at one card.
    sure: share from which one look is enough.
    weight: what a further look counts of an independent one, 0 to 1. Higher: minds change sooner, and a flicker that
        lasts changes them, too.
    least: share that any face has, whatever one look says.
    turned: share below which what was believed must have fallen to be told on.
    """

    after: float = 0.8
    most: int = 5
    sure: float = 0.97
    weight: float = 0.4
    least: float = 1e-3
    turned: float = 0.4


class SecondLooks:
    """The further looks at the card on top."""

    def __init__(self, settings: SecondSettings = SecondSettings()) -> None:
        self._settings = settings
        self._laid: CardLaid | None = None
        self._gathered: Logarithms = np.zeros(len(FACES))
        self._looks = 0
        self._next = float("inf")
        self._told: Card | None = None

    def begin(self, laid: CardLaid) -> None:
        """A card was told of that lies on top now."""
        self.forget()
        if laid.card is None or not laid.faces:
            return
        self._laid, self._told, self._next = laid, laid.card, laid.seconds + self._settings.after
        shares = np.zeros(len(FACES))
        for card, share in laid.faces:
            shares[FACES.index(card)] = share
        self._gathered = np.log(shares.clip(self._settings.least, 1))

    def forget(self) -> None:
        """The card on top is another one, or nobody knows which."""
        self._laid, self._looks, self._next = None, 0, float("inf")

    def is_due(self, now: float) -> bool:
        """Whether it is time for a further look."""
        return self._laid is not None and now >= self._next

    def add(self, cards: Detections, place: Quads, now: float) -> CardReread | None:
        """Takes in a look at the card at `place`, (4, 2) px; what is to be told, if minds have changed."""
        assert self._laid is not None
        self._looks += 1
        there = [card for card in cards if isinstance(card.face, Card) and overlap(card.quad, place) > SAME_PLACE]
        seen = max(there, key=lambda card: overlap(card.quad, place), default=None)
        if seen is not None:
            shares = seen.shares().astype(np.float64).clip(self._settings.least, 1)
            self._gathered = self._gathered + self._settings.weight * np.log(shares)
        enough = self._settings.most if self._believed() < self._settings.sure else 1
        self._next = now + self._settings.after * 2**self._looks if self._looks < enough else float("inf")
        return self._changed(now) if seen is not None else None

    def _shares(self) -> Logarithms:
        shares: Logarithms = np.exp(self._gathered - self._gathered.max())
        return np.asarray(shares / shares.sum())

    def _believed(self) -> float:
        """How far what was told is believed still."""
        return float(self._shares()[FACES.index(self._told)]) if self._told is not None else 0.0

    def _changed(self, now: float) -> CardReread | None:
        shares = self._shares()
        faces = likeliest(shares)
        first = faces[0][0]
        if self._laid is None or first == self._told or self._believed() >= self._settings.turned:
            return None
        self._told = first
        return CardReread(first, faces[0][1], now, self._laid.seconds, faces)
