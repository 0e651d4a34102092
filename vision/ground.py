"""The table under the discard pile: where it shows again, no card lies."""

from __future__ import annotations

from dataclasses import dataclass

from vision.compare import Difference, Mask, View
from vision.detections import Quads
from vision.knocks import Shift
from vision.readings import Look


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the table looked like when nothing but the first card lay there, which hides its own place `first`."""

    view: View
    first: Quads

    def shifted(self, shift: Shift) -> Ground:
        """The same after the camera moved."""
        return Ground(shift.view(self.view), shift.quads(self.first))

    def shown(self, look: Look, place: Mask) -> tuple[float, float]:
        """How much of a place of `Difference.mask` shows the table, 0 to 1, and how much of it is known, places."""
        if self.view.picture.shape != look.view.picture.shape:
            return 0.0, 0.0
        other = Difference(self.view, look.view, look.zone)
        known = place & ~other.inside(self.first, 1.06)
        total = float(known.sum())
        return (float((known & ~other.mask).sum()) / total if total else 0.0), total
