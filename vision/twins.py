"""Whether a card was shown before: two pictures that have the same sign and the same colours where they have them.

While a deck is shown somebody may lay the same card down again, and all that follow would get wrong names. The sign in
the middle alone does not tell: a green and a blue card may have the same in white.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Face, Image
from vision.signs import Signs

Floats = npt.NDArray[np.float32]

RIM: Final = 0.12
"""Share of a picture on each side that may show the table."""

COLOURS: Final = 0.88
SIGN: Final = 0.95
"""How alike the colours and the sign of the same card are at least. Of drawn cards, ordinary and odd ones, that were
shown again nearly all lie above both; of two cards with such colours none had a sign above 0.92."""


class Twins:
    """The cards that were shown so far, in one picture each."""

    def __init__(self) -> None:
        self._shown: list[tuple[Face, Image, Floats]] = []

    def add(self, face: Face, picture: Image) -> None:
        """One more card was shown."""
        self._shown.append((face, picture, _colours(picture)))

    def of(self, picture: Image, face: Face) -> Face:
        """Another card than `face` that was shown and looks the same; None when there is none."""
        seen = _colours(picture)
        near = [
            (other, before)
            for other, before, colours in self._shown
            if other != face and max(float((seen * way).sum()) for way in (colours, colours[::-1, ::-1])) >= COLOURS
        ]
        if not near:
            return None
        alike = Signs(np.stack([before for _, before in near])).alike(picture, range(len(near)))
        return near[int(alike.argmax())][0] if alike.max() >= SIGN else None


def _colours(picture: Image) -> Floats:
    """A card (12, 8, 3) in so few pixels that only its colours are left, in any light."""
    height, width = picture.shape[:2]
    top, left = round(height * RIM), round(width * RIM)
    inner = cv2.resize(picture[top:-top, left:-left], (8, 12), interpolation=cv2.INTER_AREA).astype(np.float32)
    inner -= inner.mean()
    return np.asarray(inner / max(float(np.linalg.norm(inner)), 1.0), np.float32)
