"""Cut-outs: a card, or the square about one, as an upright picture of fixed size.

Training and running cut through the same code, so that the networks see at the table what they were taught on.
"""

from __future__ import annotations

from math import cos, sin
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image
from vision.pyramid import Pyramid

Quad = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

ASPECT: Final = 56 / 87
"""Width by height of a playing card of the usual size, in mm."""

# The middle of the pixel with index i lies at i + 0.5; quads are in such coordinates, OpenCV warps indices.
_FROM_INDEX: Final = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
_TO_INDEX: Final = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])


def rectangle(width: float, height: float) -> Quad:
    """The corners (4, 2) of a picture `width` by `height` px, clockwise from the top left."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def quad_of(cx: float, cy: float, width: float, height: float, angle: float) -> Quad:
    """The corners (4, 2) of a rectangle turned by `angle` radians, clockwise on the screen from its own top left."""
    c, s = cos(angle), sin(angle)  # plain numbers: for one quad twice as fast as arrays
    corners = [(x - width / 2, y - height / 2) for x, y in rectangle(width, height).tolist()]
    return np.array([(x * c - y * s + cx, x * s + y * c + cy) for x, y in corners], np.float32)


def sides(quad: Quad) -> tuple[float, float]:
    """Mean lengths (width, height) px of a quad whose first side is its top."""
    return sides_of(quad[None])[0]


def sides_of(quads: npt.NDArray[np.floating]) -> list[tuple[float, float]]:
    """As `sides`, of n quads (n, 4, 2)."""
    steps = quads[:, [1, 2, 3, 0]] - quads
    lengths: list[list[float]] = np.sqrt((steps * steps).sum(axis=2)).tolist()
    return [((top + bottom) / 2, (right + left) / 2) for top, right, bottom, left in lengths]


def cut(image: Image | Pyramid, quad: Quad, size: tuple[int, int]) -> tuple[Image, Matrix]:
    """The part of a picture inside `quad` as a picture of `size` (width, height) px, and the homography onto it.

    What lies outside the picture repeats its edge. Shrinking averages first, so that fine print does not flicker.
    """
    pictures, matrices = cuts(image, quad[None], size)
    return pictures[0], matrices[0]


def cuts(image: Image | Pyramid, quads: Quad, size: tuple[int, int]) -> tuple[Image, list[Matrix]]:
    """As `cut`, of n quads (n, 4, 2): pictures (n, height, width, 3), and n homographies."""
    pyramid, onto = Pyramid.over(image), rectangle(*size)
    pictures, matrices = np.empty((len(quads), size[1], size[0], 3), np.uint8), list[Matrix]()
    for quad, (width, height), picture in zip(quads, sides_of(quads), pictures, strict=True):
        source, factor = pyramid.shrunk(min(width / size[0], height / size[1]))
        matrix = cv2.getPerspectiveTransform((quad * factor).astype(np.float32), onto)
        exact = _TO_INDEX @ matrix @ _FROM_INDEX
        cv2.warpPerspective(source, exact, size, picture, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        matrices.append(np.asarray(matrix * (factor, factor, 1.0), np.float64))
    return pictures, matrices


def carry(points: npt.NDArray[np.floating], matrix: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """Points (..., 2) through a homography."""
    flat = points.reshape(-1, 1, 2).astype(np.float64)
    return cv2.perspectiveTransform(flat, matrix).reshape(points.shape).astype(np.float32)
