"""Two ways to read a card, brought together: what the whole of it shows, and what its index corners show.

The whole card counts as far as its calibrated confidence goes; each index that is free multiplies in. Where both agree
a card becomes surer, where they contradict each other neither is believed much.
"""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card, Rank
from vision.confidence import log_odds, sigmoid
from vision.detections import Detections
from vision.indices import Corners
from vision.reader import OUTCOME_COLOUR, OUTCOME_RANK, OUTCOMES

Floats = npt.NDArray[np.float32]

CALM: Final = 1.4
"""By what the logarithms of the index reader's shares are divided: alone it is too sure of itself."""

ONE_PRINT: Final = 0.5
"""Power to which the word of two free corners together is raised: what confuses one confuses the other, too."""

OPEN: Final = 0.35
"""Share of what the whole card leaves open that is spread over all outcomes alike."""

CENTRE: Final = 0.3
"""Part of the whole reader's word on what a card is otherwise; flattens what it is too sure of."""

TWINS: Final = [OUTCOMES.index(Card(None, rank)) for rank in (Rank.WILD, Rank.CUSTOMIZABLE)]
"""Columns of the faces whose corners hold the same."""


def prior(seen: Detections) -> Floats:
    """What the whole cards say (n, 58): the face as far as it is believed, the rest by likeness and evenly."""
    count = len(seen)
    outcomes = seen.outcomes if seen.outcomes is not None else np.zeros((count, len(OUTCOMES)), np.float32)
    first = np.array([OUTCOMES.index(face) for face in seen.faces], np.intp)
    rest = outcomes.astype(np.float64) ** CENTRE
    rest[np.arange(count), first] = 0
    rest /= rest.sum(axis=1, keepdims=True).clip(1e-9)
    table = (1 - seen.confidences[:, None]) * ((1 - OPEN) * rest + OPEN / len(OUTCOMES))
    table[np.arange(count), first] += seen.confidences
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float32)


def likelihood(corners: Corners) -> Floats:
    """What the corners say of each outcome (n, 58), in units of what a covered corner says."""
    calm = corners.faces.clip(1e-6) ** (1 / CALM)
    calm /= calm.sum(axis=2, keepdims=True)
    covered = 1 - corners.free[:, :, None]
    faces = corners.free[:, :, None] * calm * len(FACES) + covered
    others = np.repeat(covered, len(OUTCOMES) - len(FACES), axis=2)
    said = np.concatenate([faces, others], axis=2).prod(axis=1).clip(1e-6)
    both = corners.free.min(axis=1, keepdims=True) if corners.free.shape[1] > 1 else np.zeros((len(said), 1))
    return np.asarray(said ** (1 - (1 - ONE_PRINT) * both), np.float32)


def alike(told: Floats) -> Floats:
    """The likelihoods (n, 58), evened out over faces whose corners are printed alike: of those the whole card tells."""
    evened = told.copy()
    evened[:, TWINS] = told[:, TWINS].mean(axis=1, keepdims=True)
    return evened


def agreed(seen: Detections, corners: Corners) -> Detections:
    """The cards, named by both ways together."""
    before = prior(seen)
    weighed = before.astype(np.float64) * alike(likelihood(corners))
    table: Floats = (weighed / weighed.sum(axis=1, keepdims=True)).astype(np.float32)
    which = table.argmax(axis=1)
    changed = np.array([OUTCOMES[w] != face for w, face in zip(which, seen.faces, strict=True)], bool)
    parts = ((OUTCOME_COLOUR, seen.colour_confidences), (OUTCOME_RANK, seen.rank_confidences))
    colour, rank = (_part(before, table, which, numbers, told, changed) for numbers, told in parts)
    return dataclasses.replace(
        seen,
        faces=tuple(OUTCOMES[w] for w in which),
        confidences=table.max(axis=1).clip(0, 1),
        outcomes=table,
        colour_confidences=colour,
        rank_confidences=rank,
    )


def _part(
    before: Floats,
    after: Floats,
    which: npt.NDArray[np.intp],
    numbers: npt.NDArray[np.int_],
    told: Floats,
    changed: npt.NDArray[np.bool_],
) -> Floats:
    """How sure (n,) colour or rank is: as before, moved as the corners moved it; of a new face what the tables say."""
    same = numbers[which][:, None] == numbers[None]
    then, now = ((table * same).sum(axis=1).clip(0, 1).astype(np.float32) for table in (before, after))
    moved = sigmoid(log_odds(told) + log_odds(now) - log_odds(then))
    return np.where(changed, now, moved).clip(0, 1).astype(np.float32)
