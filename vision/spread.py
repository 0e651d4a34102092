"""Cards that come to lie face up away from the discard pile: a hand laid open for counting, a card gone astray.

Looks only where something new has come to rest beside the piles, or another card than before on the draw pile, once no
hand is over it; in play that is hardly ever. What lies there is told when two looks agree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from referee.cards import Card
from vision.changes import CardsShown
from vision.compare import ASPECT
from vision.detections import BACK, Detection, Detections, Image
from vision.motion import Mask, Motion, angle_between
from vision.overlaps import overlap
from vision.sight import Sight, closely
from vision.zones import APART, PileName, Zone, Zones

HANDS: Final = 40
"""Hands of the last frames that are remembered, to tell whose the cards are."""
REMEMBERED: Final = 120
"""Cards told of that are remembered."""
DOUBLE: Final = 0.8
"""Heights of a card within which a card given away by a corner alone is no other one of the same face."""
GAP: Final = 0.5
"""Seconds without a hand after which another visit begins."""
ONE_ARM: Final = 40.0
"""Degrees within which two hands come from one place."""


@dataclass(frozen=True, slots=True)
class SpreadSettings:
    """Seconds, areas of a card, card heights.

    settle: how long the new part must be free and still. Shorter: cards are read while they are laid; longer: later.
    pause: between two looks. patience: how long looks that disagree are repeated; then what none was sure of is unread.
    least: a smaller new part is no card. Lower: things that are moved a little cost a look; higher: single cards in
        part under others are missed.
    on: up to there, from its middle, a card lies on the draw pile.
    near: up to there a card beside the discard pile was meant for it.
    joined: up to there apart, middle to middle, cards are of one hand.
    sure: confidence from which a card counts as read. plain, another: score of the finder from which something unread
        is a card, unless it overlaps with a card that is read by more than that.
    """

    settle: float = 0.4
    pause: float = 0.3
    patience: float = 2.5
    least: float = 0.45
    on: float = 0.5
    near: float = 2.2
    joined: float = 1.25
    sure: float = 0.5
    plain: float = 0.5
    another: float = 0.6


@dataclass(slots=True)
class _Doubt:
    """Looks at one new part of the table that have not agreed yet."""

    began: float
    since: float
    hand: float | None
    seen: tuple[Detection, ...] = ()


class SpreadWatch:
    """Each frame: `follow`. What lay there when it began is no news."""

    def __init__(self, settings: SpreadSettings = SpreadSettings()) -> None:
        self._settings = settings
        self._arms: deque[tuple[float, float, Mask]] = deque(maxlen=HANDS)
        self._known: float | None = None
        """Up to when all that came to rest was looked at."""
        self._moved = False
        self._looked = float("-inf")
        self._doubt: _Doubt | None = None
        self.lying: tuple[Detection, ...] = ()
        """The cards told of last, as they were seen."""
        self._told: list[tuple[Detection, float | None]] = []
        """Cards told of, with where the hand came from that laid them."""

    def follow(self, motion: Motion, zones: Zones, sight: Sight) -> list[CardsShown]:
        """Takes in one frame; what has come to lie open and is certain with it."""
        self._arms.extend((motion.seconds, hand.direction, hand.mask) for hand in motion.hands)
        if motion.shaken or zones.discard is None or self._known is None:
            self._known, self._doubt = motion.seconds + (0.6 if motion.shaken else 0.0), None
            return []
        self._moved = self._moved or bool(motion.hands)
        if motion.hands or not self._moved or motion.seconds - self._looked < self._settings.pause:
            return []
        fresh = self._fresh(motion, zones)
        if fresh is None:
            return []
        if fresh.sum() < self._least(motion, zones.discard):
            return self._done(motion.seconds)
        self._looked = motion.seconds
        return self._look(motion, zones, fresh, sight)

    def _fresh(self, motion: Motion, zones: Zones) -> Mask | None:
        """Where something new lies away from the discard pile; None while anything there still moves."""
        assert zones.discard is not None and self._known is not None
        away = ~zones.discard.disc(motion.still.shape, motion.scale, 1.0)
        if np.percentile(motion.still[away], 3) < self._settings.settle:
            return None
        if (away & (motion.fresh == 0)).sum() >= self._least(motion, zones.discard):
            return None
        passed = motion.seconds - self._known
        return np.asarray(away & (motion.fresh > 0) & (motion.fresh <= passed))

    def _least(self, motion: Motion, zone: Zone) -> float:
        """Places of the small copy that a new part has at least."""
        return self._settings.least * ASPECT * (zone.card / motion.scale) ** 2

    def _look(self, motion: Motion, zones: Zones, fresh: Mask, sight: Sight) -> list[CardsShown]:
        assert zones.discard is not None
        since, hand = self._whose(fresh, motion.seconds)
        doubt = self._doubt or _Doubt(motion.seconds, since, hand)
        self._told = [(card, whose) for card, whose in self._told if not _at(fresh, card, motion.scale)]
        same_hand = [card for card, whose in self._told if _one_arm(whose, doubt.hand)]
        where = _window(fresh, motion, 1.2 * zones.discard.card, same_hand)
        found = _read(sight, motion.frame.image, where, partial(self._is_off, zones=zones))
        seen = self._lying(motion, zones, fresh, found, doubt.hand)
        if not seen:
            return self._done(motion.seconds)
        agree = _names(seen) == _names(doubt.seen)
        late = motion.seconds - doubt.began >= self._settings.patience
        if not agree and not (late and doubt.seen):
            self._doubt = replace(doubt, seen=seen)
            return []
        shown = self._shown(seen, doubt, motion.seconds, zones)
        others = [(card, hand) for card, hand in self._told if not any(_same(card, one) for one in seen)]
        self._told = [*others, *((card, doubt.hand) for card in seen)][-REMEMBERED:]
        self._done(motion.seconds)
        self.lying = seen
        return [shown]

    def _done(self, now: float) -> list[CardsShown]:
        self._known, self._moved, self._doubt = now, False, None
        return []

    def _lying(
        self, motion: Motion, zones: Zones, fresh: Mask, seen: Detections, hand: float | None
    ) -> tuple[Detection, ...]:
        """The faces that came to lie there, and those beside them that are of the same hand."""
        assert zones.discard is not None
        faces = [card for card in seen if card.face != BACK and self._is_off(card, zones)]
        others = [card for card, whose in self._told if not _one_arm(whose, hand)]
        faces = [card for card in faces if not any(_same(card, other) for other in others)]
        new = [card for card in faces if _at(fresh, card, motion.scale)]
        rest = [card for card in faces if not _at(fresh, card, motion.scale)]
        while near := [card for card in rest if any(self._is_near(card, other, zones.discard) for other in new)]:
            new += near
            rest = [card for card in rest if not any(card is other for other in near)]
        sure = [card for card in new if card.confidence >= self._settings.sure]
        unread = [card for card in new if card.confidence < self._settings.sure and self._is_card(card, sure)]
        return (*sure, *unread) if sure else ()

    def _is_card(self, card: Detection, sure: list[Detection]) -> bool:
        """Whether what cannot be read is a card at all: plainly found, and not another find of one that can."""
        apart = all(overlap(card.quad, other.quad) < self._settings.another for other in sure)
        return apart and card.score >= self._settings.plain

    def _is_off(self, card: Detection, zones: Zones) -> bool:
        assert zones.discard is not None
        return zones.discard.distance(card.centre) >= APART

    def _is_near(self, card: Detection, other: Detection, zone: Zone) -> bool:
        gap = np.hypot(card.centre[0] - other.centre[0], card.centre[1] - other.centre[1])
        return bool(gap < self._settings.joined * zone.card)

    def _whose(self, fresh: Mask, now: float) -> tuple[float, float | None]:
        """Since when the new part has been worked at, and from where the hand came that was over it last."""
        over = [(at, whence) for at, whence, mask in self._arms if mask.shape == fresh.shape and (mask & fresh).any()]
        if not over:
            return now, None
        since, whence = over[-1]
        for at, other in reversed(over):
            if since - at > GAP:
                break
            since = at if _one_arm(other, whence) else since
        return since, whence

    def _shown(self, seen: tuple[Detection, ...], doubt: _Doubt, now: float, zones: Zones) -> CardsShown:
        cards = tuple(card.face if card.confidence >= self._settings.sure else None for card in seen)
        faces = tuple(card if isinstance(card, Card) else None for card in cards)
        sure = min(card.confidence for card in seen)
        return CardsShown(faces, sure, now, doubt.since, doubt.hand, self._pile(seen, zones))

    def _pile(self, seen: tuple[Detection, ...], zones: Zones) -> PileName | None:
        """The pile that a single card lies on, or was meant for."""
        if len(seen) != 1 or zones.discard is None:
            return None
        place = seen[0].centre
        if zones.draw is not None and zones.draw.distance(place) <= self._settings.on:
            return "draw"
        return "discard" if zones.discard.distance(place) <= self._settings.near else None


def _read(sight: Sight, image: Image, where: tuple[slice, slice], is_off: Callable[[Detection], bool]) -> Detections:
    """The cards of a part of the picture: closely where a first look shows several faces, not all on the discard pile.

    A close look takes so long that a card laid meanwhile would wait for it.
    """
    part = image[where]
    shift = np.array([where[1].start, where[0].start], np.float32)
    seen = sight.see(part).moved(shift)
    faces = [card for card in seen if card.face != BACK]
    if len(faces) > 1 and any(is_off(card) for card in faces):
        seen = without_doubles(closely(sight, part)).moved(shift)
    return seen


def without_doubles(seen: Detections) -> Detections:
    """The cards but for those that a corner alone gave away, beside a found card of that face: it is its own corner."""

    def is_double(card: Detection) -> bool:
        places = [other.centre for other in seen if other.score > 0 and other.face == card.face]
        reach = DOUBLE * card.height
        return card.score <= 0 and any(np.hypot(card.centre[0] - x, card.centre[1] - y) < reach for x, y in places)

    return seen.pick(np.array([not is_double(card) for card in seen], bool))


def _window(fresh: Mask, motion: Motion, margin: float, cards: list[Detection]) -> tuple[slice, slice]:
    """Rows and columns of the frame around the new part and some cards."""
    rows, columns = np.nonzero(fresh)
    height, width = motion.frame.image.shape[:2]
    points = np.concatenate([np.stack([columns, rows], 1) * motion.scale, *(card.quad for card in cards)])
    left, top = np.maximum(0, points.min(0) - margin).astype(int)
    right, bottom = (points.max(0) + motion.scale + margin).astype(int)
    return slice(int(top), min(height, int(bottom))), slice(int(left), min(width, int(right)))


def _at(fresh: Mask, card: Detection, scale: float) -> bool:
    row, column = (int(value / scale) for value in (card.centre[1], card.centre[0]))
    around = fresh[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
    return bool(around.size) and float(around.mean()) > 0.3


def _same(card: Detection, other: Detection) -> bool:
    return card.face == other.face and overlap(card.quad, other.quad) > 0.5


def _names(seen: tuple[Detection, ...]) -> list[str]:
    return sorted(str(card.face) for card in seen)


def _one_arm(one: float | None, other: float | None) -> bool:
    return one is None or other is None or angle_between(one, other) <= ONE_ARM
