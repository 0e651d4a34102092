"""What was laid on a table since it was empty: by the difference of two pictures, whatever it looks like."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image
from vision.rectify import Quad

SMALL: Final = 240
"""Pixels on the longer side at which pictures are compared."""

DIFFERENT: Final = 16
"""Grey levels by which a colour must differ."""

LIT: Final = (0.7, 1.4)
"""How much brighter or darker the whole picture may have become."""

LEAST: Final = 0.01
FULL: Final = 0.88
SLIM: Final = (0.5, 0.85)
"""What looks like a card from afar: its share of the picture, its share of a rectangle about it, width by height."""


class EmptyTable:
    """A table as it was before anything was laid on it."""

    def __init__(self, image: Image) -> None:
        self._factor = min(1.0, SMALL / max(image.shape[:2]))
        self._image = self._shrunk(image)

    def changed(self, image: Image) -> Image:
        """Where a picture (H, W, 3) of that size shows something else: a small mask (h, w), 0 or 255."""
        now = self._shrunk(image)
        gain = float(np.median((now + 1) / (self._image + 1)))
        apart = np.abs(now - self._image * np.clip(gain, *LIT)).max(axis=2)
        mask = np.asarray((apart > DIFFERENT) * 255, np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def share(self, mask: Image, quad: Quad) -> float:
        """How much of a quad (4, 2) px of the picture changed, 0 to 1."""
        inside = np.zeros_like(mask)
        cv2.fillConvexPoly(inside, np.round(quad * self._factor).astype(np.int32), 1)
        return float((mask[inside > 0] > 0).mean()) if inside.any() else 0.0

    def cards(self, mask: Image) -> list[Quad]:
        """The corners (4, 2) px of what lies apart and has the shape of a card."""
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
        outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        return [
            np.asarray(cv2.boxPoints(cv2.minAreaRect(one)) / self._factor, np.float32)
            for one in outlines
            if _card(one, mask)
        ]

    def _shrunk(self, image: Image) -> npt.NDArray[np.float32]:
        small = cv2.resize(image, None, fx=self._factor, fy=self._factor, interpolation=cv2.INTER_AREA)
        return cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)


def _card(outline: cv2.typing.MatLike, mask: Image) -> bool:
    """Whether an outline is that of a card which lies wholly in the picture."""
    x, y, wide, tall = cv2.boundingRect(outline)
    height, width = mask.shape
    if x == 0 or y == 0 or x + wide >= width or y + tall >= height:
        return False
    area, (_, sides, _) = cv2.contourArea(outline), cv2.minAreaRect(outline)
    slim = min(sides) / max(*sides, 1.0)
    return bool(area >= LEAST * width * height and area >= FULL * sides[0] * sides[1] and SLIM[0] <= slim <= SLIM[1])
