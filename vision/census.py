"""How often a face can lie in one picture: a deck holds each card only so many times.

Two yellow Skips may be there, seven are not: then it is a keyboard, a poster, a cloth. What the readings of one face
claim together is at most what a deck holds of it, so that many of one kind make each of them less likely.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Final

from referee.cards import Card, deck_census
from vision.detections import Detections

HELD: Final = {face: max(2, count) for face, count in deck_census("112").items()}
"""How many cards of a face may lie in one picture: what the fuller of the decks holds, and two of every face, since a
family may have mixed decks."""


def weighed(seen: Detections) -> Detections:
    """The readings, those of a face that is seen too often less sure by the same factor."""
    claimed: defaultdict[Card, float] = defaultdict(float)
    for face, sure in zip(seen.faces, seen.confidences, strict=True):
        if isinstance(face, Card):
            claimed[face] += float(sure)
    crowded = {face: HELD[face] / total for face, total in claimed.items() if total > HELD[face]}
    if not crowded:
        return seen
    less = [crowded.get(face, 1.0) if isinstance(face, Card) else 1.0 for face in seen.faces]
    names = ("confidences", "colour_confidences", "rank_confidences")
    return dataclasses.replace(seen, **{name: (getattr(seen, name) * less).astype("float32") for name in names})
