"""The aligner: from a finder's box, with its errors, to the card's exact corners.

A square about each box is cut out twice: the first pass turns the card upright whatever its angle, the second gives the
four corners. It also tells whether a card of ours is there at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.detections import Image
from vision.networks import Network
from vision.pyramid import Pyramid
from vision.rectify import ASPECT, Matrix, Quad, carry, cuts, quad_of, sides, sides_of

Floats = npt.NDArray[np.float32]

SIDE: Final = 96
"""Pixels of the square that the network sees."""

MARGIN: Final = 1.55
"""Side of that square in heights of the card."""

BATCH: Final = 32


def size_of(quad: Quad) -> float:
    """The height px of an upright card that covers the quad's sides."""
    width, height = sides(quad)
    return max(height, width / ASPECT)


def upright(quad: Quad) -> Quad:
    """The same corners, begun so that the long sides run down."""
    turned: Quad = uprights(quad[None])[0]
    return turned


def uprights(quads: Quad) -> Quad:
    """As `upright`, of n quads (n, 4, 2)."""
    lying = np.array([width > height for width, height in sides_of(quads)], bool)
    return np.asarray(np.where(lying[:, None, None], quads[:, [1, 2, 3, 0]], quads), np.float32)


def square_about(quad: Quad) -> Quad:
    """The square to cut about a quad, turned as it is."""
    square: Quad = squares_about(quad[None])[0]
    return square


def squares_about(quads: Quad) -> Quad:
    """As `square_about`, of n quads (n, 4, 2)."""
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angles, middles = np.arctan2(across[:, 1], across[:, 0]).tolist(), quads.mean(axis=1).tolist()
    sizes = [max(height, width / ASPECT) * MARGIN for width, height in sides_of(quads)]
    squares = [quad_of(x, y, side, side, angle) for (x, y), side, angle in zip(middles, sizes, angles, strict=True)]
    return np.array(squares, np.float32).reshape(-1, 4, 2)


def sigmoid(logits: Floats) -> Floats:
    """Logits to probabilities."""
    chances: Floats = (1 / (1 + np.exp(-logits.clip(-30, 30)))).astype(np.float32)
    return chances


class Aligner:
    """Aligns quads with a network of shape (n, 96, 96, 3) uint8 to (n, 14); see `models.networks.Aligner`."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @classmethod
    def load(cls) -> Aligner:
        """With the shipped weights."""
        return cls(Network.named("aligner"))

    def align(self, image: Image | Pyramid, quads: Floats) -> tuple[Floats, Floats]:
        """Exact quads (n, 4, 2) px for rough ones, and for each the probability (n,) that a card of ours is there."""
        if not len(quads):
            return quads, np.zeros(0, np.float32)
        pyramid = Pyramid.over(image)
        out, matrices = self._look(pyramid, uprights(quads))
        out, matrices = self._look(pyramid, self._turned(out, matrices))
        return self._exact(out, matrices), sigmoid(out[:, 0])

    def confirm(self, image: Image | Pyramid, quads: Floats) -> tuple[Floats, Floats]:
        """One more pass over exact quads (n, 4, 2) px: how likely a card of ours is there, and the quads it gives.

        A card is found where it was; in what only looks like one the corners wander.
        """
        if not len(quads):
            return np.zeros(0, np.float32), quads
        out, matrices = self._look(Pyramid.over(image), uprights(quads))
        return sigmoid(out[:, 0]), self._exact(out, matrices)

    @staticmethod
    def _exact(out: Floats, matrices: list[Matrix]) -> Floats:
        """The four corners that a pass saw, back in the picture."""
        return _back((out[:, 6:].reshape(-1, 4, 2) + 0.5) * SIDE, matrices)

    def _look(self, image: Pyramid, quads: Floats) -> tuple[Floats, list[Matrix]]:
        pictures, matrices = cuts(image, squares_about(quads), (SIDE, SIDE))
        outs = [self.network.run(pictures[start : start + BATCH]) for start in range(0, len(pictures), BATCH)]
        return np.concatenate(outs), matrices

    @staticmethod
    def _turned(out: Floats, matrices: list[Matrix]) -> Floats:
        """The rectangles that the first pass saw, back in the picture."""
        middles, heights = out[:, 1:3].tolist(), np.exp(out[:, 3].clip(-3, 1)).tolist()
        rows = zip(middles, heights, np.arctan2(out[:, 5], out[:, 4]).tolist(), strict=True)
        seen = [
            quad_of((x + 0.5) * SIDE, (y + 0.5) * SIDE, high * SIDE * ASPECT, high * SIDE, twice / 2)
            for (x, y), high, twice in rows
        ]
        return _back(np.stack(seen), matrices)


def _back(quads: Floats, matrices: list[Matrix]) -> Floats:
    """Quads (n, 4, 2) in cut-outs to where they are in the picture."""
    return np.stack([carry(quad, back) for quad, back in zip(quads, np.linalg.inv(matrices), strict=True)])
