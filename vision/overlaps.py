"""How far two quads cover each other."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

PIECE: Final = 0.5
INSIDE: Final = 0.75
"""A quad under `PIECE` of another's area, of which `INSIDE` lies in that other, is a piece of it."""


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads (4, 2), 0 to 1."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    union = abs(cv2.contourArea(a)) + abs(cv2.contourArea(b)) - common
    return float(common / union) if union > 0 else 0.0


def same_place(one: Floats, other: Floats) -> float:
    """Overlap of two quads; 0 where one of them is so odd that it has none."""
    return overlap(one, other) if cv2.isContourConvex(one) and cv2.isContourConvex(other) else 0.0


def within(inner: Floats, outer: Floats) -> bool:
    """Whether a quad is a piece of a much larger one: a corner or the glyph of that card, not a card on it."""
    small, large = abs(cv2.contourArea(inner)), abs(cv2.contourArea(outer))
    if small > PIECE * large:
        return False
    shared, _ = cv2.intersectConvexConvex(inner, outer)
    return bool(shared > INSIDE * small)
