"""Whether a hand at the draw pile took a card, or only touched it: the top card that lies there now is another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.changes import CardsDrawn
from vision.compare import Difference, View
from vision.detections import Image
from vision.motion import Motion
from vision.zones import Zone

KEPT: Final = 4
"""Pictures from before a hand came that are remembered: a draw is told some time after it."""


@dataclass(frozen=True, slots=True)
class StockSettings:
    """Seconds, and amounts in areas of a card.

    settle: how long the draw pile must be free to be looked at. Shorter: it still moves; longer: draws are told later.
    wait: how long a draw waits for that; then it is believed. Shorter: touches count when hands come one after another.
    same: a smaller change is none: nothing was taken. Lower: noise is a card; higher: neatly taken cards are missed.
    level: grey levels from which a place changed. Lower: noise is a card; higher: cards taken neatly are missed.
    untouched: confidence that is left to a draw after which the pile looks as before.
    radius: what belongs to the pile, card heights around its middle.
    another: a change from which the card on top may be another one, face up: it is looked at.
    """

    settle: float = 0.15
    wait: float = 0.8
    same: float = 0.008
    level: float = 15.0
    untouched: float = 0.2
    radius: float = 0.8
    another: float = 0.35


def never(picture: Image) -> bool:
    """The draw pile shows its back."""
    return False


class StockWatch:
    """Holds each draw back until the pile can be seen again, and lowers its confidence when nothing is gone.

    shows_face: whether a picture of the draw pile shows a card face up. Whoever lays one there, or takes it up again,
    draws nothing.
    """

    def __init__(self, settings: StockSettings = StockSettings(), shows_face: Callable[[Image], bool] = never) -> None:
        self._settings, self._shows_face = settings, shows_face
        self._face = False
        """Whether a card lies face up on the draw pile."""
        self._views: deque[tuple[float, View]] = deque(maxlen=KEPT)
        """What the pile looked like before each hand came, and now, with the time at which it was seen so last."""
        self._free = False
        self._waiting: list[CardsDrawn] = []

    def follow(self, motion: Motion, zone: Zone | None, drawn: Iterable[CardsDrawn]) -> list[CardsDrawn]:
        """Takes in one frame and the draws that ended with it; those that are certain now."""
        self._waiting += drawn
        if motion.shaken or zone is None:
            self._views.clear()
        was_free, self._free = self._free, zone is not None and self._is_free(motion, zone)
        if self._free and zone is not None:
            now = View(motion.frame.image, motion.hidden)
            told = self._judged(now, zone)
            if was_free and self._views:
                self._views.pop()
            self._views.append((motion.seconds, now))
            return told
        if self._waiting and motion.seconds - self._waiting[0].seconds > self._settings.wait:
            return self._told()
        return []

    def _is_free(self, motion: Motion, zone: Zone) -> bool:
        place = zone.disc(motion.still.shape, motion.scale, self._settings.radius)
        still = motion.still[place]
        if any((hand.mask & place).any() for hand in motion.hands) or not still.size:
            return False
        return bool(np.percentile(still, 3) >= self._settings.settle)

    def _judged(self, now: View, zone: Zone) -> list[CardsDrawn]:
        if not self._waiting:
            return []
        before = next((view for seen, view in reversed(self._views) if seen <= self._waiting[0].since), None)
        if before is None or before.picture.shape != now.picture.shape:
            return self._told()
        amount = Difference(before, now, zone, self._settings.level).amount
        if amount >= self._settings.another and self._turned(now, zone):
            self._told()
            return []
        if amount >= self._settings.same:
            return self._told()
        return [replace(draw, confidence=self._settings.untouched) for draw in self._told()]

    def _turned(self, now: View, zone: Zone) -> bool:
        """Whether a face lies on the pile, or did until now."""
        before, self._face = self._face, self._shows_face(now.picture[zone.window(now.picture.shape, 1.0)])
        return before or self._face

    def _told(self) -> list[CardsDrawn]:
        told, self._waiting = self._waiting, []
        return told
