"""Who reads the pictures: the one door between the pipeline and the models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from vision.detections import BACK, Detection, Detections, Image, Quads
from vision.overlaps import overlap
from vision.prints import Print

PLAIN, CERTAIN = 0.5, 0.95
"""Score of the finder and probability of the aligner from which a thing that cannot be read surely is a card."""


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


class Lying(Protocol):
    """Where a card lies, whatever it shows.

    quads: corners that it may have (n, 4, 2) px, the likeliest first. score: how far the finder believes in it, there:
    how far what aligns it does, 0 to 1.
    """

    @property
    def quads(self) -> Quads:
        """Corners that it may have."""
        ...

    @property
    def score(self) -> float:
        """Of the finder."""
        ...

    @property
    def there(self) -> float:
        """Of what aligns it."""
        ...


@runtime_checkable
class PlacingSight(Sight, Protocol):
    """One that also finds cards that it cannot read."""

    def places(self, image: Image) -> Sequence[Lying]:
        """Where cards lie in `image`, the best borne out first."""
        ...


@runtime_checkable
class PrintingSight(Sight, Protocol):
    """One that can tell whether two cards show the same sign."""

    def print_of(self, image: Image, quad: Quads) -> Print | None:
        """What the card at `quad`, (4, 2) px, shows; None where it knows the deck anyway."""
        ...


def strange_backs(sight: Sight, image: Image, known: Detections) -> Detections:
    """Things that surely are cards and show no face that can be read, as backs; none of those `known`."""
    if not isinstance(sight, PlacingSight):
        return Detections.empty()
    sure = [place for place in sight.places(image) if place.score >= PLAIN and place.there >= CERTAIN]
    backs = [Detection(np.asarray(place.quads[0], np.float32), place.score, BACK, place.there) for place in sure]
    free = [back for back in backs if all(overlap(back.quad, card.quad) == 0 for card in known if card.face)]
    return Detections.of(free)


def closely(sight: Sight, image: Image) -> Detections:
    """The cards of a picture that is looked at once: small ones, too, where the sight can."""
    return sight.see_closely(image) if isinstance(sight, CloseSight) else sight.see(image)
