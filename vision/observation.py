"""When the pile may be looked at, and when what was read is believed.

The pile is *quiet* when nothing has moved on it and no hand has been over it for a moment. It is looked at only when it
is quiet again after something happened, and a reading is believed when several looks in a row agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.detections import Shares
from vision.motion import SAME_ARM, Hand, Mask, Motion, angle_between
from vision.overlaps import overlap
from vision.readings import Laid, Reading, same
from vision.zones import Zone

BUSY: Final = 0.05
"""Seconds: a pile that has been quiet for less is not."""
VOTES: Final = 24
"""Looks that are remembered, so that memory stays flat."""


@dataclass(frozen=True, slots=True)
class StillSettings:
    """The patience of the eyes; seconds unless said otherwise.

    settle: how long the pile must be free before it is looked at. Shorter: cards are read while they still slide;
        longer: rulings come later.
    early: the same for a card that is read with at least `sure` confidence, and as often as must agree; all else that
        is seen so early says nothing. Shorter: cards are taken from hands that still hold them; longer: all rulings
        come later.
    sure: that confidence.
    certain: confidence of a new card from which one look is enough once it has been free for as long as `lain`. Lower:
        one flicker is believed; higher: rulings come a look later.
    lain: that time. Shorter: a card is believed at the first picture at slow cameras; longer: rulings come later.
    pause: between two looks. Shorter: two looks share one flicker; longer: rulings come later.
    agree: looks that must agree. More: fewer misreadings, later rulings.
    unsure: confidence below which twice as many must.
    cap: agreement is counted no higher than this, so that a change of mind takes at most so many looks.
    doubt: how long looks that disagree are repeated before the likeliest reading is taken.
    patience: how long unclear looks are repeated before it is said that a card could not be read.
    covered: share of the pile that a hand must cover to be in the way.
    radius: what belongs to the pile, card heights around its middle.
    """

    settle: float = 0.2
    early: float = 0.06
    sure: float = 0.95
    certain: float = 0.98
    lain: float = 0.13
    pause: float = 0.06
    agree: int = 2
    unsure: float = 0.8
    cap: int = 5
    doubt: float = 1.2
    patience: float = 2.5
    covered: float = 0.03
    radius: float = 0.9


class Steadiness:
    """Counts looks that agree: up by one, never above `cap`; down by one for each that differs, and at zero the newer
    reading takes its place. Twice as many must agree on a card that is read with less confidence than `unsure`.

    All looks are also kept as votes, for when it never comes to that.
    """

    def __init__(self, agree: int, cap: int, unsure: float = 0.0) -> None:
        self._agree, self._cap, self._unsure = agree, max(cap, 2 * agree), unsure
        self.reset()

    def reset(self) -> None:
        """Something happened: what was seen before says nothing about now."""
        self.reading: Reading | None = None
        self.count = 0
        self._votes: list[Reading] = []

    def add(self, reading: Reading) -> bool:
        """Counts one look; True when its reading is believed now."""
        self._votes = [*self._votes, reading][-VOTES:]
        if self.reading is not None and same(self.reading, reading):
            self.reading, self.count = reading, min(self._cap, self.count + 1)
        else:
            self.count -= 1
            if self.count <= 0:
                self.reading, self.count = reading, 1
        return self.count >= self._needed(reading) and same(self.reading, reading)

    def likeliest(self) -> Reading | None:
        """The reading that most confidence was given to; None before there were as many looks as must agree."""
        if len(self._votes) < self._agree:
            return None
        return max(self._votes, key=lambda one: sum(_weight(other) for other in self._votes if same(one, other)))

    def shares(self, laid: Laid) -> Shares:
        """What a laid card may be, over all looks at its place: the mean probability (56,) of each face."""
        looks = [one.seen.shares() for one in self._votes if isinstance(one, Laid) and _one_place(one, laid)]
        return np.asarray(np.mean(looks or [laid.seen.shares()], axis=0), np.float32)

    def _needed(self, reading: Reading) -> int:
        unsure = isinstance(reading, Laid) and reading.seen.confidence < self._unsure
        return 2 * self._agree if unsure else self._agree


def _one_place(one: Laid, other: Laid) -> bool:
    return overlap(one.seen.quad, other.seen.quad) > 0.5


def _weight(reading: Reading) -> float:
    return reading.seen.confidence if isinstance(reading, Laid) else 0.5


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What happened to the pile: `since` when the hand was there that did it, and where that came from (degrees)."""

    since: float = 0.0
    hand: float | None = None


class PileGate:
    """Says when the pile may be looked at. Each frame: `take_in`, then `disturb` when it is `busy`, else ask `ready`.

    `free` is for how many seconds the pile has been quiet, `disturbance` what happened to it, None when it is read.
    """

    def __init__(self, settings: StillSettings = StillSettings()) -> None:
        self._settings = settings
        self.disturbance: Disturbance | None = Disturbance()
        self.free = 0.0
        self._over: list[tuple[float, Hand]] = []
        self._came: list[tuple[float, float]] = []
        self._nearest = float("inf")
        self._looked = -1.0

    @property
    def busy(self) -> bool:
        """Whether something moves on the pile, or a hand is over it."""
        return self.free < BUSY

    def take_in(self, motion: Motion, zone: Zone) -> None:
        """Takes in one frame."""
        place = zone.disc(motion.still.shape, motion.scale, self._settings.radius)
        least = self._settings.covered * place.sum()
        self._over = [(zone.distance(hand.tip), hand) for hand in motion.hands if (hand.mask & place).sum() > least]
        self.free = 0.0 if self._over else _quiet_for(motion, place)

    def disturb(self, now: float) -> None:
        """Something happens to the pile; the hand whose fingers come nearest is taken to do it, since it came.

        An arm from elsewhere that crossed the pile before that did something else: to the draw pile, most often.
        """
        if self.disturbance is None:
            self.disturbance, self._nearest, self._came = Disturbance(now), float("inf"), []
        for distance, hand in self._over:
            since = self._since(hand.direction, now)
            if distance < self._nearest:
                self._nearest = distance
                self.disturbance = Disturbance(since, hand.direction)

    def _since(self, direction: float, now: float) -> float:
        """When a hand from there was first over the pile; the first of all moves it before it is seen."""
        for at, (came, since) in enumerate(self._came):
            if angle_between(came, direction) <= SAME_ARM:
                self._came[at] = (direction, since)
                return since
        assert self.disturbance is not None
        self._came.append((direction, now if self._came else self.disturbance.since))
        return self._came[-1][1]

    def ready(self, now: float) -> bool:
        """Whether the pile should be looked at now: something happened to it, and it has been quiet long enough."""
        if self.disturbance is None or self.free < self._settings.early or now - self._looked < self._settings.pause:
            return False
        self._looked = now
        return True

    def says_nothing(self, reading: Reading) -> bool:
        """Whether it is too early for what was read: only a card read surely counts before the pile has settled."""
        early = self.disturbance is not None and self.free < self._settings.settle
        return early and not _is_anew(reading, self._settings.sure)

    def says_all(self, reading: Reading) -> bool:
        """Whether one look is enough: a new card, read with certainty, has lain free long enough."""
        plain = isinstance(reading, Laid) and reading.instead is None and _is_anew(reading, self._settings.certain)
        return plain and self.free >= self._settings.lain

    def done(self) -> None:
        """The pile was read; it is left alone until something happens again."""
        self.disturbance = None


def _is_anew(reading: Reading, sure: float) -> bool:
    """Whether a card was laid of another face than the top's, read with so much confidence."""
    return isinstance(reading, Laid) and not reading.again and reading.seen.confidence >= sure


def _quiet_for(motion: Motion, place: Mask) -> float:
    """Seconds for which all but a sprinkle of a place has not moved."""
    inside = motion.still[place]
    return float(np.percentile(inside, 3)) if inside.size else 0.0
