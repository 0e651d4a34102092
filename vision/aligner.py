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
from vision.rectify import ASPECT, Matrix, Quad, carry, cut, quad_of, sides

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
    width, height = sides(quad)
    return np.roll(quad, -1, axis=0) if width > height else quad


def square_about(quad: Quad) -> Quad:
    """The square to cut about a quad, turned as it is."""
    across = quad[1] - quad[0] + quad[2] - quad[3]
    x, y = quad.mean(axis=0)
    side = size_of(quad) * MARGIN
    return quad_of(float(x), float(y), side, side, float(np.arctan2(across[1], across[0])))


def sigmoid(logits: Floats) -> Floats:
    """Logits to probabilities."""
    chances: Floats = (1 / (1 + np.exp(-logits.clip(-30, 30)))).astype(np.float32)
    return chances


def inverse(matrix: Matrix) -> Matrix:
    """The homography back."""
    back: Matrix = np.linalg.inv(matrix).astype(np.float64)
    return back


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
        pyramid, rough = Pyramid.over(image), [upright(quad) for quad in quads]
        out, matrices = self._look(pyramid, rough)
        turned = [self._turned(row, matrix) for row, matrix in zip(out, matrices, strict=True)]
        out, matrices = self._look(pyramid, turned)
        return self._exact(out, matrices), sigmoid(out[:, 0])

    def confirm(self, image: Image | Pyramid, quads: Floats) -> tuple[Floats, Floats]:
        """One more pass over exact quads (n, 4, 2) px: how likely a card of ours is there, and the quads it gives.

        A card is found where it was; in what only looks like one the corners wander.
        """
        if not len(quads):
            return np.zeros(0, np.float32), quads
        out, matrices = self._look(Pyramid.over(image), [upright(quad) for quad in quads])
        return sigmoid(out[:, 0]), self._exact(out, matrices)

    @staticmethod
    def _exact(out: Floats, matrices: list[Matrix]) -> Floats:
        """The four corners that a pass saw, back in the picture."""
        corners = [(row[6:].reshape(4, 2) + 0.5) * SIDE for row in out]
        return np.stack([carry(four, inverse(matrix)) for four, matrix in zip(corners, matrices, strict=True)])

    def _look(self, image: Pyramid, quads: list[Quad]) -> tuple[Floats, list[Matrix]]:
        cuts = [cut(image, square_about(quad), (SIDE, SIDE)) for quad in quads]
        pictures = np.stack([picture for picture, _ in cuts])
        outs = [self.network.run(pictures[start : start + BATCH]) for start in range(0, len(pictures), BATCH)]
        return np.concatenate(outs), [matrix for _, matrix in cuts]

    @staticmethod
    def _turned(row: Floats, matrix: Matrix) -> Quad:
        """The rectangle that the first pass saw, back in the picture."""
        height = float(np.exp(np.clip(row[3], -3, 1))) * SIDE
        angle = float(np.arctan2(row[5], row[4])) / 2
        x, y = (float(row[1]) + 0.5) * SIDE, (float(row[2]) + 0.5) * SIDE
        return carry(quad_of(x, y, height * ASPECT, height, angle), inverse(matrix))
