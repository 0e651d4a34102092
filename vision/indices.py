"""The reader of corner indices: a second way in, for cards of which little more than a corner is seen.

About both corners of a card that hold an index a square is cut out, as far as the quad tells where they are. A network
says which index it sees, or none, and how far the corner is from where it should be; a second look is cut out there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Colour, Rank
from vision.aligner import size_of
from vision.detections import Image
from vision.networks import Network
from vision.pyramid import Pyramid
from vision.reader import OUTCOME_COLOUR, OUTCOME_RANK, softmax
from vision.rectify import ASPECT, Matrix, Quad, carry, cuts, rectangle

Floats = npt.NDArray[np.float32]

SIDE: Final = 64
"""Pixels of the square that the network sees."""

BEFORE: Final = 0.08
AFTER: Final = 0.26
"""How far the square reaches beyond the card's corner and into the card, in heights of the card."""

WORTH: Final = 0.25
"""Probability of an index from which a second look is taken."""

NUDGES: Final = np.array([(0.015, 0.015), (-0.015, -0.015)], np.float32)
"""By how much the square of a second look is moved for two more, in heights of the card: their mean counts."""

SAME_PLACE: Final = 0.09
"""Corners of two cards nearer than so many heights of a card are one corner: it is of the card that is nearer to it."""

_COLOURS: Final = len(Colour) + 1
_RANKS: Final = len(Rank) + 2


def ends(quad: Quad) -> tuple[Quad, Quad]:
    """The quad begun at either of its corners that hold an index."""
    return quad, quad[[2, 3, 0, 1]]


def onto(quad: Quad) -> Matrix:
    """The homography from a card one high, its first corner at the origin, onto its quad."""
    matrix = cv2.getPerspectiveTransform(rectangle(ASPECT, 1), quad.astype(np.float32))
    return np.asarray(matrix, np.float64)


_SQUARE: Final = rectangle(BEFORE + AFTER, BEFORE + AFTER) - np.float32(BEFORE)


def square_at(quad: Quad, x: float = 0.0, y: float = 0.0) -> Quad:
    """The square about the first corner of a quad; `x` and `y` move it, in heights of the card."""
    return carry(_SQUARE + np.array([x, y], np.float32), onto(quad))


def cuts_of(image: Image | Pyramid, squares: list[Quad]) -> Image:
    """The cut-outs (n, 64, 64, 3) of squares."""
    return cuts(image, np.array(squares, np.float32).reshape(-1, 4, 2), (SIDE, SIDE))[0]


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """What both corners of n cards show.

    free: (n, 2), the probability that an index of this card is to be seen there. faces: (n, 2, 56), if so, which.
    places: (n, 2, 2) px, where the corners are. strayed: (n, 2), how far from where the quads have them, in heights.
    """

    free: Floats
    faces: Floats
    places: Floats
    strayed: Floats

    def end(self, which: int) -> Corners:
        """Of each card the first corner alone (0) or the one across (1)."""
        one = slice(which, which + 1)
        return Corners(self.free[:, one], self.faces[:, one], self.places[:, one], self.strayed[:, one])

    def shares(self) -> Floats:
        """The likelihood (n, 56) of the faces by both corners, in units of what a covered card would say."""
        each = self.free[:, :, None] * self.faces * len(FACES) + 1 - self.free[:, :, None]
        return np.asarray(each.prod(axis=1), np.float32)


class Indices:
    """Reads corner indices: a network (n, 64, 64, 3) uint8 to (n, 26), `models.networks.IndexReader`."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @classmethod
    def load(cls) -> Indices:
        """With the shipped weights."""
        return cls(Network.named("indices"))

    def read(self, image: Image | Pyramid, quads: Floats, shared: bool = False) -> Corners:
        """What the corners of quads (n, 4, 2) px show, each index given to one card only unless it may be `shared`."""
        pyramid, both = Pyramid.over(image), [end for quad in quads for end in ends(quad)]
        if not both:
            return Corners(*(np.zeros(shape, np.float32) for shape in ((0, 2), (0, 2, len(FACES)), (0, 2, 2), (0, 2))))
        maps = [onto(end) for end in both]
        out, moved = self._look(pyramid, maps, np.zeros((len(both), 2), np.float32))
        again = np.flatnonzero(_free(out) >= WORTH)
        if len(again):
            out[again], moved[again] = self._looks(pyramid, [maps[i] for i in again], moved[again])
        places = np.array([carry(at, one) for at, one in zip(moved, maps, strict=True)], np.float32)
        strayed = np.linalg.norm(moved, axis=1)
        sizes = np.repeat([size_of(quad) for quad in quads], 2)
        free = _free(out) if shared else _once(_free(out), places, strayed, sizes)
        two = len(quads), 2
        return Corners(free.reshape(two), _faces(out).reshape(*two, -1), places.reshape(*two, 2), strayed.reshape(two))

    def _looks(self, pyramid: Pyramid, maps: list[Matrix], moved: Floats) -> tuple[Floats, Floats]:
        """As one look, with the mean of several at squares nearby."""
        out, there = self._look(pyramid, maps, moved)
        nearby = [self._look(pyramid, maps, moved + nudge)[0] for nudge in NUDGES]
        out[:, : _COLOURS + _RANKS] = np.mean([out, *nearby], axis=0)[:, : _COLOURS + _RANKS]
        return out, there

    def _look(self, pyramid: Pyramid, maps: list[Matrix], moved: Floats) -> tuple[Floats, Floats]:
        """The network's word on squares moved so far, and how far the corners then are from where the quads say."""
        squares = [carry(_SQUARE + by, one) for by, one in zip(moved, maps, strict=True)]
        out = self.network.run(cuts_of(pyramid, squares)).copy()
        return out, moved + out[:, _COLOURS + _RANKS :] * np.float32(BEFORE + AFTER)


def _free(out: Floats) -> Floats:
    """The probability (n,) that an index is seen."""
    ranks = softmax(out[:, _COLOURS : _COLOURS + _RANKS])
    return np.asarray(1 - ranks[:, len(Rank) :].sum(axis=1), np.float32)


def _faces(out: Floats) -> Floats:
    """The shares (n, 56) of the faces, if an index is seen."""
    colours, ranks = softmax(out[:, :_COLOURS]), softmax(out[:, _COLOURS : _COLOURS + len(Rank)])
    table = colours[:, OUTCOME_COLOUR[: len(FACES)]] * ranks[:, OUTCOME_RANK[: len(FACES)]]
    return np.asarray(table / table.sum(axis=1, keepdims=True).clip(1e-9), np.float32)


def _once(free: Floats, places: Floats, strayed: Floats, sizes: npt.NDArray[np.floating]) -> Floats:
    """The probabilities, where several cards claim one corner only for the one that had it nearest."""
    left, taken = np.zeros_like(free), list[int]()
    for i in sorted(np.flatnonzero(free >= WORTH), key=lambda i: strayed[i]):
        near = [np.linalg.norm(places[i] - places[j]) < SAME_PLACE * sizes[i] for j in taken]
        if not any(near):
            taken.append(int(i))
            left[i] = free[i]
    return left
