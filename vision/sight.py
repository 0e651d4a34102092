"""Who reads the pictures: the one door between the pipeline and the models."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vision.detections import Detections, Image, Quads


class Sight(Protocol):
    """Finds and reads the cards of a picture. `vision.eyes.Eyes` does it with the shipped models."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        """The cards in `image`, (H, W, 3) uint8 BGR; quads in its pixels.

        near: rough quads (n, 4, 2) px where cards are known to have come to rest; they are looked at in any case.
        """
        ...


@runtime_checkable
class CloseSight(Sight, Protocol):
    """One that can take more time over a picture that is looked at once."""

    def see_closely(self, image: Image) -> Detections:
        """As `see`; also small cards, and those of a hand that only their corners give away."""
        ...


def closely(sight: Sight, image: Image) -> Detections:
    """The cards of a picture that is looked at once: small ones, too, where the sight can."""
    return sight.see_closely(image) if isinstance(sight, CloseSight) else sight.see(image)
