"""Where the piles lie: the discard pile is where faces come to rest, the draw pile is where a back lies.

Both are found without calibration, kept, and follow slowly when cards drift; both can be put elsewhere by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from vision.detections import BACK, Detection, Detections

FOLLOW: Final = 0.2
"""How far a zone moves towards each new card, 0 (never) to 1 (at once)."""
PileName = Literal["discard", "draw"]

SURE: Final = 0.5
"""Confidence from which a card may tell where a pile lies."""
SURE_ALONE: Final = 0.8
"""The same for a card that nobody was seen to lay: a pattern of the table may look like one."""
PLAIN_ALONE: Final = 0.5
"""Score of the finder that such a card must have."""


APART: Final = 1.3
"""Heights of a card from which two cards are not of one pile, and a card lies beside it."""


ALIKE: Final = 1.2
"""By how much the height of a card that nobody knows may differ from that of the cards on the discard pile."""


@dataclass(frozen=True, slots=True)
class Zone:
    """The place of a pile: its middle and the height of its cards, px of the frame."""

    x: float
    y: float
    card: float

    def distance(self, point: tuple[float, float]) -> float:
        """How far a point is from the middle, in heights of a card."""
        return float(np.hypot(point[0] - self.x, point[1] - self.y)) / self.card

    def disc(self, shape: tuple[int, ...], scale: float, radius: float) -> npt.NDArray[np.bool_]:
        """Which places of a small copy, `scale` frame px each, lie within `radius` card heights of the middle."""
        rows, columns = np.ogrid[: shape[0], : shape[1]]
        reach = radius * self.card / scale
        away = (columns + 0.5 - self.x / scale) ** 2 + (rows + 0.5 - self.y / scale) ** 2
        return np.asarray(away <= reach * reach)

    def window(self, shape: tuple[int, ...], radius: float) -> tuple[slice, slice]:
        """Rows and columns of the frame within `radius` card heights of the middle."""
        reach = radius * self.card
        top, left = max(0, int(self.y - reach)), max(0, int(self.x - reach))
        return slice(top, min(shape[0], int(self.y + reach) + 1)), slice(left, min(shape[1], int(self.x + reach) + 1))

    def shifted(self, point: Callable[[float, float], tuple[float, float]], scale: float) -> Zone:
        """The same place as it is seen after the camera moved."""
        return Zone(*point(self.x, self.y), self.card * scale)

    def towards(self, card: Detection, share: float = FOLLOW) -> Zone:
        """The zone after it followed a card that came to rest on it."""
        x, y = card.centre
        return Zone(
            self.x + share * (x - self.x), self.y + share * (y - self.y), self.card + share * (card.height - self.card)
        )


@dataclass(frozen=True, slots=True)
class Zones:
    """Where the piles lie, as far as known. `by_hand` ones stay where they were put."""

    discard: Zone | None = None
    draw: Zone | None = None
    discard_by_hand: bool = False
    draw_by_hand: bool = False

    def found_in(self, cards: Detections, sure: float = SURE) -> Zones:
        """The zones after a look at the whole still table: what was unknown may be known now.

        sure: confidence from which a face tells where the discard pile lies. Faces that lie apart tell nothing.
        """
        face = _surest_face(cards, self.draw, sure, PLAIN_ALONE if sure >= SURE_ALONE else 0.0)
        discard = self.discard or (_zone_of(face) if face is not None and _is_alone(face, cards) else None)
        draw = self.draw if self.draw_by_hand else _zone_of(_back(cards, self.draw, discard)) or self.draw
        return replace(self, discard=discard, draw=draw)

    def with_strange(self, backs: Detections) -> Zones:
        """The zones once the one thing of a card's size beside the discard pile is taken for the draw pile, whatever it
        looks like: decks have backs that nobody was taught. Of several none is taken.

        backs: things that surely are cards and show no face that can be read.
        """
        if self.discard is None or self.draw is not None or self.draw_by_hand:
            return self
        alike = [back for back in backs if 1 / ALIKE < back.height / self.discard.card < ALIKE]
        alike = [back for back in alike if self.discard.distance(back.centre) > 1]
        return replace(self, draw=_zone_of(alike[0])) if len(alike) == 1 else self

    def put(self, card: Detection) -> Zones:
        """The zones after it showed that the discard pile is where a card lies."""
        return self if self.discard_by_hand else replace(self, discard=_zone_of(card))

    def follow(self, card: Detection) -> Zones:
        """The zones after a card came to rest on the discard pile."""
        if self.discard is None or self.discard_by_hand:
            return self
        return replace(self, discard=self.discard.towards(card))

    def moved(self, pile: PileName, zone: Zone | None) -> Zones:
        """The zones after somebody put a pile there by hand; None leaves it to the camera again."""
        if pile == "discard":
            return replace(self, discard=zone, discard_by_hand=zone is not None)
        return replace(self, draw=zone, draw_by_hand=zone is not None)

    def shifted(self, point: Callable[[float, float], tuple[float, float]], scale: float) -> Zones:
        """The zones after the camera moved by a known amount: `point` tells where a place is seen now."""

        def moved(zone: Zone | None) -> Zone | None:
            return None if zone is None else zone.shifted(point, scale)

        return replace(self, discard=moved(self.discard), draw=moved(self.draw))

    def lost(self) -> Zones:
        """The zones after the camera moved: only those put by hand are still known."""
        return Zones(
            self.discard if self.discard_by_hand else None,
            self.draw if self.draw_by_hand else None,
            self.discard_by_hand,
            self.draw_by_hand,
        )


def _zone_of(card: Detection | None) -> Zone | None:
    return None if card is None else Zone(*card.centre, card.height)


def _surest_face(cards: Detections, draw: Zone | None, sure: float, plain: float) -> Detection | None:
    """The face that tells where the discard pile lies: sure, plain, and of the size of the backs, when one is known."""
    faces = [card for card in cards if card.face not in (None, BACK) and card.confidence >= sure]
    faces = [card for card in faces if card.score >= plain]
    if draw is not None:
        faces = [card for card in faces if 0.6 < card.height / draw.card < 1.6 and draw.distance(card.centre) > 0.7]
    return max(faces, key=lambda card: card.confidence * card.score, default=None)


def _is_alone(card: Detection, cards: Detections) -> bool:
    """Whether all faces seen lie where this card does: one pile, and no cards about."""
    place = Zone(*card.centre, card.height)
    faces = [other for other in cards if other.face not in (None, BACK) and other.confidence >= SURE]
    return all(place.distance(other.centre) < APART for other in faces)


def _back(cards: Detections, draw: Zone | None, discard: Zone | None) -> Detection | None:
    """The back that tells where the draw pile lies: where it was, or the surest one beside the discard pile."""
    backs = [card for card in cards if card.face == BACK and card.confidence >= SURE]
    if discard is not None:
        backs = [card for card in backs if 0.6 < card.height / discard.card < 1.6]
        backs = [card for card in backs if discard.distance(card.centre) > 0.7]
    if draw is not None:
        backs = [card for card in backs if draw.distance(card.centre) < 0.5]
    return max(backs, key=lambda card: card.confidence * card.score, default=None)
