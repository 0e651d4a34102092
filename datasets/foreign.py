"""Scenes without a card of ours, and never trained on: other games, print, keys, boxes, faces; and real pictures.

`scene(rng)` draws one. `pictures()` finds the photographs and textures that installed packages bring (scikit-image,
scikit-learn, matplotlib, trdg, Ultralytics), `views(rng, picture)` cuts them as a camera might see them. What training
learns from as "no card" is drawn by other code (`negatives`), so these tell whether it learnt the idea or the drawings.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pictures
from PIL import ImageDraw

from datasets import degrade, layouts, typefaces, warp
from datasets.backgrounds import background
from datasets.layouts import Spot
from datasets.scenes import Scene
from datasets.textures import Image, fill

Ink = tuple[int, int, int]
Pen = ImageDraw.ImageDraw
Drawer = Callable[[np.random.Generator, Pen, int, int], None]

SHAPES = ((480, 640), (540, 960), (640, 640))
FOLDERS = (
    ("skimage", "data"),
    ("sklearn", "datasets/images"),
    ("matplotlib", "mpl-data/sample_data"),
    ("trdg", "images"),
    ("ultralytics", "assets"),
)
LEAST = 120
"""Smaller pictures, px, are emblems and test patterns."""


def _ink(rng: np.random.Generator, low: int = 0, high: int = 256) -> Ink:
    red, green, blue = (int(v) for v in rng.integers(low, high, 3))
    return red, green, blue


def _vivid(rng: np.random.Generator) -> Ink:
    pixel = np.array([[[rng.integers(180), rng.integers(140, 256), rng.integers(120, 256)]]], np.uint8)
    red, green, blue = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue


def _text(rng: np.random.Generator, pen: Pen, words: str, spot: tuple[float, float], size: float, ink: Ink) -> None:
    faces = typefaces.printed() or ("",)
    font = typefaces.load(str(rng.choice(faces)), max(6, int(size)))
    pen.text(spot, words, font=font, fill=ink, anchor="mm")


def _suit(pen: Pen, x: float, y: float, r: float, suit: int, ink: Ink) -> None:
    """Heart, diamond, spade, club."""
    if suit == 1:
        pen.polygon([(x, y - r), (x + 0.7 * r, y), (x, y + r), (x - 0.7 * r, y)], fill=ink)
        return
    way = -1 if suit == 2 else 1
    for dx, dy in ((-0.45, -0.3), (0.45, -0.3)) if suit != 3 else ((-0.5, 0.15), (0.5, 0.15), (0, -0.5)):
        cx, cy, s = x + dx * r, y + way * dy * r if suit != 3 else y + dy * r, 0.5 * r
        pen.ellipse((cx - s, cy - s, cx + s, cy + s), fill=ink)
    if suit == 3:
        pen.polygon([(x, y), (x - 0.35 * r, y + r), (x + 0.35 * r, y + r)], fill=ink)
    else:
        pen.polygon(
            [(x - 0.92 * r, y - 0.15 * way * r), (x + 0.92 * r, y - 0.15 * way * r), (x, y + way * r)], fill=ink
        )


def poker(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A playing card of the French deck, four colours or two."""
    suit = int(rng.integers(4))
    ink: Ink = (200, 20, 30) if suit < 2 else (15, 15, 20)
    pen.rectangle((0, 0, w, h), fill=(250, 248, 240))
    rank = str(rng.choice(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]))
    for x, y in ((0.13, 0.1), (0.87, 0.9)):
        _text(rng, pen, rank, (x * w, y * h), 0.13 * h, ink)
        _suit(pen, x * w, (y + (0.1 if y < 0.5 else -0.1)) * h, 0.035 * h, suit, ink)
    if rank in "JQK":
        pen.rectangle((0.24 * w, 0.12 * h, 0.76 * w, 0.88 * h), outline=(30, 40, 120), width=3)
        for _ in range(16):
            x, y, r = rng.uniform(0.28, 0.62) * w, rng.uniform(0.15, 0.75) * h, rng.uniform(0.03, 0.12) * h
            pen.rectangle((x, y, x + r, y + r), fill=_vivid(rng))
        pen.ellipse((0.4 * w, 0.2 * h, 0.6 * w, 0.36 * h), fill=(240, 205, 175))
        return
    count = 1 if rank == "A" else int(rank)
    for i in range(count):
        x = 0.5 if count < 4 or (count % 2 and i == 0) else (0.34, 0.66)[i % 2]
        y = (
            0.5
            if count == 1
            else 0.2 + 0.6 * (i // (1 if count < 4 else 2)) / max(1, (count - 1) // (1 if count < 4 else 2))
        )
        _suit(pen, x * w, y * h, (0.13 if count == 1 else 0.055) * h, suit, ink)


def shapes(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A card of a matching game: one to three like shapes on white."""
    pen.rectangle((0, 0, w, h), fill=(252, 252, 252))
    ink, count, kind = _vivid(rng), int(rng.integers(1, 4)), int(rng.integers(3))
    for i in range(count):
        x, y, a, b = 0.5 * w, h * (0.5 + 0.25 * (i - (count - 1) / 2)), 0.3 * w, 0.09 * h
        box = (x - a, y - b, x + a, y + b)
        line = None if rng.random() < 0.5 else ink
        if kind == 0:
            pen.ellipse(box, fill=None if line else ink, outline=ink, width=5)
        elif kind == 1:
            pen.polygon([(x - a, y), (x, y - b), (x + a, y), (x, y + b)], fill=None if line else ink, outline=ink)
        else:
            pen.rounded_rectangle(box, radius=b, fill=None if line else ink, outline=ink, width=5)


def property_card(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A deed or event card: a coloured head, lines of small print, a price."""
    pen.rectangle((0, 0, w, h), fill=(250, 250, 245))
    pen.rectangle((0.06 * w, 0.05 * h, 0.94 * w, 0.26 * h), fill=_vivid(rng), outline=(0, 0, 0), width=2)
    _text(
        rng,
        pen,
        str(rng.choice(["PARK LANE", "MAIN ROAD", "OLD KENT", "STATION", "CHANCE"])),
        (w / 2, 0.155 * h),
        0.07 * h,
        (0, 0, 0),
    )
    for i in range(7):
        _text(
            rng,
            pen,
            f"with {i} houses  {rng.integers(20, 900)}",
            (w / 2, (0.36 + 0.075 * i) * h),
            0.045 * h,
            (20, 20, 20),
        )


def letters(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A flash card, a letter tile, a calendar leaf: one word or large letter on a pale ground."""
    pen.rectangle((0, 0, w, h), fill=_ink(rng, 200, 256))
    words = str(rng.choice(["A", "B", "Q", "Mo", "cat", "house", "14 May", "SALE", "EXIT", "K", "R", "open"]))
    _text(rng, pen, words, (w / 2, h * rng.uniform(0.35, 0.65)), min(0.5 * h, 1.5 * w / len(words)), _ink(rng, 0, 120))


def book(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A book cover: a ground, a title, an author, a picture."""
    pen.rectangle((0, 0, w, h), fill=_vivid(rng))
    pen.rectangle((0.1 * w, 0.35 * h, 0.9 * w, 0.8 * h), fill=_ink(rng))
    for _ in range(int(rng.integers(2, 7))):
        x, y, r = rng.uniform(0.15, 0.75) * w, rng.uniform(0.38, 0.7) * h, rng.uniform(0.04, 0.14) * w
        pen.ellipse((x, y, x + r, y + 1.4 * r), fill=_ink(rng))
    for y, size, words in ((0.14, 0.1, "The Long Way"), (0.24, 0.07, "to the Lighthouse"), (0.9, 0.05, "A. Writer")):
        _text(rng, pen, words, (w / 2, y * h), min(size * h, 1.6 * w / len(words)), (250, 250, 250))


def keyboard(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """Keys in rows, each with its letter or number."""
    body, key = _ink(rng, 10, 60), _ink(rng, 40, 240)
    pen.rectangle((0, 0, w, h), fill=body)
    columns, rows = int(rng.integers(4, 9)), int(rng.integers(5, 9))
    ink: Ink = (10, 10, 10) if sum(key) > 380 else (240, 240, 240)
    for i in range(columns):
        for j in range(rows):
            x, y = (i + 0.08) * w / columns, (j + 0.08) * h / rows
            pen.rounded_rectangle((x, y, x + 0.84 * w / columns, y + 0.84 * h / rows), radius=4, fill=key)
            letter = "QWERTYUIOPASDFGHJKLZXCVBNM0123456789+-"[int(rng.integers(38))]
            _text(rng, pen, letter, (x + 0.42 * w / columns, y + 0.42 * h / rows), 0.4 * h / rows, ink)


def face(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A face before a wall, or a pullover under it."""
    pen.rectangle((0, 0, w, h), fill=_ink(rng, 60, 230))
    skin = (int(rng.integers(90, 250)), int(rng.integers(60, 210)), int(rng.integers(40, 180)))
    pen.rectangle((0, 0.78 * h, w, h), fill=_vivid(rng))
    pen.ellipse((0.18 * w, 0.05 * h, 0.82 * w, 0.55 * h), fill=_ink(rng, 10, 120))
    pen.ellipse((0.22 * w, 0.12 * h, 0.78 * w, 0.82 * h), fill=skin)
    for x in (0.38, 0.62):
        pen.ellipse(((x - 0.06) * w, 0.38 * h, (x + 0.06) * w, 0.44 * h), fill=(250, 250, 250))
        pen.ellipse(((x - 0.025) * w, 0.385 * h, (x + 0.025) * w, 0.435 * h), fill=(40, 30, 30))
    pen.arc((0.38 * w, 0.52 * h, 0.62 * w, 0.7 * h), 20, 160, fill=(150, 40, 50), width=6)


def package(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A box of sweets or tea: stripes, a badge, a weight."""
    pen.rectangle((0, 0, w, h), fill=_vivid(rng))
    for y in rng.uniform(0, 1, int(rng.integers(1, 5))) * h:
        pen.rectangle((0, y, w, y + rng.uniform(0.02, 0.2) * h), fill=_vivid(rng))
    pen.rounded_rectangle((0.12 * w, 0.25 * h, 0.88 * w, 0.55 * h), radius=20, fill=(250, 250, 250))
    _text(
        rng,
        pen,
        str(rng.choice(["Earl Grey", "mint", "Biscuits", "250 g", "SOAP", "choco"])),
        (w / 2, 0.4 * h),
        0.1 * h,
        _vivid(rng),
    )


def poster(rng: np.random.Generator, pen: Pen, w: int, h: int) -> None:
    """A poster or screen: blocks of colour, a headline, a column of text."""
    pen.rectangle((0, 0, w, h), fill=_ink(rng))
    for _ in range(int(rng.integers(3, 9))):
        x, y = rng.uniform(0, 0.8) * w, rng.uniform(0, 0.8) * h
        pen.rectangle((x, y, x + rng.uniform(0.1, 0.5) * w, y + rng.uniform(0.05, 0.4) * h), fill=_vivid(rng))
    _text(
        rng,
        pen,
        str(rng.choice(["CONCERT", "2 for 1", "7 days", "+20 %", "No. 5", "40 years"])),
        (w / 2, 0.2 * h),
        0.13 * h,
        (255, 255, 255),
    )


KINDS: dict[str, tuple[Drawer, tuple[float, float]]] = {
    "poker": (poker, (0.62, 0.73)),
    "shapes": (shapes, (0.62, 0.73)),
    "property card": (property_card, (0.62, 0.73)),
    "letters": (letters, (0.6, 1.0)),
    "book": (book, (0.6, 0.8)),
    "keyboard": (keyboard, (0.6, 1.6)),
    "face": (face, (0.7, 1.0)),
    "package": (package, (0.5, 1.0)),
    "poster": (poster, (0.6, 1.4)),
}


def thing(rng: np.random.Generator, kind: str, height: int) -> Image:
    """One thing as a sprite (height, w, 4) uint8 BGRA."""
    draw, ratios = KINDS[kind]
    tall, wide = 420, round(420 * rng.uniform(*ratios))
    sheet = Pictures.new("RGB", (wide, tall))
    draw(rng, ImageDraw.Draw(sheet), wide, tall)
    alpha = Pictures.new("L", (wide, tall))
    ImageDraw.Draw(alpha).rounded_rectangle((0, 0, wide - 1, tall - 1), radius=20 if wide < 320 else 2, fill=255)
    whole = np.dstack([np.asarray(sheet)[..., ::-1], np.asarray(alpha)])
    return np.asarray(
        cv2.resize(whole, (max(8, height * wide // tall), height), interpolation=cv2.INTER_AREA), np.uint8
    )


def scene(rng: np.random.Generator, kind: str | None = None) -> Scene:
    """A table or room with one to four things of one kind, of any kind when None; no card of ours."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    chosen = kind or str(rng.choice(list(KINDS)))
    image = np.ascontiguousarray(background(rng, *shape))
    for _ in range(int(rng.integers(1, 5))):
        tall = rng.uniform(0.25, 0.85) * shape[0]
        sprite = thing(rng, chosen, max(40, round(tall)))
        spot = Spot(rng.uniform(0.15, 0.85) * shape[1], rng.uniform(0.2, 0.8) * shape[0], tall, layouts.turned(rng))
        matrix = layouts.view(rng, (spot.x, spot.y), max(shape) * rng.uniform(1.2, 3))
        quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
        if layouts.in_front(matrix, quad):
            warp.paste(image, sprite, layouts.seen_through(matrix, quad))
    return _empty(degrade.camera(rng, image, rng.uniform(0.1, 0.8)), chosen)


def pictures() -> dict[str, Image]:
    """The real pictures that installed packages bring, by name; empty where none is installed."""
    found: dict[str, Image] = {}
    for package_name, folder in FOLDERS:
        spec = importlib.util.find_spec(package_name)
        for place in spec.submodule_search_locations or [] if spec else []:
            for path in sorted((Path(place) / folder).glob("*")):
                image = cv2.imread(str(path)) if path.suffix.lower() in (".jpg", ".png") else None
                if image is not None and min(image.shape[:2]) >= LEAST:
                    found[f"{package_name}/{path.name}"] = image.astype(np.uint8, copy=False)
    return found


def views(rng: np.random.Generator, picture: Image, count: int) -> Iterator[Scene]:
    """Windows of a real picture, turned and scaled as a camera might see them; the first is the whole."""
    yield _empty(picture, "picture")
    for _ in range(count - 1):
        height, width = SHAPES[int(rng.integers(len(SHAPES)))]
        scale = rng.uniform(0.6, 1.6) * max(height / picture.shape[0], width / picture.shape[1])
        turn = cv2.getRotationMatrix2D(
            (picture.shape[1] / 2, picture.shape[0] / 2), float(rng.uniform(0, 360)), float(scale)
        )
        turn[:, 2] = turn[:, 2] + np.array([width - picture.shape[1], height - picture.shape[0]]) / 2
        view = cv2.warpAffine(picture, turn, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101)
        yield _empty(degrade.camera(rng, view.astype(np.uint8, copy=False), rng.uniform(0, 0.5)), "picture")


def _empty(image: Image, kind: str) -> Scene:
    none: npt.NDArray[np.float32] = np.zeros((0, 4, 2), np.float32)
    return Scene(image, none, (), np.zeros(0, np.float32), np.zeros(0, np.float32), kind)


def plain(shape: tuple[int, int], ink: float) -> Scene:
    """One colour, as with the lens cap on."""
    return _empty(fill(*shape, (ink, ink, ink)), "plain")
