"""What the other things in a picture say of its cards: a deck holds each only so often, and cards have no doubles.

Two yellow Skips may be there, seven are not: then it is a keyboard, a poster, a cloth. What the readings of one face
claim together is at most what a deck holds of it, so that many of one kind make each of them less likely. Where many
things of a card's size and shape turn out to be no cards, the few that look like some are likely of their kind. And
where not one card is plain, the one that may be is more often a book or a bus than where others lie.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card, Colour, deck_census
from vision.detections import Detections

HELD: Final = {face: max(2, count) for face, count in deck_census("112").items()}
"""How many cards of a face may lie in one picture: what the fuller of the decks holds, and two of every face, since a
family may have mixed decks."""

SURE: Final = 0.5
ALIKE: Final = 1.6
"""Things whose long side is that of the cards read at least so surely, give or take this factor, are alike."""

BESIDE: Final = 0.15
"""Heights of a card outside of it within which a thing still belongs to it."""

GUESS: Final = 1 / len(Colour)
"""How far a face counts where nobody can see its colour."""

_COLOURS: Final = ("confidences", "colour_confidences")
_ALL: Final = (*_COLOURS, "rank_confidences")

PLAIN, CERTAIN = 0.7, 0.96
"""A card is plain from that score of the finder, if it is read surely, or from that confidence."""

DOUBT: Final = 0.52
"""How far faces count in a picture in which no card is plain. Higher: books and buses are cards; lower: cards that lie
alone and are seen badly are none."""

CROWD: Final = 8
"""So many things that are alike and no cards, and twice as many as there are cards, tell against the cards. Beside real
cards hardly ever more than three are found."""


def in_company(seen: Detections, around: npt.NDArray[np.float32]) -> Detections:
    """The readings, less sure where most of the things `around` (m, 4, 2) px that look like cards are none.

    Each then counts as far as the share of cards among what is alike.
    """
    if len(around) < CROWD:
        return seen
    cards = [card for card in seen if card.confidence >= SURE and card.face is not None]
    if not cards:
        return seen
    height = float(np.median([card.height for card in cards]))
    sides = np.linalg.norm(around - np.roll(around, 1, axis=1), axis=2).max(axis=1)
    alike = around[(sides < ALIKE * height) & (sides * ALIKE > height)].mean(axis=1)
    for card in cards:
        reach = BESIDE * card.height
        out = [cv2.pointPolygonTest(card.quad, (float(x), float(y)), True) < -reach for x, y in alike]
        alike = alike[np.array(out, bool)]
    if len(alike) < CROWD or len(alike) <= 2 * len(cards):
        return seen
    return _less(seen, [len(cards) / (len(cards) + len(alike))] * len(seen))


def weighed(seen: Detections) -> Detections:
    """The readings, those of a face that is seen too often less sure by the same factor."""
    claimed: defaultdict[Card, float] = defaultdict(float)
    for face, sure in zip(seen.faces, seen.confidences, strict=True):
        if isinstance(face, Card):
            claimed[face] += float(sure)
    crowded = {face: HELD[face] / total for face, total in claimed.items() if total > HELD[face]}
    if not crowded:
        return seen
    return _less(seen, [crowded.get(face, 1.0) if isinstance(face, Card) else 1.0 for face in seen.faces])


def vouched(seen: Detections) -> Detections:
    """The readings, faces less sure where no card is plain, face or back."""
    sure = seen.confidences >= SURE
    plain = (seen.confidences >= CERTAIN) | (sure & (seen.scores >= PLAIN))
    if not sure.any() or any(plain[at] and face is not None for at, face in enumerate(seen.faces)):
        return seen
    return _less(seen, [DOUBT if isinstance(face, Card) else 1.0 for face in seen.faces])


def without_colour(seen: Detections) -> Detections:
    """The readings of a picture that has no colours: which of four a card has is a guess."""
    return _less(seen, [GUESS if isinstance(face, Card) else 1.0 for face in seen.faces], _COLOURS)


def _less(seen: Detections, factors: list[float], names: tuple[str, ...] = _ALL) -> Detections:
    return dataclasses.replace(seen, **{name: (getattr(seen, name) * factors).astype(np.float32) for name in names})
