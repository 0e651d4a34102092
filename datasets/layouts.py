"""How cards lie: each layout is `name(rng, shape) -> list[Spot]`, drawn in that order on a table seen from above.

`shape` is (height, width) of the picture in px. A spot says where a card's centre is, how high the card is and
how it is turned; `view` then looks at the whole table aslant.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from datasets.warp import Quad

Matrix = npt.NDArray[np.float64]
Shape = tuple[int, int]


@dataclass(frozen=True)
class Spot:
    """A place for a card: centre (x, y) px, height px, angle in radians (clockwise); a back where `hidden`."""

    x: float
    y: float
    height: float
    angle: float
    hidden: bool = False


def rectangle(spot: Spot, ratio: float) -> Quad:
    """The spot's corners for a card `ratio` times as wide as high; (4, 2) px clockwise from its top-left."""
    c, s = np.cos(spot.angle), np.sin(spot.angle)
    half = np.array([ratio, 1.0]) * spot.height / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    turned_by = np.array([[c, s], [-s, c]])
    return np.asarray(signs * half @ turned_by + [spot.x, spot.y], np.float32)


def view(rng: np.random.Generator, centre: tuple[float, float], far: float) -> Matrix:
    """A homography that leans the plane back about `centre`; `far` px is the camera's distance.

    Mostly within 25 degrees, at times up to 45, seldom up to 66.
    """
    lean = min(abs(rng.normal(0, 0.3)), 0.8)
    if rng.random() < 0.08:
        lean = rng.uniform(0.7, 1.15)
    axis = rng.uniform(0, 2 * np.pi)
    n = np.array([np.cos(axis), np.sin(axis)])
    turn = np.eye(3)
    turn[:2, :2] -= (1 - np.cos(lean)) * np.outer(n, n)
    turn[2, :2] = np.sin(lean) * n / far
    move = np.array([[1, 0, centre[0]], [0, 1, centre[1]], [0, 0, 1]])
    back = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    return np.asarray(move @ turn @ back, np.float64)


def seen_through(matrix: Matrix, quad: Quad) -> Quad:
    """The quad after a homography; (4, 2) px."""
    points = np.hstack([quad, np.ones((4, 1))]) @ matrix.T
    return (points[:, :2] / points[:, 2:]).astype(np.float32)


def in_front(matrix: Matrix, quad: Quad) -> bool:
    """Whether the whole quad lies well before the camera (otherwise its picture has no meaning)."""
    return bool((np.hstack([quad, np.ones((4, 1))]) @ matrix[2] > 0.35).all())


def spread(rng: np.random.Generator, low: float, high: float) -> float:
    """A length drawn evenly by its logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def turned(rng: np.random.Generator) -> float:
    """An angle: any, but upright and sideways more often than chance."""
    if rng.random() < 0.4:
        return float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.12))
    return float(rng.uniform(-np.pi, np.pi))


def _around(rng: np.random.Generator, shape: Shape, share: float) -> tuple[float, float]:
    x, y = rng.uniform(0.5 - share, 0.5 + share, 2)
    return float(x * shape[1]), float(y * shape[0])


def one(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """One card, from a twelfth of the picture to nearly all of it; small ones may lie near the rim."""
    tall = spread(rng, 0.09, 0.85)
    if rng.random() < 0.5:
        tall = rng.uniform(0.22, 0.6)
    x, y = _around(rng, shape, min(0.48, max(0.08, 0.55 - 0.5 * tall)))
    return [Spot(x, y, tall * max(shape), turned(rng))]


def close(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """One card that fills or overfills the picture."""
    x, y = _around(rng, shape, 0.18)
    return [Spot(x, y, rng.uniform(0.75, 1.3) * max(shape), turned(rng))]


def pile(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """2 to 12 cards crookedly on each other."""
    tall = spread(rng, 0.14, 0.8) * max(shape)
    x, y = _around(rng, shape, 0.28)
    return _heap(rng, (x, y), tall, int(rng.integers(2, 13)))


def _heap(
    rng: np.random.Generator, centre: tuple[float, float], tall: float, number: int, hidden: bool = False
) -> list[Spot]:
    loose, skew = rng.uniform(0.01, 0.22) * tall, rng.uniform(0.03, 0.9)
    base = turned(rng)
    if rng.random() < 0.2:
        skew = 3.0
    return [
        Spot(x, y, tall, base + rng.normal(0, skew) + np.pi * (rng.random() < 0.5), hidden)
        for x, y in rng.normal(centre, loose, (number, 2))
    ]


def neat(rng: np.random.Generator, centre: tuple[float, float], tall: float) -> list[Spot]:
    """A squared stack of backs."""
    base, drift = turned(rng), rng.normal(0, 0.006, 2) * tall
    number = int(rng.integers(1, 9))
    return [Spot(centre[0] + i * drift[0], centre[1] + i * drift[1], tall, base, True) for i in range(number)]


def table(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """Draw pile beside discard pile, as in mid-game."""
    tall = spread(rng, 0.12, 0.42) * max(shape)
    x, y = _around(rng, shape, 0.15)
    way = rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.3)
    off = np.array([np.cos(way), np.sin(way)]) * tall * rng.uniform(0.55, 1.0)
    draw = (x - off[0], y - off[1])
    stack = neat(rng, draw, tall) if rng.random() < 0.7 else _heap(rng, draw, tall, int(rng.integers(3, 9)), True)
    return stack + _heap(rng, (x + off[0], y + off[1]), tall, int(rng.integers(1, 12)))


def fan(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """2 to 10 cards spread from a common point below, as in a hand."""
    number, tall = int(rng.integers(2, 11)), spread(rng, 0.2, 0.65) * max(shape)
    step = rng.uniform(0.06, 0.32) * rng.choice([-1, 1])
    base = rng.normal(0, 0.5) if rng.random() < 0.7 else turned(rng)
    radius = tall * rng.uniform(0.55, 1.6)
    x, y = _around(rng, shape, 0.2)
    pivot = np.array([x, y]) - radius * np.array([np.sin(base), -np.cos(base)])
    spots = []
    for i in range(number):
        angle = base + step * (i - (number - 1) / 2) + rng.normal(0, 0.02)
        centre = pivot + radius * np.array([np.sin(angle), -np.cos(angle)]) * rng.normal(1, 0.02)
        spots.append(Spot(float(centre[0]), float(centre[1]), tall, float(angle)))
    return spots


def rows(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """Cards in rows, close or overlapping, all one way up."""
    tall = spread(rng, 0.12, 0.4) * max(shape)
    step = tall * np.array([rng.uniform(0.3, 0.95), rng.uniform(0.8, 1.25)])
    down, across = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    base = rng.normal(0, 0.1) if rng.random() < 0.6 else turned(rng)
    c, s = np.cos(base), np.sin(base)
    x, y = _around(rng, shape, 0.1)
    spots = []
    for i in range(down):
        for j in range(across):
            u, v = (np.array([j - (across - 1) / 2, i - (down - 1) / 2]) + rng.normal(0, 0.02, 2)) * step
            spots.append(Spot(x + c * u - s * v, y + s * u + c * v, tall, base + rng.normal(0, 0.03)))
    return spots


def scattered(rng: np.random.Generator, shape: Shape) -> list[Spot]:
    """2 to 9 cards anywhere, some over others, some cut by the picture's rim."""
    tall = spread(rng, 0.12, 0.5) * max(shape)
    spots = []
    for _ in range(int(rng.integers(2, 10))):
        x, y = _around(rng, shape, 0.5)
        spots.append(Spot(x, y, tall * rng.normal(1, 0.01), turned(rng), rng.random() < 0.12))
    return spots
