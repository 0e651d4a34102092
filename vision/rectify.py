"""Cut-outs: a card, or the square about one, as an upright picture of fixed size.

Training and running cut through the same code, so that the networks see at the table what they were taught on.
"""

from __future__ import annotations

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
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    corners = (rectangle(width, height) - np.array([width / 2, height / 2])) @ turn.T
    moved: Quad = (corners + np.array([cx, cy])).astype(np.float32)
    return moved


def sides(quad: Quad) -> tuple[float, float]:
    """Mean lengths (width, height) px of a quad whose first side is its top."""
    top, right, bottom, left = (float(np.linalg.norm(quad[(i + 1) % 4] - quad[i])) for i in range(4))
    return (top + bottom) / 2, (right + left) / 2


def cut(image: Image | Pyramid, quad: Quad, size: tuple[int, int]) -> tuple[Image, Matrix]:
    """The part of a picture inside `quad` as a picture of `size` (width, height) px, and the homography onto it.

    What lies outside the picture repeats its edge. Shrinking averages first, so that fine print does not flicker.
    """
    shrink = min(sides(quad)[0] / size[0], sides(quad)[1] / size[1])
    source, factor = Pyramid.over(image).shrunk(shrink)
    matrix = cv2.getPerspectiveTransform((quad * factor).astype(np.float32), rectangle(*size))
    exact = _TO_INDEX @ matrix @ _FROM_INDEX
    picture = cv2.warpPerspective(source, exact, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    scale: Matrix = np.diag([factor, factor, 1.0])
    return picture.astype(np.uint8, copy=False), np.asarray(matrix @ scale, np.float64)


def carry(points: npt.NDArray[np.floating], matrix: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """Points (..., 2) through a homography."""
    flat = points.reshape(-1, 1, 2).astype(np.float64)
    return cv2.perspectiveTransform(flat, matrix).reshape(points.shape).astype(np.float32)
