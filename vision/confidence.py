"""How sure a reading is: from what the networks say to probabilities that mean what they say.

A network that was taught says 0.99 more often than it is right. What it says, how far it agrees with itself when the
card is turned round, whether the aligner sees a card of ours and the finder's score are weighed by a logistic function
(Platt, 1999), apart for face, colour and rank, and what comes of it is bent along a rising curve to the shares that
were right (isotonic regression, Zadrozny and Elkan, 2002). Weights and curves lie beside the networks in
`confidence.json`; they were fitted on drawn scenes of decks that training never saw (`python -m models.calibrate`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from vision.networks import WeightsError, find, verified

Floats = npt.NDArray[np.float32]
Part = Literal["face", "colour", "rank"]

FILE: Final = "confidence.json"
PARTS: Final[tuple[Part, ...]] = ("face", "colour", "rank")
EVIDENCE: Final = ("bias", "sure", "turned", "there", "score", "strength", "again", "settled")
"""What is weighed: always 1; the reader's log odds, and those of whichever way up it is less sure; the aligner's log
odds that a card is there; the finder's score; how strongly the reader's features answer (their norm), which is weak for
what looks like none of the cards it was taught; the aligner's log odds at one more pass, and how far that pass finds
the same corners."""

MOST: Final = 7.0
"""Log odds beyond it, either way, tell no more."""

ENOUGH: Final = 0.5
"""A finder's score above it tells no more."""

STRONG: Final = 20.0
"""The unit of the features' norm; more than three of it tell no more."""

SETTLED: Final = 0.8
"""Overlap of two passes of the aligner below which nothing more is told."""

KNOTS: Final = np.arange(-4.0, 8.0)
"""Log odds at which the curves are told; between them they are straight."""

BENT: Final = 0.97
"""Share of the curve in the result; the rest keeps apart what the curve makes alike."""


def log_odds(chances: Floats) -> Floats:
    """Probabilities to log odds, bounded by `MOST`."""
    inner = chances.astype(np.float64).clip(1e-9, 1 - 1e-9)
    odds: Floats = np.log(inner / (1 - inner)).clip(-MOST, MOST).astype(np.float32)
    return odds


def sigmoid(odds: npt.NDArray[np.floating]) -> Floats:
    """Log odds to probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds.astype(np.float64).clip(-30, 30))), np.float32)


def evidence(
    sure: Floats, turned: Floats, there: Floats, scores: Floats, features: Floats, again: Floats, overlap: Floats
) -> Floats:
    """(n,) shares each and features (n, 160) to rows (n, 8) in the order of `EVIDENCE`.

    Where `sure` and `turned` are (parts, n), the rows are (parts, n, 8).
    """
    strength = (np.linalg.norm(features, axis=1) / STRONG).clip(0, 3)
    settled = (overlap - SETTLED).clip(0, 1 - SETTLED) / (1 - SETTLED)
    rows = np.ones((*sure.shape, len(EVIDENCE)), np.float32)
    own, both, seen, seen_again = log_odds(sure), log_odds(turned), log_odds(there), log_odds(again)
    for column, values in enumerate((own, both, seen, scores.clip(0, ENOUGH), strength, seen_again, settled), 1):
        rows[..., column] = values
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class Confidence:
    """How evidence becomes probability.

    weights: (8,) of each part. curves: of each part the probability (12,) at `KNOTS`, rising. temperatures: by what the
    reader's logits of colour and rank are divided. both, bare: the same curves for what whole card and corners say
    together, where an index is to be seen and where none is: things that are no cards have none.
    """

    weights: Mapping[Part, Floats]
    curves: Mapping[Part, Floats]
    temperatures: tuple[float, float] = (1.0, 1.0)
    both: Mapping[Part, Floats] = field(default_factory=lambda: dict.fromkeys(PARTS, sigmoid(KNOTS)))
    bare: Mapping[Part, Floats] = field(default_factory=lambda: dict.fromkeys(PARTS, sigmoid(KNOTS)))

    @classmethod
    def plain(cls) -> Confidence:
        """What is not calibrated: the reader's own word, weakened where the aligner or the finder doubt."""
        row = np.array([-7, 0.6, 0.2, 0.2, 2.5, 1.0, 0.4, 2.0], np.float32)
        return cls(dict.fromkeys(PARTS, row), dict.fromkeys(PARTS, sigmoid(KNOTS)))

    @classmethod
    def load(cls, folder: Path | None = None) -> Confidence:
        """From `folder` (plain when nothing lies there) or from beside the shipped networks; raises WeightsError."""
        path = find(FILE) if folder is None else folder / FILE
        if not path.is_file():
            return cls.plain()
        try:
            told = json.loads(verified(path).read_text(encoding="utf-8"))
            weights = {part: np.array([told[part].get(name, 0.0) for name in EVIDENCE], np.float32) for part in PARTS}
            curves = {part: np.array(told[part]["curve"], np.float32) for part in PARTS}
            plain = sigmoid(KNOTS).tolist()
            both, bare = (
                {part: np.array(told[part].get(name, plain), np.float32) for part in PARTS} for name in ("both", "bare")
            )
            if any(len(curve) != len(KNOTS) for curve in (*curves.values(), *both.values(), *bare.values())):
                raise ValueError(f"a curve has {len(KNOTS)} points")
            found = (float(told["temperature"]["colour"]), float(told["temperature"]["rank"]))
            return cls(weights, curves, found, both, bare)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise WeightsError(f"The file {FILE} is damaged ({error}): install Tableref again.") from error

    def save(self, folder: Path) -> None:
        """Writes the file that `load` reads."""
        told: dict[str, dict[str, float | list[float]]] = {
            part: {
                **{name: round(float(value), 4) for name, value in zip(EVIDENCE, self.weights[part], strict=True)},
                **{
                    name: [round(float(value), 4) for value in curves[part]]
                    for name, curves in (("curve", self.curves), ("both", self.both), ("bare", self.bare))
                },
            }
            for part in PARTS
        }
        told["temperature"] = dict(zip(("colour", "rank"), (round(t, 4) for t in self.temperatures), strict=True))
        (folder / FILE).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")

    def of(self, part: Part, rows: Floats) -> Floats:
        """The probability (n,) that this part of the readings is right, for rows of `evidence`."""
        return _bent(rows @ self.weights[part], self.curves[part])

    def of_both(self, part: Part, chances: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
        """The probability (n,) that this part is right, where both ways of reading together give it `chances`.

        `seen`: whether an index was to be seen.
        """
        odds = log_odds(chances)
        return np.where(seen, _bent(odds, self.both[part]), _bent(odds, self.bare[part]))


def _bent(sums: Floats, curve: Floats) -> Floats:
    """Log odds to probabilities along a curve."""
    return np.asarray(BENT * np.interp(sums, KNOTS, curve) + (1 - BENT) * sigmoid(sums), np.float32)
