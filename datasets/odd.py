"""Theme decks that look like no other: odd colours, and signs in place of the digits. Never trained on.

`Theme.random(rng)` is one such deck, `draw(theme, card, height)` one of its cards. Every rank has a sign of its own
(Roman numbers, words, dots, runes or little pictures), every colour a ground of its own, so that a person who knows the
deck can tell all its cards apart; nobody could read them who does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from datasets import degrade, layouts, typefaces, warp
from datasets.backgrounds import background
from datasets.layouts import Spot
from datasets.scenes import Scene
from datasets.textures import Image
from referee.cards import Card, Colour, Rank

Ink = tuple[int, int, int]
Signs = Literal["roman", "words", "dots", "runes", "pictures"]

SIGNS: Final[tuple[Signs, ...]] = ("roman", "words", "dots", "runes", "pictures")
ROMAN: Final = ("N", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
WORDS: Final = ("nil", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ACTIONS: Final = ("halt", "back", "take", "any", "storm", "trade", "own")
TALL: Final = 420


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme deck; `grounds` the four colours and that of the wilds, RGB; `seed` decides its signs."""

    signs: Signs
    grounds: tuple[Ink, ...]
    frame: Ink
    ink: Ink
    stripes: bool
    aspect: float
    seed: int
    typeface: str

    @classmethod
    def random(cls, rng: np.random.Generator, signs: Signs | None = None) -> Theme:
        """A theme at random: four hues far apart, but not where they usually lie."""
        turn = rng.uniform(18, 72)
        hues = [(turn + 90 * i + rng.uniform(-12, 12)) % 360 for i in range(4)]
        grounds = [_hue(hue, rng.uniform(0.35, 0.9), rng.uniform(0.45, 0.95)) for hue in hues]
        faces = typefaces.printed() or ("",)
        return cls(
            signs=signs or SIGNS[int(rng.integers(len(SIGNS)))],
            grounds=(*grounds, (70, 60, 65)),
            frame=(245, 240, 225) if rng.random() < 0.6 else (30, 28, 35),
            ink=(20, 20, 25) if rng.random() < 0.5 else (250, 250, 245),
            stripes=bool(rng.random() < 0.5),
            aspect=float(rng.uniform(0.62, 0.7)),
            seed=int(rng.integers(1 << 30)),
            typeface=str(rng.choice(faces)),
        )


def _hue(degrees: float, saturation: float, value: float) -> Ink:
    pixel = np.array([[[degrees / 2, saturation * 255, value * 255]]]).astype(np.uint8)
    red, green, blue = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue


def draw(theme: Theme, card: Card | None, height: int) -> Image:
    """A card (None: a back) as (height, w, 4) uint8 BGRA."""
    wide = round(TALL * theme.aspect)
    sheet = Pictures.new("RGB", (wide, TALL), theme.frame)
    pen = ImageDraw.Draw(sheet)
    ground = theme.grounds[4 if card is None or card.colour is None else list(Colour).index(card.colour)]
    pen.rounded_rectangle((16, 16, wide - 17, TALL - 17), radius=22, fill=ground)
    if theme.stripes:
        pale: Ink = tuple(min(255, v + 25) for v in ground)  # type: ignore[assignment]
        for x in range(-TALL, wide, 46):
            pen.line((x, TALL - 17, x + TALL, 17), fill=pale, width=9)
    if card is None or card.colour is None:
        _rings(pen, theme, wide, card)
    if card is not None:
        _sign(pen, theme, card.rank, wide / 2, TALL / 2, 0.3 * TALL)
        for across, down in ((0.17, 0.12), (0.83, 0.88)):
            _sign(pen, theme, card.rank, across * wide, down * TALL, 0.07 * TALL)
    alpha = Pictures.new("L", (wide, TALL))
    ImageDraw.Draw(alpha).rounded_rectangle((0, 0, wide - 1, TALL - 1), radius=26, fill=255)
    whole = np.dstack([np.asarray(sheet)[..., ::-1], np.asarray(alpha)])
    size = (max(8, height * wide // TALL), height)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rings(pen: ImageDraw.ImageDraw, theme: Theme, wide: int, card: Card | None) -> None:
    """What wilds and backs have in common: the four colours in rings; a back has nothing else."""
    for number, ground in enumerate(theme.grounds[:4]):
        r = (0.46 - 0.09 * number) * wide
        box = (wide / 2 - r, TALL / 2 - r * (1.6 if card is None else 1), wide / 2 + r, TALL / 2 + r)
        pen.ellipse(box, fill=ground)


def _sign(pen: ImageDraw.ImageDraw, theme: Theme, rank: Rank, x: float, y: float, size: float) -> None:
    """The sign of a rank, about `size` px high."""
    number = list(Rank).index(rank)
    if theme.signs in ("roman", "words") or (theme.signs == "dots" and number > 9):
        words = (*(ROMAN if theme.signs == "roman" else WORDS), *ACTIONS)[number]
        tall = size * min(1.0, 3.2 / len(words))
        pen.text((x, y), words, font=typefaces.load(theme.typeface, max(6, int(tall))), fill=theme.ink, anchor="mm")
    elif theme.signs == "dots":
        _dots(pen, theme, number, x, y, size)
    else:
        _rune(pen, theme, number, x, y, size)


def _dots(pen: ImageDraw.ImageDraw, theme: Theme, count: int, x: float, y: float, size: float) -> None:
    step, r = size / 3, size / 9
    if count == 0:
        pen.ellipse((x - 3 * r, y - 3 * r, x + 3 * r, y + 3 * r), outline=theme.ink, width=max(2, int(r)))
    for i in range(count):
        cx, cy = x + (i % 3 - 1) * step, y + (i // 3 - 1) * step
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=theme.ink)


def _rune(pen: ImageDraw.ImageDraw, theme: Theme, number: int, x: float, y: float, size: float) -> None:
    """Strokes (runes) or coloured blobs (pictures) that the theme's seed decides for each rank."""
    rng = np.random.default_rng((theme.seed, number))
    if theme.signs == "runes":
        points = rng.integers(-2, 3, (int(rng.integers(4, 7)), 2)) * size / 4
        pen.line(
            [(x + float(a), y + float(b)) for a, b in points],
            fill=theme.ink,
            width=max(2, int(size / 10)),
            joint="curve",
        )
        return
    for _ in range(int(rng.integers(4, 8))):
        dx, dy, r = rng.uniform(-0.4, 0.4) * size, rng.uniform(-0.4, 0.4) * size, rng.uniform(0.1, 0.3) * size
        box = (x + dx - r, y + dy - r, x + dx + r, y + dy + r)
        ink = _hue(rng.uniform(0, 360), 0.7, rng.uniform(0.4, 1))
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)(box, fill=ink)


def scene(rng: np.random.Generator, sprite: Image, card: Card | None, strength: float = 0.5) -> Scene:
    """One card on some table, 480 x 640 px, in some light, at any angle."""
    shape = (480, 640)
    image = np.ascontiguousarray(background(rng, *shape))
    tall = rng.uniform(0.3, 0.7) * shape[0]
    spot = Spot(rng.uniform(0.35, 0.65) * shape[1], rng.uniform(0.4, 0.6) * shape[0], tall, layouts.turned(rng))
    quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
    matrix = layouts.view(rng, (spot.x, spot.y), tall * rng.uniform(3, 6))
    if layouts.in_front(matrix, quad):
        quad = layouts.seen_through(matrix, quad)
    warp.shade(image, quad, 0.02 * tall, 0.4)
    warp.paste(image, sprite, quad)
    image = degrade.camera(rng, image, rng.uniform(0.05, strength))
    ones = np.ones(1, np.float32)
    return Scene(image, quad[None], (card,), ones, ones, "odd")
