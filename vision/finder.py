"""The finder: where cards lie in a picture, as rotated boxes (YOLO11n with oriented boxes, one class)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image
from vision.networks import Network
from vision.pyramid import Pyramid
from vision.rectify import quad_of

Floats = npt.NDArray[np.float32]

SIDE: Final = 320
"""Pixels of the longer side at which the network was taught."""

STRIDE: Final = 32
GREY: Final = 114

LEAST_SCORE: Final = 0.1
"""Boxes below it are not even looked at by the aligner."""

OVERLAP: Final = 0.6
"""Intersection over union above which the weaker of two boxes is the same card."""

MOST: Final = 64
"""Boxes kept, the surest first."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Rotated boxes: `rows` (n, 5) float32 cx, cy, w, h in px and the angle in radians; `scores` (n,) 0 to 1."""

    rows: Floats
    scores: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def quads(self) -> Floats:
        """Their corners (n, 4, 2) px, beginning at either end of a long side."""
        corners = [quad_of(*row) for row in self.rows.tolist()]
        return np.array(corners, np.float32).reshape(-1, 4, 2)


def letterbox(image: Image | Pyramid, side: int) -> tuple[Floats, float]:
    """The picture at `side` px on its longer side, padded with grey to the stride, as (1, 3, H, W) RGB 0 to 1.

    Also the factor by which it was scaled; it lies in the middle.
    """
    pyramid = Pyramid.over(image)
    height, width = pyramid.image.shape[:2]
    factor = side / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    source, _ = pyramid.shrunk(1 / factor, left=2)
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = source if source.shape[1::-1] == size else cv2.resize(source, size, interpolation=how)
    padded = np.full((-(-size[1] // STRIDE) * STRIDE, -(-size[0] // STRIDE) * STRIDE, 3), GREY, np.uint8)
    top, left = (padded.shape[0] - size[1]) // 2, (padded.shape[1] - size[0]) // 2
    padded[top : top + size[1], left : left + size[0]] = small
    planes = np.empty((1, 3, *padded.shape[:2]), np.float32)
    for plane, colour in zip(planes[0], reversed(cv2.split(padded)), strict=True):
        np.multiply(colour, np.float32(1 / 255), out=plane, dtype=np.float32)
    return planes, factor


def suppressed(boxes: Boxes, overlap: float = OVERLAP, most: int = MOST) -> Boxes:
    """The boxes without the weaker ones that cover the same card (non-maximum suppression)."""
    if not len(boxes):
        return boxes
    rows = zip(boxes.rows.tolist(), np.degrees(boxes.rows[:, 4]).tolist(), strict=True)
    rotated = [((x, y), (w, h), degrees) for (x, y, w, h, _), degrees in rows]
    kept = cv2.dnn.NMSBoxesRotated(rotated, boxes.scores.tolist(), 0.0, overlap, top_k=most * 8)
    chosen = np.asarray(kept, int).ravel()[:most]
    return Boxes(boxes.rows[chosen], boxes.scores[chosen])


class Finder:
    """Finds cards with a network of shape (1, 3, H, W) to (1, 6, n): cx, cy, w, h, score, angle."""

    def __init__(self, network: Network, side: int = SIDE) -> None:
        self.network, self.side = network, side

    @classmethod
    def load(cls) -> Finder:
        """With the shipped weights."""
        return cls(Network.named("finder"))

    def find(
        self,
        image: Image | Pyramid,
        side: int | None = None,
        least: float = LEAST_SCORE,
        overlap: float = OVERLAP,
    ) -> Boxes:
        """The boxes in a picture (H, W, 3) uint8 BGR, the surest first, in its own pixels.

        `side`: pixels on the longer side to look at; more finds smaller cards and takes longer. `overlap`: intersection
        over union above which two boxes are one card.
        """
        side = self.side if side is None else side
        pyramid = Pyramid.over(image)
        planes, factor = letterbox(pyramid, side)
        out = self.network.run(planes)[0]
        strong = np.flatnonzero(out[4] >= least)
        strong = strong[np.argsort(-out[4, strong], kind="stable")][: MOST * 8]
        offset_x = (planes.shape[3] - round(pyramid.image.shape[1] * factor)) // 2
        offset_y = (planes.shape[2] - round(pyramid.image.shape[0] * factor)) // 2
        rows = out[[0, 1, 2, 3, 5]][:, strong].T.copy()
        rows[:, 0] -= offset_x
        rows[:, 1] -= offset_y
        rows[:, :4] /= factor
        return suppressed(Boxes(rows.astype(np.float32), out[4, strong].clip(0, 1).astype(np.float32)), overlap)
