"""Where a hand of cards can be laid open: a row, or two, in view and away from the piles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np

from datasets.virtual_table import CARD_MM, Pose, VirtualTable

STEPS: Final = (62.0, 54.0, 46.0, 40.0, 34.0, 28.0, 24.0, 20.0, 16.0)
"""Millimetres from card to card, the most convenient first."""
AWAY: Final = 1.35 * CARD_MM[1]
"""Millimetres from the middle of a pile at least."""
MARGIN: Final = 0.03
"""Share of the picture that stays free at its edges."""


def free_row(table: VirtualTable, count: int) -> list[Pose]:
    """Places for `count` cards, upright: in one row, else in two. Raises ValueError when there is no room."""
    for step, rows in product(STEPS, (1, 2)):
        for poses in _rows(count, step, rows):
            if all(_is_free(table, pose) for pose in poses):
                return poses
    raise ValueError(f"there is no room for {count} cards on this table")


def _rows(count: int, step: float, rows: int) -> Iterator[list[Pose]]:
    """Rows of one width at all heights, those nearest to the picture's middle first."""
    across = int(np.ceil(count / rows))
    places = [(step * (at % across - (across - 1) / 2), at // across) for at in range(count)]
    heights = sorted(np.arange(-230.0, 231.0, 10.0), key=abs)
    for y, x in product(heights, sorted(np.arange(-240.0, 241.0, 40.0), key=abs)):
        yield [Pose(float(x + place), float(y) * (1 - 2 * row), 0.0) for place, row in places]


def _is_free(table: VirtualTable, pose: Pose) -> bool:
    place = np.array([pose.x, pose.y])
    far = all(np.linalg.norm(place - pile) >= AWAY for pile in (table.discard, table.draw))
    if not far:
        return False
    corners = table.camera.quad(pose) / np.array(table.size)
    return bool((corners > MARGIN).all() and (corners < 1 - MARGIN).all())
