"""A look: what the networks say of the places in a picture where cards may lie, before anything is believed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.confidence import PARTS, Part, evidence
from vision.reader import Readings

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the networks say of n places, before it is weighed.

    quads (n, 4, 2) px; scores of the finder, there and again of the aligner at its last two passes, settled (the
    overlap of these two), all (n,) 0 to 1; readings. around: (m, 4, 2) px, all that the finder found plainly, cards or
    not.
    """

    quads: Floats
    scores: Floats
    there: Floats
    again: Floats
    settled: Floats
    readings: Readings
    around: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def evidence(self, part: Part) -> Floats:
        """The rows (n, 8) that `confidence` weighs."""
        return np.asarray(self.evidences()[PARTS.index(part)], np.float32)

    def evidences(self) -> Floats:
        """Those rows of every part, (3, n, 8), in the order of `PARTS`."""
        sure, turned = self.readings.sure.T, self.readings.turned.T
        return evidence(sure, turned, self.there, self.scores, self.readings.features, self.again, self.settled)

    def pick(self, which: npt.NDArray[np.intp]) -> Look:
        """The places at the indices `which`."""
        rows = {name: getattr(self, name)[which] for name in _ROWS}
        return Look(**rows, readings=self.readings.pick(which), around=self.around)

    def and_of(self, other: Look) -> Look:
        """The places of both."""
        rows = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in _ROWS}
        return Look(**rows, readings=self.readings.and_of(other.readings), around=self.around)


_ROWS: Final = ("quads", "scores", "there", "again", "settled")
