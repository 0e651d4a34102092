"""Putting a flat sprite into a picture exactly where a quad says.

Coordinates are continuous: the centre of the pixel in column i is at i + 0.5, the picture's right edge at its width.
A quad is (4, 2) px, clockwise from the corner that was the sprite's top-left.
"""

import cv2
import numpy as np
import numpy.typing as npt

from datasets.textures import Image, Plane

Quad = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int16]

_HALF = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
_BACK = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])


def corners(width: float, height: float) -> Quad:
    """The quad of an upright rectangle at the origin."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def window(quad: npt.NDArray[np.floating], shape: tuple[int, ...], margin: float = 2) -> tuple[slice, slice] | None:
    """Rows and columns of the picture that the quad may touch; None where it lies outside."""
    low = np.floor(quad.min(0) - margin).astype(int).clip(0)
    high = np.minimum(np.ceil(quad.max(0) + margin).astype(int), [shape[1], shape[0]])
    if low[0] >= high[0] or low[1] >= high[1]:
        return None
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def shrunk(sprite: Image, quad: Quad) -> Image:
    """The sprite no larger than it will be seen (so that warping does not alias)."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    width = max(2, int(np.ceil(max(sides[0], sides[2]))))
    height = max(2, int(np.ceil(max(sides[1], sides[3]))))
    width, height = min(width, sprite.shape[1]), min(height, sprite.shape[0])
    if (height, width) == sprite.shape[:2]:
        return sprite
    return np.asarray(cv2.resize(sprite, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def premultiplied(sprite: Image) -> Image:
    """BGRA with the colours already multiplied by alpha."""
    out = sprite.copy()
    alpha = cv2.merge([sprite[:, :, 3]] * 3)
    out[:, :, :3] = cv2.multiply(sprite[:, :, :3], alpha, scale=1 / 255)
    return out


def paste(picture: Image, sprite: Image, quad: Quad, ids: Ids | None = None, number: int = 0) -> None:
    """Draws the (h, w, 4) BGRA sprite over the picture inside the quad; marks its pixels in `ids` with `number`."""
    where = window(quad, picture.shape)
    if where is None:
        return
    small = premultiplied(shrunk(sprite, quad))
    matrix = cv2.getPerspectiveTransform(corners(small.shape[1], small.shape[0]), quad.astype(np.float32))
    shift = np.array([[1, 0, -where[1].start], [0, 1, -where[0].start], [0, 0, 1]])
    size = (where[1].stop - where[1].start, where[0].stop - where[0].start)
    warped = cv2.warpPerspective(small, _BACK @ shift @ matrix @ _HALF, size, flags=cv2.INTER_LINEAR)
    blend(picture, np.asarray(warped, np.uint8), where)
    if ids is not None:
        ids[where][warped[:, :, 3] > 127] = number


def blend(picture: Image, layer: Image, where: tuple[slice, slice]) -> None:
    """Lays a premultiplied BGRA layer over a window of the picture."""
    rest = cv2.bitwise_not(layer[:, :, 3])
    below = cv2.multiply(picture[where], cv2.merge([rest] * 3), scale=1 / 255)
    picture[where] = cv2.add(below, np.ascontiguousarray(layer[:, :, :3]))


def shade(picture: Image, shape: npt.NDArray[np.floating], soft: float, dark: float) -> None:
    """Darkens the picture inside a polygon (k, 2) px by the share `dark`, with an edge `soft` px wide."""
    where = window(shape, picture.shape, margin=2 * soft + 2)
    if where is None:
        return
    step = max(1, int(soft / 2))
    rows, columns = where[0].stop - where[0].start, where[1].stop - where[1].start
    mask = np.zeros((rows // step + 2, columns // step + 2), np.uint8)
    points = (shape - [where[1].start, where[0].start]) / step
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    mask = cv2.blur(mask, (3, 3) if step > 1 else (2 * int(soft) + 1,) * 2)
    if step > 1:
        mask = cv2.blur(mask, (3, 3))
        mask = cv2.resize(mask, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
    keep = np.clip(255 - mask[:rows, :columns].astype(np.float32) * dark, 0, 255).astype(np.uint8)
    picture[where] = cv2.multiply(picture[where], cv2.merge([keep] * 3), scale=1 / 255)


def cast_shadow(picture: Image, mask: Image, off: npt.NDArray[np.floating], soft: float, dark: float) -> Image:
    """The picture under the shadow of what `mask` (H, W) covers, moved by `off` (x, y) px and blurred by `soft` px."""
    height, width = mask.shape
    small = cv2.resize(mask, (width // 4 + 1, height // 4 + 1), interpolation=cv2.INTER_AREA)
    move = np.array([[1, 0, off[0] / 4], [0, 1, off[1] / 4]], np.float64)
    small = cv2.warpAffine(small, move, (small.shape[1], small.shape[0]))
    side = 2 * int(soft / 4) + 3
    wide = cv2.resize(cv2.blur(small, (side, side)), (width, height), interpolation=cv2.INTER_LINEAR)
    keep = np.clip(255 - wide.astype(np.float32) * dark, 0, 255).astype(np.uint8)
    return np.asarray(cv2.multiply(picture, cv2.merge([keep] * 3), scale=1 / 255), np.uint8)


def polygon_area(quad: npt.NDArray[np.floating]) -> float:
    """Area of a quad in px, whatever way round."""
    return float(cv2.contourArea(quad.astype(np.float32)))


def seen(ids: Ids, numbers: list[int], quads: list[Quad], fullness: list[float]) -> Plane:
    """Share of each card that is seen: its pixels in `ids` over the pixels its whole quad would have; 0..1."""
    count = np.bincount(ids.ravel().clip(0), minlength=max(numbers, default=0) + 1)
    shares = [count[n] / max(1.0, polygon_area(q) * f) for n, q, f in zip(numbers, quads, fullness, strict=True)]
    return np.clip(np.array(shares, np.float32), 0, 1)


_PATCH = np.stack(np.meshgrid(np.linspace(0.07, 0.23, 5), np.linspace(0.04, 0.17, 5)), -1).reshape(-1, 2)
"""Where the index of a card is, in widths and heights from its corner."""
_MIDDLE = np.stack(np.meshgrid(np.linspace(0.28, 0.72, 5), np.linspace(0.32, 0.68, 5)), -1).reshape(-1, 2)


def indices_seen(ids: Ids, number: int, quad: Quad) -> tuple[float, float]:
    """Share seen of a card's index corner at the top left of its quad, and of the one across; 0..1 each."""
    return _share(ids, number, quad, _PATCH), _share(ids, number, np.roll(quad, 2, axis=0), _PATCH)


def _share(ids: Ids, number: int, quad: Quad, places: npt.NDArray[np.float64]) -> float:
    """The share of places on a card, (k, 2) in widths and heights from its first corner, that are seen."""
    (a, b, c, d), u, v = quad, places[:, :1], places[:, 1:]
    points = np.floor((1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)).astype(int)
    inside = ((points >= 0) & (points < ids.shape[::-1])).all(axis=1)
    x, y = np.where(inside[:, None], points, 0).T
    return float(((ids[y, x] == number) & inside).mean())


def centre_seen(ids: Ids, number: int, quad: Quad) -> float:
    """Share seen of the middle of a card, where its large glyph stands; 0..1."""
    return _share(ids, number, quad, _MIDDLE)
