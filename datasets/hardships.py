"""One card under one hardship at a time: small, blurred, in coloured light, cut off, held before a face, under fingers.

`scene(rng, bank, kind)` draws one; every card can be named by a person. Never trained on as such; they tell which kind
of picture costs cards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from datasets import degrade, foreign, hands, layouts, warp
from datasets.backgrounds import background
from datasets.bank import Bank
from datasets.layouts import Spot
from datasets.scenes import Scene
from datasets.textures import Image

SHAPE: Final = (480, 640)
Effect = Callable[[np.random.Generator, Image], Image]


def _lamp(blue: float, green: float, red: float) -> Effect:
    def lit(rng: np.random.Generator, image: Image) -> Image:
        share = rng.uniform(0.6, 1)
        gains = 1 - share * (1 - np.array([blue, green, red]))
        return np.asarray((image * gains).clip(0, 255), np.uint8)

    return lit


def _plain(rng: np.random.Generator, image: Image) -> Image:
    return image


EFFECTS: Final[dict[str, Effect]] = {
    "plain": _plain,
    "40 px tall": _plain,
    "motion blur": lambda rng, image: degrade.motion(rng, image, rng.uniform(0.3, 0.6)),
    "soft focus": lambda rng, image: degrade.defocus(rng, image, rng.uniform(0.3, 0.7)),
    "yellow lamp": _lamp(0.45, 0.85, 1.0),
    "blue light": _lamp(1.0, 0.8, 0.55),
    "green light": _lamp(0.6, 1.0, 0.65),
    "dim room": lambda rng, image: degrade.sensor(rng, (image * rng.uniform(0.2, 0.4)).astype(np.uint8), 0.5),
    "glare": lambda rng, image: degrade.glare(rng, image, rng.uniform(0.4, 0.9)),
    "strong compression": lambda rng, image: degrade.compression(rng, image, 1.0),
    "cut by the edge": _plain,
    "flat view": _plain,
    "before a face": _plain,
    "under fingers": _plain,
}


def scene(rng: np.random.Generator, bank: Bank, kind: str) -> Scene:
    """One picture of one card of the kind."""
    image = _ground(rng, kind)
    card, sprite, _ = bank.sample(rng)
    while card is None:
        card, sprite, _ = bank.sample(rng)
    spot = _spot(rng, kind)
    quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
    quad = layouts.seen_through(_view(rng, spot, kind), quad)
    warp.shade(image, quad + 0.01 * spot.height, 0.02 * spot.height + 1, 0.4)
    warp.paste(image, sprite, quad)
    if kind == "under fingers":
        _fingers(rng, image, quad, spot.height)
    image = degrade.camera(rng, EFFECTS[kind](rng, image), rng.uniform(0, 0.2))
    ones = np.ones(1, np.float32)
    return Scene(image, quad[None].astype(np.float32), (card,), ones, ones, kind)


def _ground(rng: np.random.Generator, kind: str) -> Image:
    image = np.ascontiguousarray(background(rng, *SHAPE))
    if kind == "before a face":
        sprite = foreign.thing(rng, "face", 470)
        warp.paste(image, sprite, layouts.rectangle(Spot(320, 245, 470, 0.0), sprite.shape[1] / sprite.shape[0]))
    return image


def _spot(rng: np.random.Generator, kind: str) -> Spot:
    tall = 40.0 if kind == "40 px tall" else float(rng.uniform(120, 300))
    x, y = (float(v) for v in rng.uniform(0.35, 0.65, 2) * SHAPE[::-1])
    if kind == "cut by the edge":
        x = tall * rng.uniform(0.02, 0.16) if rng.random() < 0.5 else SHAPE[1] - tall * rng.uniform(0.02, 0.16)
    return Spot(x, y, tall, layouts.turned(rng))


def _view(rng: np.random.Generator, spot: Spot, kind: str) -> layouts.Matrix:
    """From above, or for a flat view leaning by 50 to 62 degrees."""
    if kind != "flat view":
        return layouts.view(rng, (spot.x, spot.y), spot.height * 6)
    lean, axis = rng.uniform(0.87, 1.08), rng.uniform(0, 2 * np.pi)
    n = np.array([np.cos(axis), np.sin(axis)])
    turn = np.eye(3)
    turn[:2, :2] -= (1 - np.cos(lean)) * np.outer(n, n)
    turn[2, :2] = np.sin(lean) * n / (spot.height * 6)
    move = np.array([[1, 0, spot.x], [0, 1, spot.y], [0, 0, 1]])
    return np.asarray(move @ turn @ np.linalg.inv(move), np.float64)


def _fingers(rng: np.random.Generator, image: Image, quad: warp.Quad, tall: float) -> None:
    """A hand that reaches over one edge by up to a fifth of the card."""
    mask = np.zeros(SHAPE, np.uint8)
    edge = int(rng.integers(4))
    middle = (quad[edge] + quad[(edge + 1) % 4]) / 2
    away = middle - quad.mean(axis=0)
    away = away / max(1e-6, float(np.linalg.norm(away)))
    target = middle - away * tall * rng.uniform(0.05, 0.2)
    hands.reaching(
        rng, image, mask, target.astype(np.float64), away.astype(np.float64), tall * 0.9, hands.Look.random(rng)
    )


def sheet(rng: np.random.Generator, bank: Bank) -> Image:
    """One picture of every kind, side by side."""
    tiles = []
    for kind in EFFECTS:
        tile = cv2.resize(scene(rng, bank, kind).image, (320, 240), interpolation=cv2.INTER_AREA)
        cv2.putText(tile, kind, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 2, cv2.LINE_AA)
        cv2.putText(tile, kind, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    rows = [np.hstack(tiles[at : at + 7]) for at in range(0, len(tiles), 7)]
    return np.asarray(np.vstack(rows), np.uint8)
