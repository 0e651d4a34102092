"""The eyes: finder, aligner and reader behind one door, from a picture to the cards in it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.aligner import Aligner
from vision.detections import Detections, Image
from vision.finder import Finder
from vision.reader import Reader

Floats = npt.NDArray[np.float32]

SAME_CARD: Final = 0.55
"""Intersection over union above which two aligned quads are one card; the surer stays."""

PIECE: Final = 0.5
INSIDE: Final = 0.75
"""A quad under `PIECE` of another's area, of which `INSIDE` lies in that other, is no card of its own."""

LEAST_THERE: Final = 0.3
"""Below this probability that a card of ours is there, nothing is reported."""


def support(scores: Floats) -> Floats:
    """How far the finder's score bears out a reading, 0 to 1.

    Measured on drawn scenes of unseen decks: of readings that are sure of themselves, under half hold when the finder
    scored 0.1, three quarters at 0.25, nearly all from 0.35 on.
    """
    borne: Floats = np.minimum(np.float32(0.3) + 2 * scores, np.float32(1))
    return borne


def overlap(first: Floats, second: Floats) -> float:
    """Intersection over union of two convex quads (4, 2)."""
    area, _ = cv2.intersectConvexConvex(first, second)
    whole = abs(cv2.contourArea(first)) + abs(cv2.contourArea(second)) - area
    return float(area / whole) if whole > 0 else 0.0


def within(inner: Floats, outer: Floats) -> bool:
    """Whether a quad is a piece of a much larger one: a corner or the glyph of that card, not a card on it."""
    small, large = abs(cv2.contourArea(inner)), abs(cv2.contourArea(outer))
    if small > PIECE * large:
        return False
    shared, _ = cv2.intersectConvexConvex(inner, outer)
    return bool(shared > INSIDE * small)


def distinct(detections: Detections, same: float = SAME_CARD) -> Detections:
    """Without the weaker of any two readings that cover the same card, and without pieces; the surest first."""
    ordered = detections.surest_first()
    quads = ordered.quads
    kept: list[int] = []
    for index in range(len(ordered)):
        if all(overlap(quads[index], quads[other]) < same for other in kept):
            kept.append(index)
    whole = [index for index in kept if not any(within(quads[index], quads[other]) for other in kept)]
    return ordered.pick(np.array(whole, int))


class Eyes:
    """Sees the cards of a picture. One instance serves one thread; loading takes a moment, seeing some milliseconds."""

    def __init__(self, finder: Finder, aligner: Aligner, reader: Reader) -> None:
        self.finder, self.aligner, self.reader = finder, aligner, reader

    @classmethod
    def load(cls) -> Eyes:
        """With the shipped weights; raises WeightsError when they are missing."""
        return cls(Finder.load(), Aligner.load(), Reader.load())

    def see(self, image: Image, side: int | None = None, *, near: Floats | None = None) -> Detections:
        """The cards in a picture (H, W, 3) uint8 BGR, the surest first.

        `side`: pixels on the longer side that the finder looks at; more finds smaller cards and takes longer.
        `near`: rough quads (n, 4, 2) px that are looked at besides what the finder finds.
        """
        boxes = self.finder.find(image, side)
        rough, scores = boxes.quads(), boxes.scores
        if near is not None:
            rough, scores = np.concatenate([rough, near]), np.concatenate([scores, np.ones(len(near), np.float32)])
        quads, there = self.aligner.align(image, rough)
        likely = there >= LEAST_THERE
        named = self._named(image, quads[likely], scores[likely], there[likely])
        known = np.array([face is not None for face in named.faces], bool)
        return distinct(named.pick(known))

    def read(self, image: Image, quads: Floats) -> Detections:
        """The faces at known quads (n, 4, 2) px, in their order; None where no card of ours can be made out."""
        return self._named(image, quads, np.ones(len(quads), np.float32), np.ones(len(quads), np.float32))

    def _named(self, image: Image, quads: Floats, scores: Floats, there: Floats) -> Detections:
        readings = self.reader.read(image, quads)
        confidences = (readings.confidences * there * support(scores)).clip(0, 1).astype(np.float32)
        return Detections(quads.astype(np.float32), scores, readings.faces, confidences, readings.outcomes)
