"""Glyphs: the shapes on a card as masks, before they have a colour.

Every function returns a mask (H, W) uint8, 0 outside and 255 inside, cut to its ink with a margin of one pixel. Shapes
are described on a unit square, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from datasets import typefaces

Mask = npt.NDArray[np.uint8]
Points = Sequence[tuple[float, float]]

INK: Final = 192
"""Height in pixels at which glyphs are drawn before they are scaled to their place."""


def trim(mask: Mask) -> Mask:
    """The mask cut to its ink; a mask without ink stays as it is."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > 8), np.flatnonzero(mask.max(axis=0) > 8)
    if not len(rows):
        return mask
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cv2.copyMakeBorder(cut, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0).astype(np.uint8)


def text(words: str, typeface: str) -> Mask:
    """`words` (lines by newline) set in a typeface, about `INK` pixels a line."""
    font = typefaces.load(typeface, INK)
    canvas = Image.new("L", (INK * max(2, len(words)) + INK, INK * 2 * (words.count("\n") + 1)), 0)
    ImageDraw.Draw(canvas).multiline_text((INK // 4, INK // 4), words, fill=255, font=font, align="center", spacing=4)
    return trim(np.asarray(canvas, dtype=np.uint8).copy())


def polygons(shapes: Sequence[Points], height: int = INK, width: int = INK) -> Mask:
    """Filled polygons; coordinates 0 to 1 over `width` and `height`."""
    mask = np.zeros((height, width), np.uint8)
    for shape in shapes:
        points = np.round(np.array(shape) * (width * 16, height * 16)).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    return mask


def mark(digit: Mask, kind: str, thickness: float, gap: float = 1.0, reach: float = 0.9) -> Mask:
    """A 6 or 9 with its mark below: `line` or `dot`.

    `thickness` in parts of the digit's height, `gap` in thicknesses, `reach` (a line's width) in parts of the digit's.
    """
    height, width = digit.shape
    stroke = max(2, round(height * thickness))
    if kind == "line":
        side, top = max(0, round(width * (reach - 1) / 2) + 1), height + max(1, round(stroke * gap))
        out = cv2.copyMakeBorder(digit, 0, top + stroke - height, side, side, cv2.BORDER_CONSTANT, value=0)
        left = round(side + width * (1 - reach) / 2)
        cv2.rectangle(out, (left, top), (round(left + width * reach), top + stroke - 1), 255, -1)
        return trim(out.astype(np.uint8))
    out = np.zeros((height + stroke * 2, width), np.uint8)
    out[:height] = digit
    wider = cv2.copyMakeBorder(out, 0, stroke // 2, 0, round(stroke * 0.4), cv2.BORDER_CONSTANT, value=0)
    cv2.circle(wider, (width - stroke // 3, height + round(stroke * 0.4)), round(stroke * 0.85), 255, -1, cv2.LINE_AA)
    return trim(wider.astype(np.uint8))


def one(weight: float, flag: float, drop: float, foot: float) -> Mask:
    """A drawn 1: stem and foot `weight` thick, a flag that reaches `flag` to the left and `drop` down, a foot that
    reaches `foot` to either side (0: none); all in parts of the height."""
    right = 0.75
    left = right - weight
    shapes = [[(left, 0.0), (right, 0.0), (right, 1.0), (left, 1.0)]]
    thick = weight * (0.75 if drop > 0.05 else 0.9)
    shapes.append([(left, 0.0), (left, thick), (left - flag, drop + thick), (left - flag, drop)])
    if foot:
        middle = (left + right) / 2
        ends = (middle - foot - weight / 2, middle + foot + weight / 2)
        shapes.append([(ends[0], 1 - weight * 0.8), (ends[1], 1 - weight * 0.8), (ends[1], 1.0), (ends[0], 1.0)])
    return trim(polygons(shapes))


def seven(weight: float, reach: float, bar: float, crossed: bool) -> Mask:
    """A drawn 7: a bar `reach` wide and `weight` thick, a stem that ends `bar` from the left, at times crossed out; all
    in parts of the height."""
    thick = weight * 1.15
    stem = [(reach, 0.0), (reach, weight), (bar + thick, 1.0), (bar, 1.0), (reach - thick, weight)]
    shapes = [[(0.0, 0.0), (reach, 0.0), (reach, weight), (0.0, weight)], stem]
    if crossed:
        middle = (reach + bar) / 2
        low, high = 0.5 - weight * 0.35, 0.5 + weight * 0.35
        shapes.append([(middle - 0.26, low), (middle + 0.26, low), (middle + 0.26, high), (middle - 0.26, high)])
    return trim(polygons(shapes))


def bent(mask: Mask, field: Sequence[float]) -> Mask:
    """The mask with its parts moved: `field` holds how far, x and y in parts of the height, on a grid of 3 by 3."""
    height = mask.shape[0]
    room = round(height * 0.15)
    roomy = cv2.copyMakeBorder(mask, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    grid = np.asarray(field, np.float32).reshape(3, 3, 2) * height
    moved = cv2.resize(grid, roomy.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[: roomy.shape[0], : roomy.shape[1]].astype(np.float32)
    return trim(cv2.remap(roomy, x + moved[:, :, 0], y + moved[:, :, 1], cv2.INTER_LINEAR).astype(np.uint8))


def skip(thickness: float, rising: bool) -> Mask:
    """A ring with a bar across; `thickness` of both in parts of the height; the bar rises to the right or falls."""
    mask = np.zeros((INK, INK), np.uint8)
    stroke = max(4, round(INK * thickness))
    middle, radius = INK // 2, (INK - stroke) // 2 - 2
    cv2.circle(mask, (middle, middle), radius, 255, stroke, cv2.LINE_AA)
    reach = round(radius * math.sqrt(0.5))
    ends = ((middle - reach, middle + reach), (middle + reach, middle - reach))
    if not rising:
        ends = ((middle - reach, middle - reach), (middle + reach, middle + reach))
    cv2.line(mask, *ends, 255, stroke, cv2.LINE_AA)
    return trim(mask)


def _arrow(x: float, tip: float, tail: float, shaft: float, head: float) -> Points:
    """A vertical arrow at `x` from `tail` to `tip`; `shaft` and `head` are half widths."""
    neck = tip + (head * 1.1 if tail > tip else -head * 1.1)
    return [
        (x, tip),
        (x + head, neck),
        (x + shaft, neck),
        (x + shaft, tail),
        (x - shaft, tail),
        (x - shaft, neck),
        (x - head, neck),
    ]


def reverse(kind: str, weight: float, gap: float) -> Mask:
    """Two arrows that run against each other, upright; a style leans them. `kind`: straight, half, curved, bolt.

    `weight` is the half width of a shaft (0.06 to 0.14), `gap` the distance of the arrows from the middle.
    """
    if kind == "curved":
        return _curved_arrows(weight)
    if kind == "bolt":
        return _bolt_arrows(weight, gap)
    head = weight * 2.1
    if kind == "half":
        left = [(0.5 - gap / 2, 0.0), (0.5 - gap / 2, 0.86), (0.5 - gap / 2 - weight * 2, 0.86)]
        left += [(0.5 - gap / 2 - weight * 2, 0.34), (0.5 - gap / 2 - weight * 2 - 0.12, 0.34)]
        right = [(1 - x, 1 - y) for x, y in left]
        return trim(polygons([left, right]))
    shapes = [_arrow(0.5 - gap - weight, 0.0, 0.72, weight, head), _arrow(0.5 + gap + weight, 1.0, 0.28, weight, head)]
    return trim(polygons(shapes))


def _bolt_arrows(weight: float, gap: float) -> Mask:
    """One zigzag with a head at each end, as on the decks whose arrows join in the middle."""
    top = _arrow(0.5 - gap, 0.0, 0.56, weight, weight * 2.2)
    shapes = [top, [(1 - x, 1 - y) for x, y in top]]
    left, right = 0.5 - gap - weight, 0.5 + gap + weight
    shapes.append([(left, 0.44), (right, 0.44), (right, 0.56), (left, 0.56)])
    return trim(polygons(shapes))


def _curved_arrows(weight: float) -> Mask:
    mask = np.zeros((INK, INK), np.uint8)
    middle, radius, stroke = INK // 2, round(INK * 0.34), max(4, round(INK * weight * 1.7))
    for turn in (0, 180):
        cv2.ellipse(mask, (middle, middle), (radius, radius), turn, 20, 130, 255, stroke, cv2.LINE_AA)
        angle = math.radians(turn + 150)
        tip = np.array([middle + radius * math.cos(angle), middle + radius * math.sin(angle)])
        along = np.array([-math.sin(angle), math.cos(angle)])
        across = np.array([math.cos(angle), math.sin(angle)])
        head = np.array([tip + along * stroke, tip - along * stroke * 0.7 + across * stroke * 1.1])
        head = np.vstack([head, [tip - along * stroke * 0.7 - across * stroke * 1.1]])
        cv2.fillPoly(mask, [np.round(head * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return trim(mask)


def swap(weight: float) -> Mask:
    """Two horizontal arrows against each other, the sign for swapped hands."""
    upright = reverse("straight", weight, 0.04)
    return trim(np.ascontiguousarray(np.rot90(upright)))


def rounded(height: int, width: int, radius: float) -> Mask:
    """A rectangle with round corners that fills (height, width); `radius` in pixels."""
    mask = np.zeros((height * 2, width * 2), np.uint8)
    r = max(0, min(round(radius * 2), min(height, width) - 1))
    cv2.rectangle(mask, (r, 0), (width * 2 - 1 - r, height * 2 - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width * 2 - 1, height * 2 - 1 - r), 255, -1)
    for x in (r, width * 2 - 1 - r):
        for y in (r, height * 2 - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return resize(mask, height, width)


def resize(mask: Mask, height: int, width: int) -> Mask:
    """The mask at another size, smooth both ways."""
    shrinks = height < mask.shape[0] or width < mask.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return cv2.resize(mask, (max(1, width), max(1, height)), interpolation=how).astype(np.uint8)


def lean(mask: Mask, slant: float, turn: float = 0.0) -> Mask:
    """The mask slanted (tangent, positive leans right) and turned clockwise by `turn` degrees."""
    height, width = mask.shape
    side = math.ceil(math.hypot(height, width) * 1.25 + abs(slant) * height)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    turned: npt.NDArray[Any] = np.array([[c, -s], [s, c]]) @ np.array([[1.0, -slant], [0.0, 1.0]])
    shift = np.array([side / 2, side / 2]) - turned @ np.array([width / 2, height / 2])
    matrix = np.hstack([turned, shift[:, None]])
    return trim(cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_LINEAR).astype(np.uint8))


def rounder(mask: Mask, pixels: float) -> Mask:
    """Sharp corners and ends worn round over about `pixels`, as in soft typefaces."""
    if pixels < 1:
        return mask
    room = round(pixels) + 2
    roomy = cv2.copyMakeBorder(mask, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    soft = cv2.GaussianBlur(roomy, (0, 0), pixels).astype(np.float32)
    return trim(np.clip((soft - 96) * 4, 0, 255).astype(np.uint8))


def thicken(mask: Mask, pixels: float) -> Mask:
    """Ink grown (or, below zero, thinned) by about `pixels`."""
    size = round(abs(pixels))
    if size < 1:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * size + 1, 2 * size + 1))
    if pixels < 0:
        thin = cv2.erode(mask, kernel)
        return trim(thin.astype(np.uint8))
    roomy = cv2.copyMakeBorder(mask, size, size, size, size, cv2.BORDER_CONSTANT, value=0)
    return trim(cv2.dilate(roomy, kernel).astype(np.uint8))
