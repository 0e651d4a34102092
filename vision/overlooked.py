"""Cards of a hand that the finder overlooked or ran together, found by the index corners that nobody has claimed.

In a fan or a row every card shows a corner a little further on than its neighbour. So the quads of the cards that were
found are turned about either end and moved sideways, and where a corner with a plain index turns up that is of none of
them, another card lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card
from vision.agreement import likelihood
from vision.aligner import size_of
from vision.detections import Detection, Detections, Face
from vision.indices import WORTH, Corners, Indices
from vision.overlaps import same_place
from vision.pyramid import Pyramid
from vision.reader import OUTCOMES
from vision.rectify import Quad

Floats = npt.NDArray[np.float32]

TURNS: Final = (-24.0, -16.0, -8.0, 8.0, 16.0, 24.0)
"""Degrees by which a quad is turned about the end across from the corner."""

STEPS: Final = (-0.3, -0.2, -0.1, 0.1, 0.2, 0.3)
"""Heights of a card by which it is moved along its short side."""

HAND: Final = 2
SURE: Final = 0.5
"""So many cards read at least so surely are a hand; of less nothing is inferred."""

PLAIN: Final = 0.65
"""Least probability that an index is seen, and least share of the likeliest face, of a card that is added."""

NEAR: Final = 0.12
"""Most heights of a card by which the corner may be away from where the moved quad has it."""


APART: Final = 0.12
"""Least heights of a card between its corner and that of any card that is known."""


CORNER: Final = 0.13
SAME_FACE: Final = 0.2
COVERED: Final = 0.5
"""A corner nearer than so many heights to one of a card of its colour, or of its face, where that has shown no index
yet and which the try covers so far, is that card's own: many decks have an index in all four, and where a quad is a
little off the one across is not seen."""


LIKE: Final = 4
"""Tries of one corner from which its neighbours are looked for: they differ in how the card lies about it."""

ROUNDS: Final = 3
"""From what was added the next neighbours are looked for, at most so often."""


def variants(quad: Quad) -> Iterator[Quad]:
    """A quad turned and moved as its neighbours in a hand might lie."""
    size, across = size_of(quad), quad[1] - quad[0]
    across = across / max(float(np.linalg.norm(across)), 1e-6)
    for pivot in ((quad[2] + quad[3]) / 2, (quad[0] + quad[1]) / 2):
        for turn in TURNS:
            matrix = cv2.getRotationMatrix2D((float(pivot[0]), float(pivot[1])), turn, 1)
            yield np.asarray(quad @ matrix[:, :2].T + matrix[:, 2], np.float32)
    for step in STEPS:
        yield np.asarray(quad + across * step * size, np.float32)


def overlooked(image: Pyramid, indices: Indices, seen: Detections, rough: Floats | None = None) -> Detections:
    """Further cards, each with the face that its free corner shows.

    `rough`: quads (n, 4, 2) px where cards may lie that were taken for others.
    """
    sure = np.flatnonzero([isinstance(card.face, Card) and card.confidence >= SURE for card in seen])
    if len(sure) < HAND:
        return Detections.empty()
    known = indices.read(image, seen.quads)
    taken = list(known.places[known.free >= WORTH])
    there = [
        (seen.faces[i], seen.quads[i], seen.quads[i][~np.append(known.free[i] >= WORTH, (False, False))[[0, 2, 1, 3]]])
        for i in sure.tolist()
    ]
    found: list[Detection] = []
    tries = [*(rough if rough is not None else ()), *(one for i in sure for one in variants(seen.quads[i]))]
    for _ in range(ROUNDS):
        quads = np.array(tries, np.float32).reshape(-1, 4, 2)
        added = list(_added(quads, indices.read(image, quads, shared=True), taken, there))
        found += [card for card, _ in added]
        tries = [one for _, like in added for quad in like for one in variants(quad)]
        if not tries:
            break
    return Detections.of(found)


def _added(
    tries: Floats, corners: Corners, taken: list[Floats], there: list[tuple[Face, Quad, Floats]]
) -> Iterator[tuple[Detection, list[Quad]]]:
    """The cards at tries (m, 4, 2) either corner of which is plain and none of those `taken`, the plainest first.

    Nor any corner of the cards that are `there` with their quads; what is told is added to both.

    With each the tries that have the same corner, the nearest first: the card may lie as any of them.
    """
    table = np.stack([likelihood(corners.end(end)) for end in (0, 1)], axis=1)
    table = (table / table.sum(axis=2, keepdims=True))[:, :, : len(FACES)]
    plain = (corners.free >= PLAIN) & (table.max(axis=2) >= PLAIN) & (corners.strayed <= NEAR)
    places = np.argwhere(plain)
    for i, end in sorted(places.tolist(), key=lambda at: -corners.free[at[0], at[1]]):
        place, apart = corners.places[i, end], APART * size_of(tries[i])
        if all(np.linalg.norm(place - other) >= apart for other in taken):
            taken.append(place)
            face = FACES[int(table[i, end].argmax())]
            if any(_its_own(place, face, tries[i], *card) for card in there):
                continue
            there.append((face, tries[i], np.delete(tries[i], 2 * end, axis=0)))
            padded = np.append(table[i, end], np.zeros(len(OUTCOMES) - len(FACES), np.float32))
            sure = float(table[i, end].max() * corners.free[i, end])
            like = [at for at in places if np.linalg.norm(corners.places[at[0], at[1]] - place) < apart]
            like = sorted(like, key=lambda at: corners.strayed[at[0], at[1]])[:LIKE]
            yield Detection(tries[i], 0.0, face, sure, padded), [tries[at[0]] for at in like]


def _its_own(place: Floats, face: Card, tried: Quad, known: Face, quad: Quad, bare: Floats) -> bool:
    """Whether a corner of a card tried is one of a card that is known: one of those `bare` of an index so far."""
    if not isinstance(known, Card) or known.colour != face.colour or not len(bare):
        return False
    near = SAME_FACE if known == face else CORNER
    return bool(
        np.linalg.norm(bare - place, axis=1).min() < near * size_of(quad) and same_place(tried, quad) >= COVERED
    )
