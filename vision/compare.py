"""Two still pictures of one place: what changed between them, light and shadows apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image, Quads
from vision.shade import shade
from vision.zones import Zone

CARD: Final = 72
"""Height of a card, px, at which pictures are compared: enough for a digit, too little for noise."""
CHANGED: Final = 24.0
"""Grey levels from which a place changed. Lower: shadows count; higher: a pale glyph on a pale card does not."""
ASPECT: Final = 0.645
"""Width of a card by its height."""
SIDES: Final = 0.22
"""By how much the sides of a change may differ from those of a card for it to look like one."""
BURNT: Final = 250
"""Grey level from which a camera may have cut the light off."""
FADING: Final = 0.25
"""Share of its rim at which a shadow must fade out: it may end under cards and at the window's edge."""
RIM: Final = 0.04
"""By how much cards are shrunk or grown where only what certainly lies in or outside them counts."""
RADIUS: Final = 1.7
"""How far around the pile is compared, card heights."""
AROUND: Final = 1.45
"""Within which of that a change is of the pile, card heights."""

Mask = npt.NDArray[np.bool_]
Plane = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A whole frame's picture, (H, W, 3) uint8 BGR, and where hands hide the table: `hidden` (h, w) of a small copy."""

    picture: Image
    hidden: Mask
    _copies: dict[tuple[object, ...], Plane] = field(default_factory=dict, repr=False)

    def copy(self, where: tuple[slice, slice], factor: float) -> Plane:
        """A part of the picture in another size (h, w, 3) float32, made once for as long as the same one is asked for.

        It is not to be written to.
        """
        key = (where[0].start, where[0].stop, where[1].start, where[1].stop, factor)
        if key not in self._copies:
            how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
            small = cv2.resize(self.picture[where], None, fx=factor, fy=factor, interpolation=how)
            self._copies.clear()
            self._copies[key] = cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32)
        return self._copies[key]


class Difference:
    """What changed around a zone from one view to another, hands apart.

    level: grey levels from which a place changed. `mask` (h, w) is in a copy of the zone's window at which a card is
    `CARD` px high.
    """

    def __init__(self, before: View, after: View, zone: Zone, level: float = CHANGED) -> None:
        self._factor = CARD / zone.card
        where = zone.window(after.picture.shape, RADIUS)
        self._origin = np.array([where[1].start, where[0].start], np.float32)
        one, other = before.copy(where, self._factor), after.copy(where, self._factor)
        gain = np.median((other[::2, ::2] + 3) / (one[::2, ::2] + 3), axis=(0, 1))
        changed = _apart(one, other, gain.astype(np.float32)) > level
        rough = (changed & ~shade(one * gain.astype(np.float32), other, changed, FADING)).astype(np.uint8)
        self.mask: Mask = cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(bool)
        self.mask &= ~hidden(before, after, where, self.mask.shape)
        disc = self.around(zone, AROUND)
        self.elsewhere = float(self.mask[~disc].mean()) if (~disc).any() else 0.0
        self.mask &= disc

    @property
    def amount(self) -> float:
        """How much changed on the pile, in areas of a card."""
        return self.amount_in(self.mask)

    def amount_in(self, place: Mask) -> float:
        """How much changed within a place of the copy, in areas of a card."""
        return float((self.mask & place).sum()) / (CARD * CARD * 0.64)

    def explained(self, *quads: Quads) -> float:
        """The share of the change that lies inside a card, or several, 0 to 1 (0 when nothing changed)."""
        total = float(self.mask.sum())
        inside = np.logical_or.reduce([self.inside(quad, 1.08) for quad in quads])
        return float((self.mask & inside).sum()) / total if total else 0.0

    def beside(self, quad: Quads) -> float:
        """How much changed on the pile outside a card, in areas of a card."""
        return float((self.mask & ~self.inside(quad, 1.08)).sum()) / (CARD * CARD * 0.64)

    def card(self) -> Quads | None:
        """The card that the change looks like, (4, 2) px of the frame; None when it does not look like one."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(self.mask.astype(np.uint8))
        big = [label for label in range(1, count) if stats[label, cv2.CC_STAT_AREA] > 0.03 * CARD * CARD]
        if not big:
            return None
        points = np.argwhere(np.isin(labels, big))[:, ::-1].astype(np.float32)
        (x, y), sides, angle = cv2.minAreaRect(points)
        if sides[0] > sides[1]:
            sides, angle = (sides[1], sides[0]), angle + 90
        if not (abs(sides[1] / CARD - 1) < SIDES and abs(sides[0] / (CARD * ASPECT) - 1) < SIDES):
            return None
        turn = np.radians(angle)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(sides) / 2
        return np.asarray((half @ spin + [x, y]) / self._factor + self._origin, np.float32)

    def within(self, quad: Quads, *others: Quads) -> tuple[float, float]:
        """The share of a card that changed, and the share of it that was looked at: all but what others cover."""
        place = self.inside(quad, 1 - RIM)
        whole = max(1.0, float(place.sum()))
        for other in others:
            place &= ~self.inside(other, 1 + RIM)
        looked = float(place.sum())
        return (float((self.mask & place).sum()) / looked if looked else 0.0), looked / whole

    def inside(self, quad: Quads, grown: float = 1.0) -> Mask:
        """The places of the copy that a quad (4, 2) px of the frame covers, grown about its middle."""
        points = (np.asarray(quad, np.float32) - self._origin) * self._factor
        middle = points.mean(0)
        points = (points - middle) * grown + middle
        filled = np.zeros(self.mask.shape, np.uint8)
        cv2.fillConvexPoly(filled, np.round(points * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        return filled.astype(bool)

    def around(self, zone: Zone, heights: float) -> Mask:
        """The places of the copy within so many heights of a card of the middle of a zone."""
        rows, columns = np.ogrid[: self.mask.shape[0], : self.mask.shape[1]]
        x, y = (np.array([zone.x, zone.y]) - self._origin) * self._factor
        return np.asarray((columns - x) ** 2 + (rows - y) ** 2 <= (heights * zone.card * self._factor) ** 2)


def _apart(
    one: npt.NDArray[np.float32], other: npt.NDArray[np.float32], gain: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """How far pixels differ once `one` is put into the light of `other`; burnt-out white may have been brighter."""
    difference = other - np.minimum(one * gain, 255)
    burnt = (one >= BURNT) & (difference > 0)
    return largest(np.where(burnt, 0, np.abs(difference)))


def largest(channels: npt.NDArray[np.floating]) -> Plane:
    """The largest of three channels (..., 3); many times faster than `max` along so short an axis."""
    first, second, third = (channels[..., number] for number in range(3))
    return np.asarray(np.maximum(np.maximum(first, second), third), np.float32)


def hidden(before: View, after: View, where: tuple[slice, slice], shape: tuple[int, ...]) -> Mask:
    """Where a hand hides the window in either view, its shadow included."""
    small = (before.hidden | after.hidden).astype(np.uint8)
    if not small.any():
        return np.zeros(shape, bool)
    whole = cv2.resize(cv2.dilate(small, np.ones((5, 5), np.uint8)), after.picture.shape[1::-1])
    return cv2.resize(whole[where], shape[::-1], interpolation=cv2.INTER_NEAREST).astype(bool)
