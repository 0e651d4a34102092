"""A picture and its halves, made when they are first wanted: whoever needs it smaller begins from the nearest.

Halving by averaging two by two pixels is the one reduction that costs next to nothing; finder, aligner and reader share
the halves of one picture.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.detections import Image

LEFT: Final = 1.6
"""Bilinear sampling may still shrink by so much; more would make fine print flicker."""


class Pyramid:
    """One picture (H, W, 3) uint8 at full size, half, quarter and so on. Not to be written to meanwhile."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    @classmethod
    def over(cls, image: Image | Pyramid) -> Pyramid:
        """The pyramid itself, or one over a picture."""
        return image if isinstance(image, Pyramid) else cls(image)

    @property
    def image(self) -> Image:
        """The picture at full size."""
        return self._levels[0]

    def level(self, number: int) -> Image:
        """The picture halved `number` times. An odd last row or column is left out, so that the factor is exact."""
        while len(self._levels) <= number:
            last = self._levels[-1]
            height, width = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
            half = cv2.resize(last[:height, :width], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(half.astype(np.uint8, copy=False))
        return self._levels[number]

    def shrunk(self, shrink: float, left: float = LEFT) -> tuple[Image, float]:
        """The largest level that needs shrinking by less than `left` more, and its scale (1, 0.5, 0.25 ...)."""
        number = 0
        while shrink >= left * 2**number and min(self.image.shape[:2]) >= 4 * 2**number:
            number += 1
        return self.level(number), 0.5**number
