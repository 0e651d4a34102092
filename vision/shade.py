"""Shadows: what only the light changed between two pictures of a place, told from things by its colour and its rim.

A shadow darkens all colours alike, and fades in and out where it ends. A thing has another colour than what it covers,
or at least a sharp rim.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Plane = npt.NDArray[np.float32]

DARKEST: Final = 1.2
"""Logarithm of the most by which light may change what is seen: to a third, or threefold."""
COLOURED: Final = 0.14
"""By how much the channels may differ, as logarithms. Lower: noise is a thing; higher: pale hands are shade."""
SHARP: Final = 0.05
"""Change of the logarithm from one place to the next from which it is a rim. Lower: crisp shadows are things; higher:
things out of focus are shade."""
LIFT: Final = 8.0
"""Grey levels added before pictures are divided, so that the dark is not all noise."""


def shade(before: Plane, now: Plane, changed: Mask, soft: float) -> Mask:
    """Which of the places that changed are only lit otherwise. Pictures (h, w, 3) float32, masks (h, w).

    soft: share of its rim at which a shadow must fade out; the rest may lie under things or at the picture's edge.
    Lower: brown hands on brown tables are shade; higher: shadows that end under cards are things.
    """
    found = np.zeros_like(changed)
    where = _around(changed)
    if where is not None:
        found[where] = _fading(_lit_otherwise(before[where], now[where]) & changed[where], changed[where], soft)
    return found


def _around(changed: Mask) -> tuple[slice, slice] | None:
    """The part of the picture in which anything changed, and a little more; None when nothing did."""
    x, y, width, height = cv2.boundingRect(changed.astype(np.uint8))
    if not width:
        return None
    return slice(max(0, y - 4), y + height + 4), slice(max(0, x - 4), x + width + 4)


def _lit_otherwise(before: Plane, now: Plane) -> Mask:
    """Where all channels changed alike, and as neighbours did."""
    ratio = cv2.blur(cv2.log((now + LIFT) / (before + LIFT)), (3, 3))
    blue, green, red = cv2.split(ratio)
    spread = cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))
    smooth = (spread < COLOURED) & (np.abs(green) < DARKEST) & (_slope(green) < SHARP)
    return np.asarray(cv2.medianBlur(smooth.astype(np.uint8), 5), bool)


def _slope(plane: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """How much a plane changes from each place to the next."""
    return cv2.magnitude(cv2.Sobel(plane, cv2.CV_32F, 1, 0), cv2.Sobel(plane, cv2.CV_32F, 0, 1)) / 8


def _fading(like: Mask, changed: Mask, soft: float) -> Mask:
    """Those parts of `like` whose rim is for the most part where nothing changed."""
    count, labels = cv2.connectedComponents(like.astype(np.uint8), connectivity=4)
    rims, ends = np.zeros(count), np.zeros(count)
    whole, rest = (slice(None), slice(None, -1), slice(1, None)), ~changed
    for inner, outer in ((whole[1], whole[2]), (whole[2], whole[1])):
        for here, there in (((inner, whole[0]), (outer, whole[0])), ((whole[0], inner), (whole[0], outer))):
            rim = like[here] & ~like[there]
            rims += np.bincount(labels[here][rim], minlength=count)
            ends += np.bincount(labels[here][rim & rest[there]], minlength=count)
    fading = ends >= soft * np.maximum(rims, 1)
    fading[0] = False
    return np.asarray(fading[labels] & like)
