"""Table tops for films that measure: none of them is among the surfaces that training draws.

As in `textures` each is `name(rng, height, width) -> (height, width, 3) uint8 BGR`, seen from straight above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from datasets.textures import Bgr, Image, Plane, colour, fill, grain, grey, mix, noise


def gingham(rng: np.random.Generator, height: int, width: int) -> Image:
    """A cloth of checks: two colours and their mixture."""
    pitch = height * rng.uniform(0.03, 0.12)
    x, y = _turned(rng, height, width)
    amount = np.asarray(0.5 * ((x // pitch) % 2 + (y // pitch) % 2), np.float32)
    return grain(rng, mix(amount, grey(rng, 0.8, 1.0), colour(rng, value=(0.3, 0.8))), 4)


def stripes(rng: np.random.Generator, height: int, width: int) -> Image:
    """A runner with stripes of several widths."""
    x, _ = _turned(rng, height, width)
    edges = np.cumsum(rng.uniform(0.01, 0.12, 60)) * height - 1.5 * width
    colours = np.array([colour(rng, value=(0.2, 0.9)) for _ in range(4)])
    bands = np.searchsorted(edges, x) % 4
    return grain(rng, colours[bands].astype(np.uint8), 5)


def cork(rng: np.random.Generator, height: int, width: int) -> Image:
    """Pressed grains, light and dark."""
    rough = noise(rng, height, width, cells=max(8, height // 12), octaves=2)
    image = mix(rough, (60.0, 105.0, 160.0), (125.0, 175.0, 215.0))
    for _ in range(height * width // 1500):
        middle = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(image, middle, int(rng.integers(1, 3)), (45, 75, 115), -1, cv2.LINE_AA)
    return image


def flowers(rng: np.random.Generator, height: int, width: int) -> Image:
    """An oilcloth with flowers strewn over it."""
    image = fill(height, width, colour(rng, saturation=(0, 0.4), value=(0.6, 1.0)))
    kinds = [(colour(rng, value=(0.4, 1.0)), colour(rng, value=(0.4, 1.0)), int(rng.integers(5, 9))) for _ in range(3)]
    for _ in range(int(rng.integers(60, 140))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        _flower(image, (x, y), height * rng.uniform(0.015, 0.05), rng.uniform(0, 6.28), kinds[int(rng.integers(3))])
    return grain(rng, image, 3)


def bamboo(rng: np.random.Generator, height: int, width: int) -> Image:
    """A mat of thin rods, bound across."""
    x, y = _turned(rng, height, width)
    pitch, bound = height * rng.uniform(0.012, 0.03), height * rng.uniform(0.15, 0.3)
    round_ = np.abs(np.sin(np.pi * x / pitch))
    tone = np.asarray(0.25 + 0.5 * round_ + 0.25 * noise(rng, height, width, 6), np.float32)
    tone = np.where(y % bound < 0.05 * bound, 0.15 * tone, tone).clip(0, 1)
    return mix(tone, (30.0, 60.0, 90.0), (150.0, 200.0, 225.0))


def terrazzo(rng: np.random.Generator, height: int, width: int) -> Image:
    """Chips of stone in a pale ground."""
    image = fill(height, width, grey(rng, 0.6, 0.95))
    stones = [colour(rng, saturation=(0, 0.5)) for _ in range(4)]
    for _ in range(int(rng.integers(250, 600))):
        middle = rng.uniform(0, 1, 2) * [width, height]
        corners = middle + rng.normal(0, height * rng.uniform(0.004, 0.02), (6, 2))
        hull = cv2.convexHull(corners.astype(np.int32))
        cv2.fillConvexPoly(image, hull, stones[int(rng.integers(4))], cv2.LINE_AA)
    return grain(rng, image, 3)


HELD_TOPS: Final[tuple[Callable[[np.random.Generator, int, int], Image], ...]] = (
    gingham,
    stripes,
    cork,
    flowers,
    bamboo,
    terrazzo,
)


def _turned(rng: np.random.Generator, height: int, width: int) -> tuple[Plane, Plane]:
    """Places across and along a pattern that lies at any angle, px."""
    angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.2)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = columns - width / 2, rows - height / 2
    return (
        np.asarray(x * np.cos(angle) + y * np.sin(angle), np.float32),
        np.asarray(y * np.cos(angle) - x * np.sin(angle), np.float32),
    )


def _flower(image: Image, middle: tuple[float, float], size: float, turn: float, kind: tuple[Bgr, Bgr, int]) -> None:
    petals, heart, count = kind
    for at in range(count):
        angle = turn + 2 * np.pi * at / count
        place = (int(middle[0] + size * np.cos(angle)), int(middle[1] + size * np.sin(angle)))
        cv2.circle(image, place, max(1, int(0.55 * size)), petals, -1, cv2.LINE_AA)
    cv2.circle(image, (int(middle[0]), int(middle[1])), max(1, int(0.6 * size)), heart, -1, cv2.LINE_AA)
