"""How sure a reading is: from what the networks say to probabilities that mean what they say.

A network that was taught says 0.99 more often than it is right. What it says, how far it agrees with itself when the
card is turned round, whether the aligner sees a card of ours and the finder's score are weighed by a logistic function
(Platt, 1999), apart for face, colour and rank. Its weights lie beside the networks in `confidence.json` and were fitted
on drawn scenes of decks that training never saw (`python -m models.calibrate`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from vision.networks import WeightsError, find, verified

Floats = npt.NDArray[np.float32]
Part = Literal["face", "colour", "rank"]

FILE: Final = "confidence.json"
PARTS: Final[tuple[Part, ...]] = ("face", "colour", "rank")
EVIDENCE: Final = ("bias", "sure", "turned", "there", "score")
"""What is weighed: always 1; the reader's log odds, and those of whichever way up it is less sure; the aligner's log
odds that a card is there; the finder's score."""

MOST: Final = 7.0
"""Log odds beyond it, either way, tell no more."""

ENOUGH: Final = 0.5
"""A finder's score above it tells no more."""


def log_odds(chances: Floats) -> Floats:
    """Probabilities to log odds, bounded by `MOST`."""
    inner = chances.astype(np.float64).clip(1e-9, 1 - 1e-9)
    odds: Floats = np.log(inner / (1 - inner)).clip(-MOST, MOST).astype(np.float32)
    return odds


def evidence(sure: Floats, turned: Floats, there: Floats, scores: Floats) -> Floats:
    """(n,) probabilities each to rows (n, 5) in the order of `EVIDENCE`."""
    columns = (np.ones_like(sure), log_odds(sure), log_odds(turned), log_odds(there), scores.clip(0, ENOUGH))
    return np.stack(columns, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Confidence:
    """The weights (5,) of each part and the temperatures by which the reader's logits are divided (colour, rank)."""

    weights: Mapping[Part, Floats]
    temperatures: tuple[float, float] = (1.0, 1.0)

    @classmethod
    def plain(cls) -> Confidence:
        """What is not calibrated: the reader's own word, weakened where the aligner or the finder doubt."""
        row = np.array([-1.5, 0.7, 0.3, 0.25, 3.0], np.float32)
        return cls(dict.fromkeys(PARTS, row))

    @classmethod
    def load(cls, folder: Path | None = None) -> Confidence:
        """From `folder` (plain when nothing lies there) or from beside the shipped networks; raises WeightsError."""
        path = find(FILE) if folder is None else folder / FILE
        if not path.is_file():
            return cls.plain()
        try:
            told = json.loads(verified(path).read_text(encoding="utf-8"))
            weights = {part: np.array([told[part][name] for name in EVIDENCE], np.float32) for part in PARTS}
            return cls(weights, (float(told["temperature"]["colour"]), float(told["temperature"]["rank"])))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WeightsError(f"The file {FILE} is damaged ({error}): install Tableref again.") from error

    def save(self, folder: Path) -> None:
        """Writes the file that `load` reads."""
        told: dict[str, dict[str, float]] = {
            part: {name: round(float(value), 4) for name, value in zip(EVIDENCE, self.weights[part], strict=True)}
            for part in PARTS
        }
        told["temperature"] = dict(zip(("colour", "rank"), (round(t, 4) for t in self.temperatures), strict=True))
        (folder / FILE).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")

    def of(self, part: Part, rows: Floats) -> Floats:
        """The probability (n,) that this part of the readings is right, for rows of `evidence`."""
        sums = (rows @ self.weights[part]).astype(np.float64).clip(-30, 30)
        chances: Floats = (1 / (1 + np.exp(-sums))).astype(np.float32)
        return chances
