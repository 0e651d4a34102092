"""Arms over the virtual table: whose they are, how they come in, what they hold, how the camera smears them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from datasets import hands, warp
from datasets.textures import Image

Point = npt.NDArray[np.floating]
Gesture = Literal["flat", "pinch"]

SMEAR_STEPS = 9


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A part of an arm: premultiplied BGRA `pixels`, whose top-left lies at `offset` (x, y) px from the fingertips."""

    pixels: Image
    offset: tuple[int, int]


class Arm:
    """One person's arm as it reaches for one place. Drawn once, then only moved.

    away: unit vector from the place towards the person, px. unit: a card's height there, px. reach: px that the arm
    must stretch to leave the picture.
    """

    def __init__(self, rng: np.random.Generator, look: hands.Look, away: Point, unit: float, reach: float) -> None:
        self.away, self.unit, self.reach = away, unit, reach
        self.flat = self._drawn(rng, look, "flat")
        self.pinch_behind = self._drawn(rng, look, "pinch")
        self.thumb = self._thumb(rng, look)

    def _canvas(self) -> tuple[Image, Image, Point]:
        side = int(self.reach + 3 * self.unit)
        return np.zeros((2 * side, 2 * side, 3), np.uint8), np.zeros((2 * side, 2 * side), np.uint8), np.full(2, side)

    def _drawn(self, rng: np.random.Generator, look: hands.Look, gesture: Gesture) -> Sprite:
        picture, mask, middle = self._canvas()
        if gesture == "flat":
            hands.reaching(rng, picture, mask, middle, self.away, self.unit, look)
        else:
            hands.grip_behind(rng, picture, mask, middle, self.unit, self.away, look)
        return _cropped(picture, mask, middle, shadow=0.06 * self.unit)

    def _thumb(self, rng: np.random.Generator, look: hands.Look) -> Sprite:
        picture, mask, middle = self._canvas()
        hands.grip_front(rng, picture, mask, middle + 0.4 * self.unit * self.away, -self.away, self.unit, look)
        return _cropped(picture, mask, middle, shadow=0)


def _cropped(picture: Image, mask: Image, middle: Point, shadow: float) -> Sprite:
    """The drawn part of a canvas, with a soft shadow `shadow` px away."""
    layer = np.dstack([picture, cv2.blur(mask, (3, 3))])
    if shadow:
        layer = _with_shadow(layer, round(shadow))
    x, y, width, height = cv2.boundingRect(layer[:, :, 3])
    cut = np.ascontiguousarray(layer[y : y + height, x : x + width])
    return Sprite(cut, (x - int(middle[0]), y - int(middle[1])))


def _with_shadow(layer: Image, shift: int) -> Image:
    small = cv2.resize(layer[:, :, 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.blur(small, (2 * (shift // 4) + 3,) * 2)
    dark = cv2.resize(soft, layer.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    dark = cv2.convertScaleAbs(np.roll(dark, (shift, shift), (0, 1)), alpha=0.4)
    out = layer.copy()
    out[:, :, 3] = cv2.max(layer[:, :, 3], dark)
    return out


def put(layer: Image, sprite: Sprite, at: Point) -> None:
    """Lays a sprite over a premultiplied (H, W, 4) layer, fingertips at `at` (x, y) px; what sticks out is cut."""
    left, top = round(float(at[0])) + sprite.offset[0], round(float(at[1])) + sprite.offset[1]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(layer.shape[1], left + sprite.pixels.shape[1]), min(layer.shape[0], top + sprite.pixels.shape[0])
    if x0 < x1 and y0 < y1:
        over(layer, sprite.pixels[y0 - top : y1 - top, x0 - left : x1 - left], (slice(y0, y1), slice(x0, x1)))


def put_card(layer: Image, card: Image, quad: warp.Quad) -> None:
    """Lays a card's sprite (BGRA) over the layer where the quad says."""
    where = warp.window(quad, layer.shape)
    if where is None:
        return
    small = warp.premultiplied(warp.shrunk(card, quad))
    matrix = cv2.getPerspectiveTransform(
        warp.corners(small.shape[1], small.shape[0]), (quad - [where[1].start, where[0].start]).astype(np.float32)
    )
    size = (where[1].stop - where[1].start, where[0].stop - where[0].start)
    over(layer, np.asarray(cv2.warpPerspective(small, matrix, size), np.uint8), where)


def over(layer: Image, pixels: Image, where: tuple[slice, slice]) -> None:
    """Premultiplied `pixels` over a window of a premultiplied layer; nothing for an empty window."""
    if not pixels.size:
        return
    rest = cv2.merge([cv2.bitwise_not(np.ascontiguousarray(pixels[:, :, 3]))] * 4)
    layer[where] = cv2.add(cv2.multiply(np.ascontiguousarray(layer[where]), rest, scale=1 / 255), pixels)


def drawn_part(layer: Image) -> tuple[slice, slice]:
    """The window of a layer that holds anything."""
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(layer[:, :, 3]))
    return slice(y, y + height), slice(x, x + width)


def smeared(layer: Image, motion: Point) -> Image:
    """The layer as the camera sees it while it moves by `motion` (x, y) px during the exposure."""
    length = float(np.linalg.norm(motion))
    rows, columns = drawn_part(layer)
    if length < 3 or rows.start == rows.stop:
        return layer
    reach = int(length) + 1
    rows = slice(max(0, rows.start - reach), min(layer.shape[0], rows.stop + reach))
    columns = slice(max(0, columns.start - reach), min(layer.shape[1], columns.stop + reach))
    part = np.ascontiguousarray(layer[rows, columns])
    steps = int(np.clip(length / 5, 3, SMEAR_STEPS))
    total = np.zeros(part.shape, np.float32)
    for share in np.linspace(-0.5, 0.5, steps):
        shift = np.array([[1, 0, motion[0] * share], [0, 1, motion[1] * share]], np.float32)
        cv2.accumulate(cv2.warpAffine(part, shift, part.shape[1::-1]), total)
    out = np.zeros_like(layer)
    out[rows, columns] = cv2.convertScaleAbs(total, alpha=1 / steps)
    return out
