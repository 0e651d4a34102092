"""How exactly the card on top of a pile lies where one lay before: far finer than any change that is seen.

Two cards are never put down alike: by the shift and turn that lay one picture over the other, a card taken neatly is
told from a pile that was only touched. They are found by the enhanced correlation coefficient of Evangelidis and
Psarakis (2008), on pictures out of which slow differences in brightness were divided: a shadow moves no card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.compare import CARD, Mask, View, hidden
from vision.detections import Image
from vision.zones import Zone

Plane = npt.NDArray[np.float32]

EVEN, SMOOTH = 5.0, 1.0
"""Widths (sigma) of the brightness that is divided out, and of what smooths noise before; px at `CARD` a card."""
DARK: Final = 8.0
"""Grey levels below which brightness is not divided out in full."""
MIDDLE: Final = 0.5
"""Card heights around the middle of a pile within which its top card is looked at, and what lies there only."""
TABLE: Final = 0.9, 1.4
"""Card heights from the middle of a pile between which the table around it is."""
APART: Final = 0.7
"""Card heights around the middle of another pile that belong to that."""
ARM: Final = 0.4
"""Card heights from the middle at which a turn moves a card by its angle times this."""
ENDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-5)
"""When the search ends: after so many steps, or when one gains less."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a picture must be laid over another: `moved` by how much, card heights; `alike`, 0 to 1, how well it fits.

    gain: how many times more differs without moving it. Near 1 where noise alone moves it.
    """

    moved: float
    alike: float
    gain: float = 1.0


class Aligned:
    """A draw pile in two pictures, ready to be laid over each other, `other` piles and hands left out."""

    def __init__(self, before: View, after: View, pile: Zone, other: Zone | None = None) -> None:
        factor = CARD / pile.card
        where = pile.window(after.picture.shape, TABLE[1])
        self._both = tuple(_even(view.picture[where], factor) for view in (before, after))
        shape = self._both[0].shape
        rows, columns = np.ogrid[: shape[0], : shape[1]]
        zones = [pile] if other is None else [pile, other]
        places = [((zone.x - where[1].start) * factor, (zone.y - where[0].start) * factor) for zone in zones]
        far = [np.hypot(columns - x, rows - y) / CARD for x, y in places]
        self._centre, self._far = np.array([*places[0], 1.0]), far[0]
        self._seen: Mask = ~hidden(before, after, where, shape)
        if other is not None:
            self._seen &= far[1] * pile.card > APART * other.card

    def card(self) -> Alignment:
        """How the card on top lies."""
        return self._within(self._far < MIDDLE, cv2.MOTION_EUCLIDEAN, 5)

    def table(self) -> Alignment:
        """How the table around it lies: it moves when the camera does."""
        return self._within((self._far > TABLE[0]) & (self._far < TABLE[1]), cv2.MOTION_TRANSLATION, 1)

    @property
    def sharper(self) -> float:
        """How many times sharper one picture of the card is than the other, 1 or more."""
        rough = [float(np.abs(cv2.Laplacian(even, cv2.CV_32F))[self._far < MIDDLE].mean()) for even in self._both]
        return max(rough) / max(1e-6, min(rough))

    def _within(self, place: Mask, motion: int, smooth: int) -> Alignment:
        mask = (place & self._seen).astype(np.uint8)
        lies = np.eye(2, 3, dtype=np.float32)
        try:
            alike, found = cv2.findTransformECC(self._both[0], self._both[1], lies, motion, ENDS, mask, smooth)
        except cv2.error:  # nothing is alike, or nothing to be seen
            return Alignment(0.0, 0.0)
        shift = float(np.hypot(*(found @ self._centre - self._centre[:2])))
        turn = abs(float(np.arctan2(found[1, 0], found[0, 0])))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        laid = np.asarray(cv2.warpAffine(self._both[1], found, mask.shape[::-1], flags=how), np.float32)
        left, before = (1 - _alike(self._both[0], other, mask > 0) for other in (laid, self._both[1]))
        return Alignment(max(shift / CARD, turn * ARM), max(0.0, float(alike)), before / max(1e-9, left))


def _alike(one: Plane, other: Plane, place: Mask) -> float:
    """The correlation of two pictures within a place, noise smoothed as the search smooths it."""
    smooth = [cv2.GaussianBlur(even, (5, 5), 0)[place] for even in (one, other)]
    return float(np.corrcoef(smooth[0], smooth[1])[0, 1])


def _even(picture: Image, factor: float) -> Plane:
    """The picture in grey at `CARD` px a card, without slow differences in brightness."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.GaussianBlur(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=how), (0, 0), SMOOTH)
    return np.asarray(small / (cv2.GaussianBlur(small, (0, 0), EVEN) + DARK), np.float32)
