"""The whole table looked at: once as it is, and once in pieces, in which its cards are large enough to be found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from vision.detections import Detection, Detections, Image
from vision.overlaps import overlap
from vision.sight import Sight

PIECE: Final = 0.62
"""Side of a piece, in heights of the picture. Smaller pieces find smaller cards and take longer."""
SHARED: Final = 0.35
"""Least share of a piece that its neighbour shows as well, so that no card is cut in both."""
SAME: Final = 0.4
"""Overlap from which two finds are one card."""


def survey(sight: Sight, image: Image) -> Detections:
    """The cards of a whole picture; of several finds of one card the surest."""
    found = list(sight.see(image))
    for rows, columns in pieces(image.shape[0], image.shape[1]):
        shift = np.array([columns.start, rows.start], np.float32)
        found += list(sight.see(image[rows, columns]).moved(shift))
    return Detections.of(_distinct(found))


def pieces(height: int, width: int) -> Iterator[tuple[slice, slice]]:
    """Windows, square and overlapping, that cover a picture."""
    side = max(1, round(PIECE * height))
    for top in _starts(height, side):
        for left in _starts(width, side):
            yield slice(top, top + side), slice(left, left + side)


def _starts(length: int, side: int) -> list[int]:
    steps = max(1, int(np.ceil((length - side) / ((1 - SHARED) * side)))) if length > side else 0
    return [round(step * (length - side) / max(1, steps)) for step in range(steps + 1)]


def _distinct(found: list[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for seen in sorted(found, key=lambda card: -card.confidence * card.score):
        if all(overlap(seen.quad, other.quad) < SAME for other in kept):
            kept.append(seen)
    return kept
