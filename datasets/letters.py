"""Letters and numbers that stand on no card: keys in any colour, and words over blocks of colour, in printed typefaces.

Each is `name(rng, height, width) -> (height, width, 3) uint8 BGR`, like the surfaces in `textures.py`. A key with a 3
on it or the round letter of a word is what a reader of cards takes for a card first of all.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from datasets import glyphs, warp
from datasets.backgrounds import lit, tilted
from datasets.bank import faces_for
from datasets.interiors import rounded
from datasets.layouts import Spot, rectangle
from datasets.textures import Bgr, Image, colour, fill, grey

Surface = Callable[[np.random.Generator, int, int], Image]
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+?!&%"
SMALL = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=512)
def _mask(words: str, typeface: str) -> glyphs.Mask:
    return glyphs.text(words, typeface)


def typeface(rng: np.random.Generator) -> str:
    """One that decks for training may be printed in; empty where none is installed."""
    faces = faces_for(held_out=False)
    return str(rng.choice(faces)) if faces else ""


def write(image: Image, words: str, typeface: str, at: tuple[float, float, float, float], ink: Bgr) -> None:
    """Writes `words` about (x, y) px, so many px high, turned clockwise by so many radians: `at`."""
    x, y, tall, angle = at
    mask = _mask(words, typeface)
    sprite = np.empty((*mask.shape, 4), np.uint8)
    sprite[:, :, :3] = np.asarray(ink).clip(0, 255).astype(np.uint8)
    sprite[:, :, 3] = mask
    warp.paste(image, sprite, rectangle(Spot(x, y, tall, angle), mask.shape[1] / mask.shape[0]))


def _inks(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Of a ground, in any colour but often a card's own, and of what stands on it."""
    hue = float(rng.choice([0.0, 0.14, 0.36, 0.6])) + rng.normal(0, 0.03)
    kind = rng.random()
    ground = colour(rng, (hue, hue), (0.5, 1), (0.3, 1)) if kind < 0.55 else colour(rng, value=(0.1, 1))
    if kind > 0.85:
        ground = grey(rng, 0.03, 1.0)
    pale = sum(ground) < 380 if rng.random() < 0.85 else sum(ground) >= 380
    return ground, grey(rng, 0.85, 1.0) if pale else grey(rng, 0.0, 0.25)


def keys(rng: np.random.Generator, height: int, width: int) -> Image:
    """Rows of coloured keys or tiles close together, each with one sign."""
    image = fill(height, width, grey(rng, 0.02, 0.5) if rng.random() < 0.8 else colour(rng))
    pitch, ratio = width * rng.uniform(0.06, 0.25), rng.uniform(0.75, 1.6)
    gap, round_, face = rng.uniform(0.05, 0.25), rng.uniform(0, 0.25), typeface(rng)
    kinds = [_inks(rng) for _ in range(int(rng.choice([1, 2, 4], p=[0.6, 0.25, 0.15])))]
    tall, corner = rng.uniform(0.25, 0.62), rng.random() < 0.25
    for row in range(int(height / (pitch * ratio)) + 1):
        x, y = -pitch * rng.uniform(0, 1), row * pitch * ratio
        while x < width:
            wide = pitch * (1.0 if rng.random() < 0.93 else rng.uniform(1.3, 2.5))
            ground, ink = kinds[int(rng.integers(len(kinds)))]
            size = (int(wide * (1 - gap)), int(pitch * ratio * (1 - gap)))
            rounded(image, (int(x), int(y)), size, int(min(size) * round_), ground)
            part = (0.25, 0.28) if corner else (0.5, 0.5)
            at = (x + size[0] * part[0], y + size[1] * part[1], tall * min(size) * (0.6 if corner else 1), 0.0)
            if min(size) > 8:
                write(image, SIGNS[int(rng.integers(len(SIGNS)))], face, at, ink)
            x += wide
    return image


def _word(rng: np.random.Generator) -> str:
    if rng.random() < 0.3:
        return str(rng.integers(1, 10 ** int(rng.integers(2, 5))))
    signs = SIGNS if rng.random() < 0.5 else SMALL
    letters = [signs[int(i)] for i in rng.integers(len(signs), size=int(rng.integers(2, 9)))]
    return "".join(letters) if rng.random() < 0.7 else letters[0].upper() + "".join(letters[1:]).lower()


def words(rng: np.random.Generator, height: int, width: int) -> Image:
    """Posters, covers, packets, shop signs: blocks of colour with words and numbers, upright or turned."""
    ground, ink = _inks(rng)
    image = fill(height, width, ground)
    for _ in range(int(rng.integers(1, 7))):
        x, y, tall = rng.uniform(-0.2, 0.9) * width, rng.uniform(-0.2, 0.9) * height, rng.uniform(0.08, 0.5) * height
        wide = rng.uniform(0.15, 0.9) * width
        if rng.random() < 0.7:
            ground, ink = _inks(rng)
            rounded(image, (int(x), int(y)), (int(wide), int(tall)), int(tall * rng.uniform(0, 0.3)), ground)
        angle = 0.0 if rng.random() < 0.75 else float(rng.normal(0, 0.6))
        at = (x + wide * rng.uniform(0.4, 0.6), y + tall / 2, tall * rng.uniform(0.3, 0.8), angle)
        write(image, _word(rng), typeface(rng), at, ink)
    return image


LETTERED = 0.3
"""Share of the scenes without cards that are lettered."""

SURFACES: tuple[Surface, ...] = (keys, words)


def lettered(rng: np.random.Generator, height: int, width: int) -> Image:
    """One of them, mostly turned and seen aslant, in uneven light; (height, width, 3) uint8 BGR."""
    image = SURFACES[int(rng.integers(len(SURFACES)))](rng, height, width)
    if rng.random() < 0.8:
        image = tilted(rng, image)
    return lit(rng, image) if rng.random() < 0.5 else image
