"""What is printed on a card, as the networks see it: enough to tell whether two cards show the same sign.

A reader may take a strange 1 for a 7; but what it sees of that 1 is like what it sees of the other 1s of the deck, of
whatever colour, and unlike what it sees of the 7s. So its word on the ranks is kept whole, not only the likeliest one:
the logarithms of all shares, as a direction. Of the whole card it is kept for several cut-outs, each a little off, as
corners are seldom exact; of the index corners there is one, since their reader finds its own place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import COLOURED_FACES
from vision.detections import Image, Quads
from vision.indices import Indices
from vision.pyramid import Pyramid
from vision.reader import Reader

Floats = npt.NDArray[np.float32]

RANKS: Final = len({card.rank for card in COLOURED_FACES})
"""Those that have a colour; they come first in `Rank`."""
TURNED: Final = (0.0, 3.5, -3.5, 7.0, -7.0)
MOVED: Final = ((0.03, 0.0), (-0.03, 0.0), (0.0, 0.03), (0.0, -0.03))
GROWN: Final = (0.95, 1.05)
"""How the cut-outs of one card differ: by degrees, by parts of its height, and in size."""

FREE: Final = 0.9
"""Probability of an index from which it has a word."""

FAINTEST: Final = -25.0
"""Least logarithm of a share against the largest one: what is less likely is all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """What one card shows, or several of one sign: `whole` (11, 19), a direction for each cut-out; `corner` (13,) that
    of its indices, None where none is free."""

    whole: Floats
    corner: Floats | None

    def apart(self, other: Print) -> tuple[float, float | None]:
        """How far two prints are apart, 0 to 2: by the whole of them, and by their corners if both show some."""
        whole = 1 - float((self.whole @ other.whole.T).max())
        if self.corner is None or other.corner is None:
            return whole, None
        return whole, 1 - float(self.corner @ other.corner)


def print_of(reader: Reader, indices: Indices | None, image: Image | Pyramid, quad: Quads) -> Print:
    """The print of the card at `quad`, (4, 2) px."""
    pyramid = Pyramid.over(image)
    whole = direction(reader.read(pyramid, cut_outs(quad), learns=False).ranks)
    if indices is None:
        return Print(whole, None)
    corners = indices.read(pyramid, quad[None].astype(np.float32), shared=True)
    free = np.flatnonzero(corners.free[0] >= FREE)
    return Print(whole, mean_of(direction(by_rank(corners.faces[0, free]))) if len(free) else None)


def cut_outs(quad: Quads) -> Quads:
    """The quad and others (11, 4, 2) px that are a little off."""
    middle, height = quad.mean(axis=0), float(np.linalg.norm(quad[3] - quad[0]))
    spokes = quad - middle
    angles = np.radians(TURNED)
    turns = [np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in angles]
    made = [spokes @ turn + middle for turn in turns]
    made += [quad + np.array(by) * height for by in MOVED]
    made += [spokes * by + middle for by in GROWN]
    return np.stack(made).astype(np.float32)


def by_rank(faces: Floats) -> Floats:
    """Shares of the faces (n, 56) as shares of the ranks that have a colour (n, 13)."""
    return np.asarray(faces[:, : len(COLOURED_FACES)].reshape(len(faces), -1, RANKS).sum(axis=1), np.float32)


def direction(shares: Floats) -> Floats:
    """The logarithms of shares (n, m) as directions (n, m), of length 1."""
    logs = np.log(shares.astype(np.float64).clip(1e-37))
    logs = np.maximum(logs, logs.max(axis=1, keepdims=True) + FAINTEST)
    return _unit(logs - logs.mean(axis=1, keepdims=True))


def mean_of(directions: Floats) -> Floats:
    """The direction (m,) between several (n, m)."""
    middle: Floats = _unit(directions.mean(axis=0, keepdims=True))[0]
    return middle


def mean_print(prints: list[Print]) -> Print:
    """The print between several of one sign."""
    corners = [each.corner for each in prints if each.corner is not None]
    whole = _unit(np.mean([each.whole for each in prints], axis=0))
    return Print(whole, mean_of(np.stack(corners)) if corners else None)


def _unit(rows: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True).clip(1e-9), np.float32)
