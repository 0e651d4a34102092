"""Command cards as a webcam sees them: printed ArUco marks in perspective, out of focus, moved, in noise and JPEG.

The size in the picture is computed from stated measures: side of the mark, distance, field of view of the lens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from datasets.textures import Image
from datasets.warp import Quad

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
INK, PAPER = 35, 235
FINE: Final = 4
"""Pixels drawn for one of the camera, along a side."""


@dataclass(frozen=True, slots=True)
class Shooting:
    """How a mark is filmed.

    side: of the mark, mm. distance: of the camera, mm. field: of view across the picture, degrees. size: (width,
    height) px. tilt: of the card towards the camera, degrees at most. blur: of the lens, px (sigma). shake: length of
    the movement during one frame, px. noise: grey levels. jpeg: quality of the camera's compression.
    """

    side: float = 36.0
    distance: float = 1000.0
    field: float = 60.0
    size: tuple[int, int] = (1280, 720)
    tilt: float = 25.0
    blur: float = 0.6
    shake: float = 0.0
    noise: float = 4.0
    jpeg: int = 80

    @property
    def focal(self) -> float:
        """Focal length, px."""
        return float(self.size[0] / 2 / np.tan(np.radians(self.field / 2)))

    @property
    def pixels(self) -> float:
        """Side of the mark in the picture when it faces the camera, px."""
        return self.side * self.focal / self.distance


def printed(mark: int, module: int = 16) -> Image:
    """A mark with its white margin, (9 modules, 9 modules) uint8 grey; `module` px each."""
    squares = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), mark, 6 * module)
    paper = np.full((9 * module, 9 * module), PAPER, np.uint8)
    inner = slice(3 * module // 2, 3 * module // 2 + 6 * module)
    paper[inner, inner] = np.where(squares > 0, PAPER, INK)
    return paper


def photographed(rng: np.random.Generator, table: Image, mark: int, shooting: Shooting) -> tuple[Image, Quad]:
    """A picture of `table`, (H, W, 3) BGR, with a mark somewhere on it; also its corners (4, 2) px."""
    outer = _corners(rng, shooting, shooting.side * 1.5)
    picture = pasted(table, printed(mark), outer)
    margin = 1 / 6  # of the printed square on each side
    square = np.array([[margin, margin], [1 - margin, margin], [1 - margin, 1 - margin], [margin, 1 - margin]])
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    placed = cv2.getPerspectiveTransform(unit, outer)
    quad = cv2.perspectiveTransform(square[None].astype(np.float32), placed)[0]
    return filmed(rng, picture, shooting), np.asarray(quad, np.float32)


def _corners(rng: np.random.Generator, shooting: Shooting, side: float) -> Quad:
    """Where the corners of a square of `side` mm come to lie, (4, 2) px, turned and tilted at random."""
    (width, height), focal, distance = shooting.size, shooting.focal, shooting.distance
    around, axis = rng.uniform(0, 2 * np.pi, 2)
    lean = np.radians(rng.uniform(0, shooting.tilt))
    tilted = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0.0]) * lean)[0]
    turned = cv2.Rodrigues(np.array([0.0, 0.0, around]))[0]
    flat = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * side / 2
    place = rng.uniform(-0.35, 0.35, 2) * np.array([width, height]) * distance / focal
    solid = flat @ turned.T @ tilted.T + np.array([place[0], place[1], distance])
    return np.asarray(solid[:, :2] / solid[:, 2:] * focal + np.array([width, height]) / 2, np.float32)


def pasted(picture: Image, paper: Image, corners: Quad) -> Image:
    """`picture` with grey `paper` put into the quad `corners` (4, 2) px, as finely as a lens would show it."""
    low = np.maximum(0, np.floor(corners.min(0)) - 2).astype(int)
    high = np.minimum(picture.shape[1::-1], np.ceil(corners.max(0)) + 3).astype(int)
    if np.any(high <= low):
        return picture
    width, height = (high - low).tolist()
    side_x, side_y = paper.shape[1], paper.shape[0]
    source = np.array([[0, 0], [side_x, 0], [side_x, side_y], [0, side_y]], np.float32)
    onto = cv2.getPerspectiveTransform(source, np.asarray((corners - low) * FINE, np.float32))
    fine = (width * FINE, height * FINE)
    drawn = cv2.resize(cv2.warpPerspective(paper, onto, fine), (width, height), interpolation=cv2.INTER_AREA)
    full = cv2.warpPerspective(np.full_like(paper, 255), onto, fine)
    share = cv2.resize(full, (width, height), interpolation=cv2.INTER_AREA)[:, :, None] / 255
    out = picture.copy()
    there = out[low[1] : high[1], low[0] : high[0]]
    there[:] = (there * (1 - share) + drawn[:, :, None]).clip(0, 255).astype(np.uint8)
    return out


def filmed(rng: np.random.Generator, picture: Image, shooting: Shooting) -> Image:
    """The picture through lens, sensor and compression of a webcam."""
    out = picture.astype(np.float32)
    if shooting.blur:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), shooting.blur), np.float32)
    if shooting.shake:
        out = np.asarray(cv2.filter2D(out, -1, _smear(shooting.shake, rng.uniform(0, np.pi))), np.float32)
    lit = out * rng.uniform(0.5, 1.05) + rng.normal(0, shooting.noise, out.shape)
    coded = cv2.imencode(".jpg", lit.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, shooting.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _smear(length: float, angle: float) -> Image:
    """The kernel of a straight movement of `length` px."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [[round(float(at) * 16) for at in side // 2 + sign * step] for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum())
