"""When the pile may be looked at, and when what was read is believed.

The pile is *quiet* when nothing has moved on it and no hand has been over it for a moment. It is looked at only when it
is quiet again after something happened, and a reading is believed when several looks in a row agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.motion import Hand, Motion
from vision.plays import Laid, Reading, same
from vision.zones import Zone


@dataclass(frozen=True, slots=True)
class StillSettings:
    """The patience of the eyes; seconds unless said otherwise.

    settle: how long the pile must be free before it is looked at. Shorter: cards are read while they still slide;
        longer: rulings come later.
    pause: between two looks. Shorter: two looks share one flicker; longer: rulings come later.
    agree: looks that must agree. More: fewer misreadings, later rulings.
    unsure: confidence below which twice as many must.
    cap: agreement is counted no higher than this, so that a change of mind takes at most so many looks.
    patience: how long unclear looks are repeated before it is said that a card could not be read.
    covered: share of the pile that a hand must cover to be in the way.
    radius: what belongs to the pile, card heights around its middle.
    """

    settle: float = 0.2
    pause: float = 0.08
    agree: int = 2
    unsure: float = 0.8
    cap: int = 5
    patience: float = 2.5
    covered: float = 0.03
    radius: float = 0.9


class Steadiness:
    """Counts looks that agree: up by one, never above `cap`; down by one for each that differs, and at zero the newer
    reading takes its place. Twice as many must agree on a card that is read with less confidence than `unsure`."""

    def __init__(self, agree: int, cap: int, unsure: float = 0.0) -> None:
        self._agree, self._cap, self._unsure = agree, max(cap, 2 * agree), unsure
        self.reading: Reading | None = None
        self.count = 0

    def add(self, reading: Reading) -> bool:
        """Counts one look; True when its reading is believed now."""
        if self.reading is not None and same(self.reading, reading):
            self.reading, self.count = reading, min(self._cap, self.count + 1)
        else:
            self.count -= 1
            if self.count <= 0:
                self.reading, self.count = reading, 1
        return self.count >= self._needed(reading) and same(self.reading, reading)

    def _needed(self, reading: Reading) -> int:
        unsure = isinstance(reading, Laid) and reading.seen.confidence < self._unsure
        return 2 * self._agree if unsure else self._agree

    def reset(self) -> None:
        """Something happened: what was seen before says nothing about now."""
        self.reading, self.count = None, 0


class PileGate:
    """Says when the pile may be looked at. `since` is when it was last disturbed, `hand` where the hand that did it
    came from (degrees), `free` for how many seconds it has been quiet, `somebody` whether a hand was ever seen."""

    def __init__(self, settings: StillSettings = StillSettings()) -> None:
        self._settings = settings
        self.disturbed = True
        self.since = 0.0
        self.free = 0.0
        self.hand: float | None = None
        self._nearest = float("inf")
        self._looked = -1.0
        self._present = False
        self.somebody = False

    def step(self, motion: Motion, zone: Zone) -> bool:
        """Takes in one frame; True when the pile should be looked at in it."""
        place = zone.disc(motion.still.shape, motion.scale, self._settings.radius)
        over = [hand for hand in motion.hands if (hand.mask & place).sum() > self._settings.covered * place.sum()]
        self.free = 0.0 if over else _quiet_for(motion, place)
        if self.free < 0.05:
            self._disturb(motion, zone, over)
        if not self.disturbed or self.free < self._settings.settle:
            return False
        if motion.seconds - self._looked < self._settings.pause:
            return False
        self._looked = motion.seconds
        return True

    def anyone(self, motion: Motion) -> None:
        """Takes in one frame while it is not known where the pile lies: whoever came last did what is found then."""
        if motion.hands and not self._present:
            self.since, self.somebody = motion.seconds, True
        self._present = bool(motion.hands)
        self.hand = motion.hands[0].direction if motion.hands else self.hand

    def done(self) -> None:
        """The pile was read; it is left alone until something happens again."""
        self.disturbed = False

    def _disturb(self, motion: Motion, zone: Zone, over: list[Hand]) -> None:
        if not self.disturbed:
            self.disturbed, self.since = True, motion.seconds
            self.hand, self._nearest = None, float("inf")
        for hand in over:
            if zone.distance(hand.tip) < self._nearest:
                self._nearest, self.hand = zone.distance(hand.tip), hand.direction


def _quiet_for(motion: Motion, place: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> float:
    """Seconds for which all but a sprinkle of a place has not moved."""
    inside = motion.still[place]
    return float(np.percentile(inside, 3)) if inside.size else 0.0
