"""Test pictures of single questions: which card lies on top of this pile, which cards are in this hand.

Unlike `scenes` they are never trained on, larger, and every one can be answered by a person. `pile` and `fan` give a
`Scene` as `scenes.compose` does; the last card of a pile is its top.
"""

from __future__ import annotations

import numpy as np

from datasets import degrade, layouts, warp
from datasets.backgrounds import background
from datasets.bank import Bank, Print, one_deck
from datasets.layouts import Spot
from datasets.scenes import Canvas, Scene

SHAPES = ((480, 640), (540, 960), (720, 960))
"""Heights and widths px of webcam pictures, the larger ones smaller than they come for the sake of time."""


def pile(rng: np.random.Generator, bank: Bank) -> Scene:
    """A discard pile of 2 to 12 cards, crooked to any degree, at times beside a draw pile; nothing covers its top."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    deck = one_deck(rng, bank)
    tall = rng.uniform(0.22, 0.6) * shape[0]
    x, y = (rng.uniform(0.35, 0.65, 2) * shape[::-1]).tolist()
    loose, skew, base = rng.uniform(0.02, 0.25) * tall, rng.uniform(0.05, 1.2), layouts.turned(rng)
    spots = []
    if rng.random() < 0.5:
        away = tall * rng.uniform(1.3, 1.7) * rng.choice([-1, 1])
        spots += [Spot(x + away, y, tall, base + rng.normal(0, 0.03), True) for _ in range(3)]
    for _ in range(int(rng.integers(2, 13))):
        dx, dy = rng.normal(0, loose, 2)
        spots.append(Spot(x + dx, y + dy, tall, base + rng.normal(0, skew) + np.pi * (rng.random() < 0.5)))
    return _drawn(rng, deck, shape, spots, "pile")


def fan(rng: np.random.Generator, bank: Bank) -> Scene:
    """A hand of 2 to 12 cards laid out in a fan or a row, of each at least about a quarter to be seen."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    number = int(rng.integers(2, 13))
    spots = _row(rng, shape, number) if rng.random() < 0.4 else _spread(rng, shape, number)
    return _drawn(rng, one_deck(rng, bank), shape, spots, "fan")


def _row(rng: np.random.Generator, shape: tuple[int, int], number: int) -> list[Spot]:
    """Side by side or overlapping, all about one way up."""
    step = rng.uniform(0.24, 0.9) * 0.65
    tall = min(0.55 * shape[0], 0.9 * shape[1] / (step * (number - 1) + 0.65)) * rng.uniform(0.75, 1)
    base = rng.normal(0, 0.05)
    left = shape[1] / 2 - step * tall * (number - 1) / 2
    y = shape[0] * rng.uniform(0.42, 0.58)
    places = [(left + step * tall * i, y + rng.normal(0, 0.015 * tall)) for i in range(number)]
    return [Spot(x, y, tall, base + rng.normal(0, 0.03) + np.pi * (rng.random() < 0.5)) for x, y in places]


def _spread(rng: np.random.Generator, shape: tuple[int, int], number: int) -> list[Spot]:
    """About a point below, as a hand holds them; the top left corner of each is free."""
    tall, radius = rng.uniform(0.32, 0.5) * shape[0], rng.uniform(0.75, 1.25)
    step = max(0.17, rng.uniform(0.18, 0.3) / radius)
    step = min(step, 2.6 / number)
    x, y = shape[1] / 2 + rng.normal(0, 0.03) * shape[1], shape[0] * rng.uniform(0.5, 0.6)
    pivot = np.array([x, y + radius * tall * 0.75])
    spots = []
    for i in range(number):
        angle = step * (i - (number - 1) / 2) + rng.normal(0, 0.012)
        centre = pivot + radius * tall * np.array([np.sin(angle), -np.cos(angle)])
        spots.append(Spot(float(centre[0]), float(centre[1]), tall, angle + np.pi * (rng.random() < 0.5)))
    return spots


def _drawn(rng: np.random.Generator, bank: Bank, shape: tuple[int, int], spots: list[Spot], kind: str) -> Scene:
    canvas = Canvas.over(background(rng, *shape))
    matrix = layouts.view(rng, (shape[1] / 2, shape[0] / 2), max(shape) * rng.uniform(1.8, 3))
    for spot in spots:
        card, sprite, indexed = _card(rng, bank, spot.hidden)
        quad = layouts.seen_through(matrix, layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0]))
        warp.shade(
            canvas.image, quad + rng.normal(0, 0.012, 2) * spot.height, 0.02 * spot.height, rng.uniform(0.2, 0.5)
        )
        canvas.lay(card, sprite, quad, indexed)
    image = degrade.camera(rng, canvas.image, rng.uniform(0.1, 0.6))
    quads = np.array(canvas.quads, np.float32).reshape(-1, 4, 2)
    visible = warp.seen(canvas.ids, list(range(1, len(quads) + 1)), canvas.quads, canvas.fullness)
    indices = np.array([canvas.indices_seen(number) for number in range(len(quads))], np.float32).reshape(-1, 2)
    centres = [warp.centre_seen(canvas.ids, number, quad) for number, quad in enumerate(canvas.quads, 1)]
    index, middle = indices.max(axis=1, initial=0), np.array(centres, np.float32)
    return Scene(image, quads, tuple(canvas.faces), visible, index, kind, indices, middle)


def _card(rng: np.random.Generator, bank: Bank, hidden: bool) -> Print:
    """A face, or a back where `hidden`."""
    card = bank.sample(rng)
    while (card.card is None) != hidden:
        card = bank.sample(rng)
    return card
