"""Wear: what years of play do to a printed card."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]


def _blend(card: Picture, alpha: npt.NDArray[np.float32], colour: tuple[int, int, int]) -> Picture:
    out = card.copy()
    pixels = card[..., :3].astype(np.float32)
    out[..., :3] = (pixels + alpha[..., None] * (np.array(colour, np.float32) - pixels)).astype(np.uint8)
    return out


def fade(rng: np.random.Generator, card: Picture) -> Picture:
    """Inks bleached towards paper, paper yellowed."""
    tone = (int(rng.integers(150, 235)), int(rng.integers(190, 240)), int(rng.integers(200, 250)))
    return _blend(card, np.full(card.shape[:2], rng.uniform(0.05, 0.3), np.float32), tone)


def dirt(rng: np.random.Generator, card: Picture) -> Picture:
    """Soft brownish clouds and a few specks."""
    cloud = rng.random((6, 4), np.float32)
    alpha = cv2.resize(cloud, (card.shape[1], card.shape[0]), interpolation=cv2.INTER_CUBIC)
    alpha = np.clip(alpha - 0.55, 0, 1).astype(np.float32) * float(rng.uniform(0.2, 0.7))
    for _ in range(int(rng.integers(0, 8))):
        place = (int(rng.integers(card.shape[1])), int(rng.integers(card.shape[0])))
        cv2.circle(alpha, place, int(rng.integers(1, 4)), float(rng.uniform(0.2, 0.7)), -1, cv2.LINE_AA)
    return _blend(card, alpha, (40, 60, 75))


def worn_edges(rng: np.random.Generator, card: Picture) -> Picture:
    """Paper showing, or grey rubbed in, along the edges."""
    height, width = card.shape[:2]
    inside = np.zeros((height, width), np.uint8)
    inside[3:-3, 3:-3] = 255
    reach = cv2.distanceTransform(inside, cv2.DIST_L2, 3)
    noise = rng.random((height // 6, width // 6), np.float32)
    grain = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    alpha = np.clip(grain * float(rng.uniform(2, 7)) - reach, 0, 1).astype(np.float32) * 0.7
    tone = int(rng.integers(90, 245))
    return _blend(card, alpha, (tone, tone, tone))


def crease(rng: np.random.Generator, card: Picture) -> Picture:
    """A fold across the card: a light line with a dark one beside it."""
    height, width = card.shape[:2]
    alpha = np.zeros((height, width), np.float32)
    start = (int(rng.integers(width)), 0 if rng.random() < 0.5 else int(rng.integers(height)))
    end = (int(rng.integers(width)), height - 1 if rng.random() < 0.5 else int(rng.integers(height)))
    cv2.line(alpha, start, end, float(rng.uniform(0.2, 0.6)), int(rng.integers(1, 3)), cv2.LINE_AA)
    lit = _blend(card, alpha, (235, 235, 235))
    return _blend(lit, np.roll(alpha, 2, axis=1) * 0.6, (40, 40, 40))


def wear(rng: np.random.Generator, card: Picture) -> Picture:
    """A card (H, W, 4) BGRA as some evening of its life left it; half of them as new."""
    if rng.random() < 0.5:
        return card
    for effect, chance in ((fade, 0.4), (dirt, 0.4), (worn_edges, 0.4), (crease, 0.2)):
        if rng.random() < chance:
            card = effect(rng, card)
    return card
