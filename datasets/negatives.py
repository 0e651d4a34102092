"""Flat things that look like cards and are none, as sprites `distractor(rng, height) -> (height, w, 4) uint8 BGRA`."""

from collections.abc import Callable

import cv2
import numpy as np

from datasets.interiors import FONTS, LETTERS, cover, rounded
from datasets.textures import Image, clouds, colour, grey, noise

Drawer = Callable[[np.random.Generator, int, int], Image]
_BLACK, _RED = (25.0, 25.0, 25.0), (40.0, 30.0, 200.0)


def _sheet(height: int, width: int, ink: tuple[float, float, float], radius: int) -> Image:
    """A blank sheet with rounded corners, opaque inside."""
    image = np.zeros((height, width, 4), np.uint8)
    image[:, :, :3] = np.asarray(ink).clip(0, 255).astype(np.uint8)
    alpha = np.zeros((height, width, 3), np.uint8)
    rounded(alpha, (0, 0), (width - 1, height - 1), radius, (255.0, 255.0, 255.0))
    image[:, :, 3] = alpha[:, :, 0]
    return image


def _printed(sheet: Image, picture: Image) -> Image:
    sheet[:, :, :3] = picture
    return sheet


def _write(rng: np.random.Generator, face: Image, text: str, spot: tuple[int, int], tall: float, ink: object) -> None:
    font = FONTS[int(rng.integers(len(FONTS)))]
    scale = tall / 22
    cv2.putText(face, text, spot, font, scale, ink, max(1, int(scale * 2)), cv2.LINE_AA)  # type: ignore[call-overload]


def _word(rng: np.random.Generator, longest: int) -> str:
    return "".join(LETTERS[int(i)] for i in rng.integers(len(LETTERS), size=int(rng.integers(1, longest + 1))))


def poker(rng: np.random.Generator, height: int, width: int) -> Image:
    """A playing card: white with index corners and pips, a figure, or a patterned back."""
    sheet = _sheet(height, width, grey(rng, 0.85, 1.0), height // 20)
    face = np.ascontiguousarray(sheet[:, :, :3])
    ink = _BLACK if rng.random() < 0.5 else _RED
    if rng.random() < 0.2:
        _back(rng, face)
        return _printed(sheet, face)
    rank = str(rng.choice(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]))
    for _ in range(2):
        _write(rng, face, rank, (width // 16 + 1, height // 7), height / 9, ink)
        _pip(face, (width // 7, height // 5), height // 26 + 1, ink, 1)
        face = np.ascontiguousarray(face[::-1, ::-1])
    if rank in "JQK":
        inner = (width // 5, height // 7)
        cv2.rectangle(face, inner, (width - inner[0], height - inner[1]), ink, 1)
        for _ in range(int(rng.integers(4, 12))):
            spot = (int(width * rng.uniform(0.25, 0.75)), int(height * rng.uniform(0.2, 0.8)))
            axes = (int(rng.integers(1, width // 5 + 2)), int(rng.integers(1, height // 7 + 2)))
            cv2.ellipse(face, spot, axes, int(rng.integers(180)), 0, 360, colour(rng, saturation=(0.5, 1)), -1)
        return _printed(sheet, face)
    for i in range({"A": 1}.get(rank) or int(rank)):
        x = width * (0.33, 0.67, 0.5)[i % 3]
        y = height * (0.2 + 0.6 * (i // 2) / 4)
        _pip(face, (int(x), int(y)), height // 16 + 1, ink, 1 if y < height / 2 else -1)
    return _printed(sheet, face)


def _pip(face: Image, spot: tuple[int, int], size: int, ink: tuple[float, float, float], way: int) -> None:
    half = size // 2 + 1
    points = np.array([[0, way * size], [half, 0], [0, -way * half], [-half, 0]]) + spot
    cv2.fillPoly(face, [points.astype(np.int32)], ink, cv2.LINE_AA)
    for side in (-half // 2, half // 2):
        cv2.circle(face, (spot[0] + side, spot[1]), half // 2 + 1, ink, -1, cv2.LINE_AA)


def _back(rng: np.random.Generator, face: Image) -> None:
    height, width = face.shape[:2]
    margin = max(2, width // 12)
    ink = colour(rng, value=(0.2, 0.8))
    cv2.rectangle(face, (margin, margin), (width - margin, height - margin), ink, -1)
    step = int(rng.integers(4, 14))
    for k in range(-height, width + height, step):
        cv2.line(face, (k, margin), (k + height, height - margin), (235, 235, 235), 1, cv2.LINE_AA)
        cv2.line(face, (k, height - margin), (k + height, margin), (235, 235, 235), 1, cv2.LINE_AA)
    face[:, :margin] = face[:, width - margin :] = 240


def blank(rng: np.random.Generator, height: int, width: int) -> Image:
    """White cards, sheets of paper, sticky notes, receipts: one colour, perhaps a few lines."""
    ink = grey(rng, 0.75, 1.0) if rng.random() < 0.6 else colour(rng, saturation=(0.2, 0.9), value=(0.6, 1))
    sheet = _sheet(height, width, ink, int(rng.choice([0, height // 20])))
    if rng.random() < 0.5:
        face = np.ascontiguousarray(sheet[:, :, :3])
        step = int(rng.integers(5, 20))
        for y in range(step, height - step, step):
            end = int(width * rng.uniform(0.3, 0.92))
            cv2.line(face, (width // 12, y), (end, y), (90, 80, 80), max(1, step // 6))
        _printed(sheet, face)
    return sheet


def photo(rng: np.random.Generator, height: int, width: int) -> Image:
    """A photograph or postcard, with or without its white margin."""
    sheet = _sheet(height, width, grey(rng, 0.85, 1.0), 0)
    margin = int(rng.choice([0, width // 14 + 1]))
    inner = clouds(rng, height - 2 * margin, width - 2 * margin)
    sheet[margin : height - margin, margin : width - margin, :3] = inner
    return sheet


def book(rng: np.random.Generator, height: int, width: int) -> Image:
    """A book's or magazine's cover, a box with an oval and a word."""
    sheet = _sheet(height, width, colour(rng), 0)
    face = np.ascontiguousarray(sheet[:, :, :3])
    cover(rng, face, (0, 0), (width, height))
    return _printed(sheet, face)


def phone(rng: np.random.Generator, height: int, width: int) -> Image:
    """A telephone, a power bank, a mouse: dark or pale, rounded, shiny, its screen off or on."""
    dark = rng.random() < 0.7
    body = grey(rng, 0.02, 0.25) if dark else grey(rng, 0.6, 1.0)
    sheet = _sheet(height, width, body, int(height * rng.uniform(0.04, 0.2)))
    face = np.ascontiguousarray(sheet[:, :, :3])
    if rng.random() < 0.5:
        margin = width // 16 + 1
        glass = grey(rng, 0.0, 0.15) if rng.random() < 0.5 else colour(rng, value=(0.3, 1))
        rounded(face, (margin, margin), (width - 2 * margin, height - 2 * margin), height // 20, glass)
    shine = noise(rng, height, width, 2, 2)[:, :, None] * rng.uniform(0, 90)
    return _printed(sheet, (face + shine).clip(0, 255).astype(np.uint8))


def other_game(rng: np.random.Generator, height: int, width: int) -> Image:
    """Another game's card: a picture in a frame, a title, small print, numbers in one corner only."""
    sheet = _sheet(height, width, colour(rng, value=(0.1, 1)), height // 22)
    face = np.ascontiguousarray(sheet[:, :, :3])
    box = (width // 10, int(height * rng.uniform(0.08, 0.2)))
    size = (width - 2 * box[0], int(height * rng.uniform(0.3, 0.55)))
    face[box[1] : box[1] + size[1], box[0] : box[0] + size[0]] = clouds(rng, size[1], size[0])
    cv2.rectangle(face, box, (box[0] + size[0], box[1] + size[1]), colour(rng), max(1, width // 50))
    _write(rng, face, _word(rng, 8), (box[0], int(box[1] * 0.8)), height / 16, colour(rng, value=(0, 1)))
    for y in range(box[1] + size[1] + height // 16, height - height // 20, max(4, height // 22)):
        cv2.line(face, (box[0], y), (int(width * rng.uniform(0.5, 0.88)), y), (60, 60, 60), 1)
    return _printed(sheet, face)


def ticket(rng: np.random.Generator, height: int, width: int) -> Image:
    """A ticket, a badge, a bank card, a key cap: colour blocks and a few big letters."""
    sheet = _sheet(height, width, colour(rng, value=(0.3, 1)), int(rng.choice([0, height // 18])))
    face = np.ascontiguousarray(sheet[:, :, :3])
    cut = int(height * rng.uniform(0.15, 0.6))
    face[:cut] = np.asarray(colour(rng)).astype(np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        spot = (int(width * rng.uniform(0.02, 0.5)), int(height * rng.uniform(0.15, 0.95)))
        _write(rng, face, _word(rng, 6), spot, height * rng.uniform(0.06, 0.25), colour(rng))
    return _printed(sheet, face)


def tile(rng: np.random.Generator, height: int, width: int) -> Image:
    """A key of a keyboard, a letter or number tile, a door plate: one sign in the middle or in a corner."""
    dark = rng.random() < 0.4
    ground = grey(rng, 0.03, 0.25) if dark else colour(rng, value=(0.3, 1)) if rng.random() < 0.6 else grey(rng, 0.7, 1)
    sheet = _sheet(height, width, ground, int(height * rng.uniform(0, 0.15)))
    face = np.ascontiguousarray(sheet[:, :, :3])
    if rng.random() < 0.5:
        margin = max(1, int(width * rng.uniform(0.04, 0.16)))
        red, green, blue = (float(min(255, v * rng.uniform(1.05, 1.3) + 8)) for v in ground)
        rounded(
            face, (margin, margin // 2), (width - 2 * margin, height - 2 * margin), height // 16, (red, green, blue)
        )
    ink = (235.0, 235.0, 235.0) if dark or rng.random() < 0.5 else _BLACK if rng.random() < 0.6 else colour(rng)
    sign = str(rng.integers(10, 100)) if rng.random() < 0.25 else str(rng.choice([*"ABCEFGHKLMPQSTUXYZ?#"]))
    tall = height * rng.uniform(0.15, 0.6)
    middle = (int(width * 0.5 - tall * 0.4 * len(sign)), int(height * 0.5 + tall * 0.45))
    corner = (width // 9 + 1, int(height * 0.08 + tall * 0.5))
    if rng.random() < 0.6:
        _write(rng, face, sign, middle, tall, ink)
    else:
        _write(rng, face, sign, corner, tall * 0.5, ink)
    return _printed(sheet, face)


def blob(rng: np.random.Generator, height: int, width: int) -> Image:
    """A coloured thing with round spots beside its middle: a box, plates on a cloth, a face over a pullover."""
    ground = colour(rng, saturation=(0.3, 1), value=(0.25, 1)) if rng.random() < 0.8 else grey(rng, 0.02, 0.3)
    sheet = _sheet(height, width, ground, int(height * rng.uniform(0, 0.1)))
    face = np.ascontiguousarray(sheet[:, :, :3])
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
        high = rng.uniform(0.1, 0.36) if rng.random() < 0.5 else rng.uniform(0.64, 0.9)
        spot = (int(width * rng.uniform(0.25, 0.75)), int(height * high))
        axes = (int(width * rng.uniform(0.1, 0.4)) + 1, int(height * rng.uniform(0.08, 0.25)) + 1)
        ink = grey(rng, 0.75, 1) if rng.random() < 0.45 else colour(rng, saturation=(0.1, 0.8), value=(0.3, 1))
        cv2.ellipse(face, spot, axes, float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
    shade = noise(rng, height, width, 2, 2)[:, :, None] * rng.uniform(0, 60)
    return _printed(sheet, (face - shade + 15).clip(0, 255).astype(np.uint8))


def poster(rng: np.random.Generator, height: int, width: int) -> Image:
    """Blocks of colour one over the other, each with words or a long number: a poster, a packet, a sign."""
    sheet = _sheet(height, width, colour(rng, value=(0.3, 1)), int(rng.choice([0, height // 18])))
    face = np.ascontiguousarray(sheet[:, :, :3])
    top = 0
    while top < height:
        bottom = top + int(height * rng.uniform(0.12, 0.5)) + 2
        face[top:bottom] = np.asarray(grey(rng, 0.8, 1) if rng.random() < 0.3 else colour(rng)).astype(np.uint8)
        text = _word(rng, 9) if rng.random() < 0.7 else str(rng.integers(100, 100000))
        tall = min((bottom - top) * rng.uniform(0.3, 0.8), width * 1.2 / max(1, len(text)))
        ink = (245.0, 245.0, 245.0) if rng.random() < 0.5 else _BLACK if rng.random() < 0.6 else colour(rng)
        _write(rng, face, text, (int(width * rng.uniform(0.02, 0.25)), int((top + bottom) / 2 + tall * 0.4)), tall, ink)
        top = bottom
    return _printed(sheet, face)


_KINDS: tuple[tuple[Drawer, float], ...] = (
    (poker, 0.2), (blank, 0.14), (photo, 0.06), (book, 0.12), (phone, 0.1), (other_game, 0.09), (ticket, 0.07),
    (tile, 0.09), (blob, 0.06), (poster, 0.07),
)  # fmt: skip
_SHARES = np.array([share for _, share in _KINDS])


def distractor(rng: np.random.Generator, height: int) -> Image:
    """Something flat that is no card of the game; (height, w, 4) uint8 BGRA, 0.4 to 1 times as wide as high."""
    kind = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES / _SHARES.sum()))][0]
    ratio = rng.uniform(0.6, 0.72) if kind in (poker, other_game) else rng.uniform(0.4, 1.0)
    return kind(rng, height, max(24, int(height * ratio)))
