"""A sight that knows the truth of a film, with seeded faults: the pipeline can be judged apart from the models.

Faults are those of a real finder and reader: cards missed, corners a little off, a wrong face now and then, covered
cards seen all the same or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.virtual_table import Placed
from referee.cards import FACES
from vision.detections import BACK, Detection, Detections, Face, Image, Quads
from vision.frames import Frame, Glimpse


@dataclass(frozen=True, slots=True)
class Faults:
    """How often and how far the oracle is wrong. Shares 0 to 1; jitter in card heights."""

    missed: float = 0.03
    wrong: float = 0.02
    jitter: float = 0.012
    hidden_seen: float = 0.5
    """Share of the cards covered to four fifths at most that are found all the same."""


class Oracle:
    """Fulfils `vision.sight.Sight` for the pictures of one film. Pass its frames through `follow`."""

    def __init__(self, truth: Sequence[tuple[Placed, ...]], seed: int = 0, faults: Faults = Faults()) -> None:
        self._truth, self._faults = truth, faults
        self._rng = np.random.default_rng(seed)
        self._frame: Frame | None = None

    def follow(self, glimpses: Iterable[Glimpse]) -> Iterator[Glimpse]:
        """The same frames; the oracle remembers which one is being looked at."""
        for glimpse in glimpses:
            if isinstance(glimpse, Frame):
                self._frame = glimpse
            yield glimpse

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        """The cards of the present frame that lie in `image`, which must be a view of its picture."""
        if self._frame is None:
            raise RuntimeError("pass the frames through Oracle.follow")
        left, top = _origin(self._frame.image, image)
        height, width = image.shape[:2]
        found = []
        for placed in self._truth[self._frame.index]:
            x, y = placed.quad.mean(0) - [left, top]
            if 0 <= x < width and 0 <= y < height and self._finds(placed):
                found.append(self._seen(placed, left, top))
        return Detections.of(found)

    def _finds(self, placed: Placed) -> bool:
        if placed.visible < 0.2:
            return False
        chance = 1 - self._faults.missed if placed.visible > 0.8 else self._faults.hidden_seen
        return bool(self._rng.random() < chance)

    def _seen(self, placed: Placed, left: int, top: int) -> Detection:
        rng = self._rng
        unit = float(np.linalg.norm(placed.quad[3] - placed.quad[0]))
        quad = placed.quad - [left, top] + rng.normal(0, self._faults.jitter * unit, (4, 2))
        if rng.random() < 0.5:
            quad = np.roll(quad, 2, axis=0)
        face: Face = BACK if placed.face is None else placed.face
        confidence = rng.uniform(0.9, 1.0)
        if rng.random() < self._faults.wrong + 0.3 * (1 - placed.visible) and face != BACK:
            face, confidence = FACES[int(rng.integers(54))], rng.uniform(0.4, 0.95)
        return Detection(quad.astype(np.float32), float(rng.uniform(0.8, 1.0)), face, float(confidence))


def _origin(frame: Image, view: Image) -> tuple[int, int]:
    """Left and top of a view within the picture that it is part of; ValueError when it is none."""
    if not np.may_share_memory(frame, view):
        raise ValueError("the picture is no part of the present frame")
    offset = int(view.__array_interface__["data"][0]) - int(frame.__array_interface__["data"][0])
    row, rest = divmod(offset, frame.strides[0])
    return rest // frame.strides[1], row
