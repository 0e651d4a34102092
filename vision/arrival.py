"""The first card of all: who came to a table on which no pile is known yet, and what they laid there."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.detections import BACK, Detection, Detections
from vision.glance import GlanceSettings, broken
from vision.motion import Motion
from vision.observation import Disturbance
from vision.overlaps import overlap

FRESH: Final = 0.2
"""Share of a card's place that must have moved for it to have been laid: one as bright as the table shows by its border
alone."""
REST: Final = 0.07
"""Seconds for which a card must lie still, and whatever is looked for."""
NEWS: Final = 0.3
"""Seconds within which a place must have begun to look otherwise for something new to lie there."""
LEAST: Final = 0.002
"""Share of the picture from which something lies there."""


class Newcomer:
    """Who came last to a table whose piles are not known yet: whatever is found there then is taken to be theirs."""

    def __init__(self) -> None:
        self.came: Disturbance | None = None
        self._present = False

    def take_in(self, motion: Motion) -> None:
        """Takes in one frame."""
        if motion.hands and (not self._present or self.came is None):
            self.came = Disturbance(motion.seconds)
        if motion.hands and self.came is not None:
            self.came = Disturbance(self.came.since, motion.hands[0].direction)
        self._present = bool(motion.hands)


def something_lies(motion: Motion) -> bool:
    """Whether something that is no hand lies still where it did not lie a moment ago."""
    new = (motion.fresh < NEWS) & (motion.still >= REST) & (motion.still < motion.seconds) & ~motion.hidden
    return bool(new.mean() >= LEAST)


def at_rest(cards: Detections, motion: Motion, settings: GlanceSettings) -> Detections:
    """Those cards that nobody holds: they lie still, and their whole border is seen. Backs are looked at later."""

    def is_let_go(card: Detection) -> bool:
        if card.face == BACK or motion.moved_within(card.quad, REST) > 0:
            return False
        return broken(motion.frame.image, card.quad, settings.apart) <= settings.broken

    return cards.pick(np.array([is_let_go(card) for card in cards], bool))


def laid_since(seconds: float, motion: Motion, cards: Detections, about: Detections) -> Detections:
    """The backs, and those faces of whose place some has moved since then and that did not lie `about` there before."""
    passed = motion.seconds - seconds + 0.1

    def is_fresh(card: Detection) -> bool:
        lay = any(card.face == other.face and overlap(card.quad, other.quad) > 0.5 for other in about)
        return card.face == BACK or (not lay and motion.moved_within(card.quad, passed) >= FRESH)

    return cards.pick(np.array([is_fresh(card) for card in cards], bool))
