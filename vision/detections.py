"""Detections: what was seen in one picture, whichever model saw it.

The one value that finder, reader, pipeline and pages exchange. It is not a track (nothing here knows the picture
before) and not a ruling (nothing here knows the game).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card

Quads = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

BACK: Final = "back"
Shares = npt.NDArray[np.float32]
Face = Card | Literal["back"] | None
"""A printed face, the back of a card, or None: a card whose face could not be told."""


TOLD: Final = 5
"""Faces that a card may be that are told on."""
_LEFT_OUT: Final[Scores] = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class Detection:
    """One card: `quad` (4, 2) float32 px, `score` and `confidence` 0 to 1; `outcomes` as in `Detections`, or None.

    `colour_confidence` and `rank_confidence`: is the colour right, is the rank right, each for itself, as lamps spoil
    the one and blur the other; as the whole face where left out.
    """

    quad: npt.NDArray[np.float32]
    score: float
    face: Face
    confidence: float
    outcomes: Shares | None = None
    colour_confidence: float = -1.0
    rank_confidence: float = -1.0

    def __post_init__(self) -> None:
        for name in ("colour_confidence", "rank_confidence"):
            if getattr(self, name) < 0:
                object.__setattr__(self, name, self.confidence)

    def shares(self) -> Shares:
        """How likely it is each of `referee.cards.FACES`, (56,); the rest to 1 is that it is none of them."""
        if self.outcomes is not None:
            return self.outcomes[: len(FACES)]
        told = np.zeros(len(FACES), np.float32)
        if isinstance(self.face, Card):
            told[FACES.index(self.face)] = self.confidence
        return told

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the card, px."""
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)

    @property
    def height(self) -> float:
        """The longer side of the card, px."""
        return float(np.linalg.norm(self.quad[3] - self.quad[0]) + np.linalg.norm(self.quad[2] - self.quad[1])) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The cards of one picture, in no promised order.

    quads: (n, 4, 2) float32, pixels; clockwise, beginning at a top-left corner of the upright card (cards look the same
        turned by 180 degrees, so either of two corners may come first).
    scores: (n,) float32, 0 to 1, the finder's: is a card there.
    faces: n faces (`Card`, "back", or None when the face could not be told).
    confidences: (n,) float32, 0 to 1: is it a card and this face.
    outcomes: (n, 58) float32, for each card the probabilities of the 56 faces, a back, and no card of ours; None where
        whoever looked cannot tell them.
    colour_confidences, rank_confidences: (n,) float32, the same of the colour alone and of the rank alone; left out,
        they are those of the face.
    Raises ValueError when the shapes do not agree or a score lies outside 0 to 1.
    """

    quads: Quads
    scores: Scores
    faces: tuple[Face, ...]
    confidences: Scores
    outcomes: Shares | None = None
    colour_confidences: Scores = field(default_factory=lambda: _LEFT_OUT)
    rank_confidences: Scores = field(default_factory=lambda: _LEFT_OUT)

    def __post_init__(self) -> None:
        count = len(self.faces)
        for name in ("colour_confidences", "rank_confidences"):
            if getattr(self, name) is _LEFT_OUT:
                object.__setattr__(self, name, self.confidences)
        if self.outcomes is not None and self.outcomes.shape != (count, len(FACES) + 2):
            raise ValueError(f"{count} faces do not go with outcomes {self.outcomes.shape}")
        if self.quads.shape != (count, 4, 2) or self.scores.shape != (count,) or self.confidences.shape != (count,):
            shapes = f"quads {self.quads.shape}, scores {self.scores.shape}, confidences {self.confidences.shape}"
            raise ValueError(f"{count} faces do not go with {shapes}")
        for name in ("scores", "confidences", "colour_confidences", "rank_confidences"):
            values: Scores = getattr(self, name)
            if values.shape != (count,):
                raise ValueError(f"{count} faces do not go with {name} {values.shape}")
            listed = values.tolist()
            if not all(0 <= value <= 1 for value in listed):
                raise ValueError(f"{name} must lie between 0 and 1, got {listed}")

    @classmethod
    def empty(cls) -> Detections:
        """No card at all."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), (), np.zeros(0, np.float32))

    @classmethod
    def of(cls, cards: Sequence[Detection]) -> Detections:
        """The value that holds `cards`, in their order."""
        if not cards:
            return cls.empty()
        return cls(
            np.stack([card.quad for card in cards]).astype(np.float32),
            np.array([card.score for card in cards], np.float32),
            tuple(card.face for card in cards),
            np.array([card.confidence for card in cards], np.float32),
            _stacked([card.outcomes for card in cards]),
            np.array([card.colour_confidence for card in cards], np.float32),
            np.array([card.rank_confidence for card in cards], np.float32),
        )

    def moved(self, shift: npt.NDArray[np.float32]) -> Detections:
        """The same cards, seen from `shift` (x, y) px further up and left."""
        return dataclasses.replace(self, quads=self.quads + shift)

    def __len__(self) -> int:
        return len(self.faces)

    def __getitem__(self, index: int) -> Detection:
        score, confidence = float(self.scores[index]), float(self.confidences[index])
        outcomes = None if self.outcomes is None else self.outcomes[index]
        colour, rank = float(self.colour_confidences[index]), float(self.rank_confidences[index])
        return Detection(self.quads[index], score, self.faces[index], confidence, outcomes, colour, rank)

    def __iter__(self) -> Iterator[Detection]:
        return (self[index] for index in range(len(self)))

    def surest_first(self) -> Detections:
        """The same cards by falling confidence."""
        return self.pick(np.argsort(-self.confidences, kind="stable"))

    def pick(self, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Detections:
        """The cards at the indices `which`, or where the mask `which` is true."""
        indices = np.arange(len(self))[which]
        faces = tuple(self.faces[index] for index in indices)
        outcomes = None if self.outcomes is None else self.outcomes[indices]
        return Detections(
            self.quads[indices],
            self.scores[indices],
            faces,
            self.confidences[indices],
            outcomes,
            self.colour_confidences[indices],
            self.rank_confidences[indices],
        )

    def best(self) -> Detection | None:
        """The surest card, or None when there is none."""
        return self[int(np.argmax(self.confidences))] if len(self) else None


def likeliest(shares: npt.NDArray[np.floating]) -> tuple[tuple[Card, float], ...]:
    """The few likeliest of the faces (56,), each with its share, the likeliest first; none that has no share."""
    order = np.argsort(-shares, kind="stable")[:TOLD]
    return tuple((FACES[at], float(shares[at])) for at in order if shares[at] > 0)


def _stacked(outcomes: Sequence[Shares | None]) -> Shares | None:
    """All of them as one array; None when one of them is not known."""
    known = [each for each in outcomes if each is not None]
    return np.stack(known).astype(np.float32) if len(known) == len(outcomes) else None
