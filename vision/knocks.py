"""The camera was knocked and stands a little differently: by how much, told from the picture before and the one now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.compare import View
from vision.detections import Image, Quads

WIDTH: Final = 640
"""Pixels of the copies in which points are looked for."""
POINTS: Final = 800
LEAST: Final = 16
"""Points that must have moved together."""
AGREED: Final = 0.3
"""Share of all points found in both pictures that must have."""
TURNED, SCALED, SHIFTED = 0.35, 0.25, 0.4
"""Radians, share, and picture widths beyond which it is no knock."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Where what was at a place is now: `matrix` (2, 3), px of the frame to px of the frame."""

    matrix: Matrix

    def quads(self, quads: Quads) -> Quads:
        """Points (..., 2) px as they are seen now."""
        moved = quads.reshape(-1, 2) @ self.matrix[:, :2].T + self.matrix[:, 2]
        return moved.reshape(quads.shape).astype(np.float32)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """One point as it is seen now."""
        moved = self.matrix @ np.array([x, y, 1.0])
        return float(moved[0]), float(moved[1])

    @property
    def scale(self) -> float:
        """How much larger things are seen now."""
        return float(np.hypot(self.matrix[0, 0], self.matrix[1, 0]))

    def view(self, view: View) -> View:
        """An earlier picture as the camera would have seen it from where it stands now."""
        size = (view.picture.shape[1], view.picture.shape[0])
        picture = cv2.warpAffine(view.picture, self.matrix, size, borderMode=cv2.BORDER_REPLICATE)
        return View(np.asarray(picture, np.uint8), view.hidden)

    def is_nothing(self, size: tuple[int, ...], least: float = 1.5) -> bool:
        """Whether no corner of a picture of `size` (height, width) moves by more than `least` px."""
        corners = np.array([[0, 0], [size[1], 0], [size[1], size[0]], [0, size[0]]], np.float32)
        return float(np.abs(self.quads(corners) - corners).max()) < least


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Points of a picture that are known again: `places` (n, 2) px of the small copy, `words` (n, 32) uint8."""

    places: npt.NDArray[np.float32]
    words: npt.NDArray[np.uint8]


def landmarks(image: Image) -> Landmarks:
    """The landmarks of a picture (H, W, 3) uint8 BGR, the plainest first."""
    small = _small(image, min(1.0, WIDTH / image.shape[1]))
    places, words = cv2.ORB.create(POINTS).detectAndCompute(small, None)
    order = np.argsort([-place.response for place in places], kind="stable")
    found = np.array([places[at].pt for at in order], np.float32).reshape(-1, 2)
    return Landmarks(found, np.zeros((0, 32), np.uint8) if words is None else np.asarray(words, np.uint8)[order])


def shift(before: Image, after: Image) -> Shift | None:
    """By how much the camera moved between two pictures, (H, W, 3) uint8 BGR of one size; None: it cannot be told."""
    return shift_of(landmarks(before), landmarks(after), before.shape)


def shift_of(before: Landmarks, after: Landmarks, shape: tuple[int, ...]) -> Shift | None:
    """The same, told from the landmarks of pictures of that `shape`."""
    factor = min(1.0, WIDTH / shape[1])
    points = _pairs(before, after)
    if len(points) < LEAST:
        return None
    places, others = (np.ascontiguousarray(points[:, side]) for side in (0, 1))
    matrix, agreed = cv2.estimateAffinePartial2D(places, others, ransacReprojThreshold=2.5)
    if matrix is None or agreed.sum() < max(LEAST, AGREED * len(points)):
        return None
    found = Shift(np.asarray(matrix, np.float64) * np.array([1, 1, 1 / factor]))
    return found if _is_a_knock(found, shape) else None


def _is_a_knock(found: Shift, shape: tuple[int, ...]) -> bool:
    turned = abs(float(np.arctan2(found.matrix[1, 0], found.matrix[0, 0])))
    middle = (shape[1] / 2, shape[0] / 2)
    way = np.hypot(*(np.array(found.point(*middle)) - middle))
    return turned < TURNED and abs(found.scale - 1) < SCALED and float(way) < SHIFTED * shape[1]


def _small(image: Image, factor: float) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _pairs(before: Landmarks, after: Landmarks) -> npt.NDArray[np.float32]:
    """Points seen in both pictures, (n, 2, 2)."""
    if not len(before.words) or not len(after.words):
        return np.zeros((0, 2, 2), np.float32)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before.words, after.words)
    pairs = [[before.places[m.queryIdx], after.places[m.trainIdx]] for m in matches]
    return np.array(pairs, np.float32).reshape(-1, 2, 2)
