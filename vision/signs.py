"""Whether two pictures of cards show the same sign, pixel by pixel, however crooked either was cut out.

What tells the cards of a deck apart is mostly the sign in their middle; all else is the same on many. The middle of a
card that was shown is looked for about the middle of the one that is seen (normalised correlation), once as it was cut
out and once after the whole pictures were laid over each other (ECC, Evangelidis and Psarakis 2008), either way up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image

Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Window = tuple[slice, slice]

MIDDLE: Final = (0.60, 0.42)
AROUND: Final = (0.80, 0.56)
"""Shares of a picture's width and height: the part that is looked for, and where."""

WHOLE: Final = (0.86, 0.86)
"""The part of a card whose middle is bare."""

BARE: Final = 6.0
"""Standard deviation of the grey of a middle without a sign."""

CLEAR: Final = 0.985
"""Likeness that needs no laying over each other."""

LAID: Final = 6
"""How many pairs are laid over each other, the likeliest ones."""

SHRUNK: Final = 0.5
FREE: Final = 3
"""How much smaller the pictures are then, and by how many of those px one may hang over the other."""

STEPS: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 12, 1e-3)


class Signs:
    """The pictures (n, h, w, 3) uint8 of a deck, ready to be compared with."""

    def __init__(self, pictures: Image) -> None:
        self._pictures, self._small = pictures, [_small(picture) for picture in pictures]
        shape = pictures.shape[1:3]
        middle, around, whole = (_window(shape, share) for share in (MIDDLE, AROUND, WHOLE))
        everywhere = _window(shape, (1.0, 1.0))
        self._windows = [(whole, everywhere) if _bare(picture[middle]) else (middle, around) for picture in pictures]

    def alike(self, seen: Image, which: Sequence[int]) -> Floats:
        """How alike (len(which),) the sign of a picture (h, w, 3) is to those of pictures of the deck, -1 to 1."""
        ways = (seen, np.ascontiguousarray(seen[::-1, ::-1]))
        first = np.array([[self._match(way, number) for number in which] for way in ways], np.float32)
        if first.max(initial=0) < CLEAR:
            small = [_small(way) for way in ways]
            for pair in np.argsort(-first, axis=None)[:LAID]:
                way, at = divmod(int(pair), len(which))
                matrix = self._laid(small[way], which[at])
                if matrix is not None:
                    first[way, at] = max(first[way, at], self._match(_moved(ways[way], matrix), which[at]))
        return np.asarray(first.max(axis=0), np.float32)

    def _match(self, seen: Image, number: int) -> float:
        part, around = self._windows[number]
        sign = self._pictures[number][part]
        if _bare(sign):
            return 0.0
        return float(cv2.matchTemplate(seen[around], sign, cv2.TM_CCOEFF_NORMED).max())

    def over(self, seen: Image, number: int) -> Matrix | None:
        """The homography from a picture of the deck to that card in `seen`, either way up; None if there is none."""
        ways = (seen, np.ascontiguousarray(seen[::-1, ::-1]))
        found = [self._laid(_small(way), number) for way in ways]
        chances = [
            -1.0 if matrix is None else self._match(_moved(way, matrix), number)
            for way, matrix in zip(ways, found, strict=True)
        ]
        matrix = found[int(np.argmax(chances))]
        if matrix is None or not np.argmax(chances):
            return matrix
        return np.array([[-1, 0, seen.shape[1] - 1], [0, -1, seen.shape[0] - 1], [0, 0, 1.0]]) @ matrix

    def _laid(self, small: Floats, number: int) -> Matrix | None:
        """The homography from a picture of the deck to a shrunk one that is the same way up."""
        inner = self._small[number][FREE:-FREE, FREE:-FREE]
        matrix = np.array([[1, 0, FREE], [0, 1, FREE], [0, 0, 1]], np.float32)
        everywhere = np.full(small.shape, 255, np.uint8)
        try:
            _, found = cv2.findTransformECC(inner, small, matrix, cv2.MOTION_HOMOGRAPHY, STEPS, everywhere, 1)
        except cv2.error:  # the two have nothing in common
            return None
        whole, back = np.diag([1 / SHRUNK, 1 / SHRUNK, 1]), np.diag([SHRUNK, SHRUNK, 1])
        shift = np.array([[1, 0, -FREE], [0, 1, -FREE], [0, 0, 1]])
        return np.asarray(whole @ found @ shift @ back, np.float64)


def _moved(seen: Image, matrix: Matrix) -> Image:
    """What is seen, laid over the picture of the deck."""
    how, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (seen.shape[1], seen.shape[0])
    return np.asarray(cv2.warpPerspective(seen, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _window(shape: tuple[int, ...], share: tuple[float, float]) -> Window:
    """The middle of a picture of this (height, width)."""
    (tall, wide), (across, down) = shape, share
    top, left = round(tall * (1 - down) / 2), round(wide * (1 - across) / 2)
    return slice(top, tall - top), slice(left, wide - left)


def _bare(picture: Image) -> bool:
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).std()) < BARE


def _small(picture: Image) -> Floats:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    little = cv2.resize(grey, None, fx=SHRUNK, fy=SHRUNK, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(little, (0, 0), 1.0), np.float32)
