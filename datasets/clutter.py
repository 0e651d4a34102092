"""What else lies on the table: a drink, a telephone, other cards face up beside the pile."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.textures import Image, colour
from datasets.virtual_table import CARD_MM, Pose, Vector, VirtualTable
from referee.cards import FACES

APART = 1.75 * CARD_MM[1]
"""Millimetres from the piles at least."""
TRIES = 200


def clutter(rng: np.random.Generator, table: VirtualTable) -> None:
    """Puts some things on the table, away from the piles and inside the picture."""
    cards = [(FACES[int(rng.integers(54))], _pose(rng, place)) for place in _places(rng, table, 3)]
    things = _places(rng, table, 2)

    def paint(picture: Image) -> None:
        for number, place in enumerate(things):
            middle = table.camera.project(place[None])[0]
            (_drink if number == 0 else _telephone)(rng, picture, middle, table.card_px)

    table.put_aside(cards, paint)


def _pose(rng: np.random.Generator, place: Vector) -> Pose:
    return Pose(float(place[0]), float(place[1]), float(rng.uniform(0, 360)))


def _places(rng: np.random.Generator, table: VirtualTable, count: int) -> list[Vector]:
    """Places in mm that are far from the piles and in view; fewer when the picture has no room."""
    found: list[Vector] = []
    for _ in range(TRIES):
        place = rng.uniform(-350, 350, 2)
        x, y = table.camera.project(place[None])[0]
        inside = 0.06 < x / table.size[0] < 0.94 and 0.08 < y / table.size[1] < 0.92
        far = all(np.linalg.norm(place - pile) > APART for pile in (table.discard, table.draw))
        if inside and far and all(np.linalg.norm(place - other) > 60 for other in found):
            found.append(place)
        if len(found) == count:
            break
    return found


def _drink(rng: np.random.Generator, picture: Image, middle: Vector, card: float) -> None:
    x, y = (int(value) for value in middle)
    inside, rim = colour(rng, value=(0.2, 0.8)), colour(rng, saturation=(0, 0.15), value=(0.7, 1.0))
    radius = int(0.4 * card)
    cv2.circle(picture, (x + radius // 6, y + radius // 5), radius, (25, 25, 25), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), radius, rim, -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), int(0.82 * radius), inside, -1, cv2.LINE_AA)
    cv2.ellipse(
        picture, (x - radius // 4, y - radius // 4), (radius // 4, radius // 7), -40, 0, 360, (250, 250, 250), -1
    )


def _telephone(rng: np.random.Generator, picture: Image, middle: Vector, card: float) -> None:
    box = ((float(middle[0]), float(middle[1])), (0.8 * card, 1.6 * card), float(rng.uniform(0, 180)))
    corners = np.round(cv2.boxPoints(box)).astype(np.int32)
    cv2.fillConvexPoly(picture, corners, (18, 17, 16), cv2.LINE_AA)
    glass = np.round(cv2.boxPoints((box[0], (0.72 * card, 1.4 * card), box[2]))).astype(np.int32)
    cv2.fillConvexPoly(picture, glass, (60, 52, 44), cv2.LINE_AA)
