"""Where one card may lie in several ways, the one that its index corners bear out.

Cards that lie in line, edge over edge, can be taken together for one longer card: the whole of it is then read wrongly,
and its two corners show two different cards. Among the places that were looked at there is often a better one. So where
whole card and corners do not agree, the corners of the other places are read, too, and the surest of them counts.
"""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.agreement import agreed
from vision.aligner import size_of
from vision.confidence import Confidence
from vision.detections import Detections
from vision.indices import SAME_PLACE, WORTH, Corners, Indices
from vision.overlaps import same_place
from vision.pyramid import Pyramid

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.intp]

AGREED: Final = 0.98
"""Whole card and corners that together are surer than this need no rival."""

LIES: Final = 0.65
DIFFERENT: Final = 0.95
"""Overlap from which another place is one of the same card, and up to which it is worth a look of its own."""

OTHERS: Final = 0.55
"""Overlap from which it is one of another card."""

LIKELY: Final = 0.5
"""A rival is at least so many times as sure by the whole card."""

FREE: Final = 0.5
"""Probability from which an index is seen."""

MOST: Final = 3
"""Rivals of a card that are looked at, the surest by the whole card first."""


def settled(
    pyramid: Pyramid, indices: Indices, confidence: Confidence, named: Detections, kept: Whole, ends: int = 2
) -> tuple[Whole, Corners]:
    """Which of the places `named` count instead of those `kept` (n,), in their order, and what their corners show.

    ends: how many corners of a rival must show an index, 1 or 2; where it is both, they show the same.
    """
    corners = indices.read(pyramid, named.quads[kept])
    told = agreed(named.pick(kept), corners)
    doubted = np.flatnonzero(told.confidences < AGREED).tolist()
    pairs = [(at, rival) for at in doubted for rival in _rivals(named, kept, at)]
    if not pairs:
        return kept, corners
    places = np.array([rival for _, rival in pairs], np.intp)
    theirs = indices.read(pyramid, named.quads[places], shared=True)
    theirs = _own(theirs, corners, [at for at, _ in pairs], named.quads[places])
    sure = _sure(confidence, told, corners)
    chosen, read = kept.copy(), {name: getattr(corners, name).copy() for name in _PARTS}
    borne_out = _borne_out(named.pick(places), theirs, ends)
    for number, rival in enumerate(_sure(confidence, agreed(named.pick(places), theirs), theirs)):
        at = pairs[number][0]
        if borne_out[number] and rival > sure[at]:
            chosen[at], sure[at] = places[number], rival
            for name, values in read.items():
                values[at] = getattr(theirs, name)[number]
    return chosen, Corners(**read)


def _sure(confidence: Confidence, told: Detections, corners: Corners) -> Floats:
    """How sure (n,) whole card and corners together are."""
    return confidence.of_both("face", told.confidences, corners.free.max(axis=1) >= FREE)


def _rivals(named: Detections, kept: Whole, at: int) -> list[int]:
    """The other places of the card `at` of those kept that differ from it and among themselves, and are of no other."""
    found = [int(kept[at])]
    for place in np.argsort(-named.confidences, kind="stable").tolist():
        if len(found) > MOST or named.confidences[place] < LIKELY * named.confidences[found[0]]:
            break
        if place in kept or named.faces[place] is None:
            continue
        alike = [same_place(named.quads[place], named.quads[one]) for one in found]
        others = [same_place(named.quads[place], named.quads[one]) for one in kept if one != found[0]]
        if alike[0] >= LIES and max(alike) < DIFFERENT and max(others, default=0) < OTHERS:
            found.append(place)
    return found[1:]


def _own(theirs: Corners, known: Corners, cards: list[int], quads: Floats) -> Corners:
    """What the corners of rivals of these cards show, without those that another card has claimed."""
    free = theirs.free.copy()
    for number, at in enumerate(cards):
        claimed = known.free >= WORTH
        claimed[at] = False
        for end, place in enumerate(theirs.places[number]):
            away = np.linalg.norm(known.places[claimed] - place, axis=1)
            if len(away) and away.min() < SAME_PLACE * size_of(quads[number]):
                free[number, end] = 0
    return dataclasses.replace(theirs, free=free)


def _borne_out(whole: Detections, corners: Corners, ends: int) -> npt.NDArray[np.bool_]:
    """Which rivals (n,) show an index at so many ends and do not contradict themselves."""
    shown = np.sort(corners.free, axis=1)[:, -ends] >= FREE
    which = corners.faces.argmax(axis=2)
    shown &= (which[:, 0] == which[:, 1]) | (ends == 1)
    told = agreed(whole, corners)
    same = np.array([one == face for one, face in zip(told.faces, whole.faces, strict=True)], bool)
    return np.asarray(shown & (same | (whole.confidences < FREE)))


_PARTS: Final = ("free", "faces", "places", "strayed")
