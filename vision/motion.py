"""What moves on the table, and which hands are over it: the cheap gate before the models.

Works on a small copy of each picture (256 px wide). A place is *still* when it has not changed from frame to frame for
some time. It is *foreign* when it differs from the table as it last lay still. A foreign part that reaches the edge of
the picture is a *hand* (with its arm): cards come to rest, arms come from outside. The light may change as a whole, and
shadows may pass: both are taken out first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image
from vision.frames import Frame
from vision.shade import shade

Mask = npt.NDArray[np.bool_]
Plane = npt.NDArray[np.float32]
Point = tuple[float, float]

SAME_ARM: Final = 15.0
"""Degrees by which an arm turns at most while it is over a pile: hands that differ less are of one arm that stays."""
_CLOSE: Final = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class MotionSettings:
    """When something counts as moving or foreign. Levels are of 255, times in seconds.

    width: px of the small copy. Wider sees thinner fingers and costs more.
    dim: brightness of the table, 0 to 255, below which less difference tells a thing from it: all levels go down with
        it. Higher: pale arms on pale tables are seen, and so are shadows.
    dimmest: share of the levels that is left at least.
    moved: change between two frames that is movement. Lower: noise keeps the table restless; higher: slow hands are
        missed.
    foreign: difference from the still table that is a thing on it. Lower: shadows become hands; higher: hands that look
        like the table are missed.
    stays: difference from the still table at which a hand that has not moved is still there. Lower: what a hand left
        behind belongs to it; higher: resting hands that look like the table become table.
    fading: share of its rim at which a shadow fades out. Lower: hands coloured like the table are shadows; higher:
        shadows that end under cards are hands.
    settle: a place that has not moved for this long is taken as the table again. Shorter: a pausing hand becomes table
        for a moment; longer: every card waits longer for its ruling.
    rest: a hand that has not moved for this long is a thing left on the table. Shorter: dreaming players vanish;
        longer: a telephone put down at the edge hides the pile for longer.
    hand: share of the picture from which a foreign part at the edge is a hand.
    arm: share of the width within which parts at the edge are of one arm, split where it looks like the table.
    cut: share of a hand that must still be seen for it to be one when its arm cannot be told from the table.
    calm: share of a part of a hand that may move while it rests.
    linger: how long such a hand is believed in.
    flash: share of the picture from which it is no hand but the light, or a knock at the camera.
    shake: share of the parts of the picture (6 rows, 8 columns) in which something moves, the light apart, from which
        it is the camera. Lower: large movements of several people count; higher: knocks over plain tables are missed.
    recover: how long after that the table is taken as it lies, hands or no hands. Shorter: things that shook longer
        become hands; longer: a real hand is taken for the table.
    """

    width: int = 256
    dim: float = 150.0
    dimmest: float = 0.5
    moved: float = 12.0
    foreign: float = 20.0
    stays: float = 9.0
    fading: float = 0.4
    settle: float = 0.25
    rest: float = 3.0
    hand: float = 0.004
    arm: float = 0.14
    cut: float = 0.6
    calm: float = 0.03
    linger: float = 1.0
    flash: float = 0.6
    shake: float = 0.5
    recover: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A hand over the table. Points in px of the frame.

    entry: where its arm crosses the picture's edge. tip: its farthest part from there (fingers, or the card they hold).
    direction: of the entry from the picture's middle, degrees, clockwise from the right. mask: (h, w), small copy.
    """

    entry: Point
    tip: Point
    direction: float
    mask: Mask


def angle_between(one: float, other: float) -> float:
    """Degrees, 0 to 180, between two directions in degrees."""
    return abs((one - other + 180) % 360 - 180)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A frame with what moves in it.

    still: (h, w) float32, seconds for which each place of the small copy has not moved. scale: frame px per small px.
    shaken: whether everything moves at once: the camera does. fresh: (h, w) float32, seconds for which each place has
    looked other than before; 0 where something may still be on its way.
    """

    frame: Frame
    still: Plane
    hands: tuple[Hand, ...]
    scale: float
    shaken: bool = False
    fresh: Plane = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    def moved_within(self, quad: npt.NDArray[np.float32], seconds: float) -> float:
        """Share (0 to 1) of the place of a card, a quad (4, 2) px of the frame, that has moved in the last seconds."""
        shape = np.round(np.asarray(quad) / self.scale - 0.5).astype(np.int32)
        place = np.zeros(self.still.shape, np.uint8)
        cv2.fillConvexPoly(place, shape, 1)
        return float((self.still[place > 0] <= seconds).mean()) if place.any() else 0.0

    @property
    def hidden(self) -> Mask:
        """Where hands hide the table, (h, w)."""
        covered = np.zeros(self.still.shape, bool)
        for hand in self.hands:
            covered |= hand.mask
        return covered

    @property
    def seconds(self) -> float:
        """The time of the frame."""
        return self.frame.seconds


class MotionWatch:
    """Turns frames into `Motion`; remembers the small copy of the last frame and of the still table, nothing else."""

    def __init__(self, settings: MotionSettings = MotionSettings()) -> None:
        self._settings = settings
        self._last: Plane | None = None
        self._table: Plane | None = None
        self._still: Plane | None = None
        self._fresh: Plane = np.zeros((0, 0), np.float32)
        """Seconds since the table was taken to be another at each place."""
        self._seconds, self._scale, self._light = 0.0, 1.0, 1.0
        self._before: Plane | None = None
        """The table as it lay when no hand was over it last."""
        self._calm: tuple[float, Plane] | None = None
        """A time at which no hand was there, and none came since, and what the table looked like."""
        self._solid: Mask = np.zeros((0, 0), bool)
        """Where the table does not show, shadows among it."""
        self._rooted: list[tuple[float, Hand]] = []
        self._shaken = float("-inf")
        """When everything moved at once last."""

    def see(self, frame: Frame) -> Motion:
        """The motion of the next frame. A frame of another size than before starts afresh."""
        small, scale = _small(frame.image, self._settings.width)
        if self._last is None or self._still is None or self._table is None or self._last.shape != small.shape:
            self._last, self._table = small, small.copy()
            self._still, self._fresh = (np.zeros(small.shape[:2], np.float32) for _ in range(2))
            self._seconds = frame.seconds
            return Motion(frame, self._still.copy(), (), scale, fresh=self._fresh.copy())
        passed = max(0.0, frame.seconds - self._seconds)
        self._light = _light(small, self._settings)
        moving = self._things(small, self._last, self._settings.moved)
        self._still = np.where(moving, np.float32(0), self._still + np.float32(passed))
        self._table *= _gain(small, self._table)
        self._scale, self._seconds = scale, frame.seconds
        shaken = _spread(moving) >= self._settings.shake and self._moved_whole(small)
        if shaken:
            self._shaken = frame.seconds
        recovering = frame.seconds - self._shaken < self._settings.recover
        self._solid = self._unlike_before(small)
        foreign = (self._things(small, self._table, self._settings.foreign) & self._solid) | self._waiting(moving)
        self._fresh = self._fresh + np.float32(passed)
        hands = () if recovering else tuple(self._hands(foreign, moving, scale))
        self._rooted = [(self._rooted_at(hand), hand) for hand in hands]
        self._remember(small, hands)
        learnt = self._learn(small, hands, 0.4 * self._settings.settle if recovering else self._settings.settle)
        self._fresh[learnt & foreign] = 0
        self._last = small
        return Motion(frame, self._still, hands, scale, shaken, np.where(foreign, np.float32(0), self._fresh))

    def _things(self, small: Plane, other: Plane, levels: float) -> Mask:
        """Where a picture differs from another by more than a shadow."""
        changed = _differs(small, other, levels * self._light)
        return changed & ~shade(other, small, changed, self._settings.fading)

    def _unlike_before(self, small: Plane) -> Mask:
        """Where neither the table as it is known shows nor as it lay before anybody came."""
        assert self._table is not None
        if self._before is None or self._before.shape != small.shape:
            self._before = self._table.copy()
        self._before *= _gain(small, self._before)
        apart = self._settings.stays * self._light
        return _differs(small, self._table, apart) & _differs(small, self._before, apart)

    def _remember(self, small: Plane, hands: tuple[Hand, ...]) -> None:
        """How the table lies while nobody is at it: what looked the same a while ago and no hand came since."""
        assert self._before is not None
        if hands or self._calm is None or self._calm[1].shape != small.shape:
            self._calm = None if hands else (self._seconds, small)
        elif self._seconds - self._calm[0] >= 2 * self._settings.settle:
            same = ~_differs(small, self._calm[1], self._settings.stays * self._light)
            np.copyto(self._before, small, where=same[:, :, None])
            self._calm = (self._seconds, small)

    def _waiting(self, moving: Mask) -> Mask:
        """Where a hand was and nothing has moved since: though it looks like a shadow there, it is the hand."""
        were = np.zeros(moving.shape, bool)
        for _, hand in self._rooted:
            were |= hand.mask
        return were & ~moving & self._solid

    def _moved_whole(self, small: Plane) -> bool:
        """Whether it is the camera that moves: the light of both pictures made equal, they still differ all over."""
        assert self._last is not None
        lit = np.minimum(self._last * _gain(small, self._last), np.float32(255))
        return _spread(_differs(small, lit, self._settings.moved)) >= self._settings.shake

    def _hands(self, foreign: Mask, moving: Mask, scale: float) -> Iterator[Hand]:
        assert self._still is not None
        solid = self._solid & (foreign | moving)
        foreign = foreign | moving | (self._solid & (self._still < 0.4 * self._settings.settle))
        closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, _CLOSE)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        shares = stats[:, cv2.CC_STAT_AREA] / labels.size
        parts = [labels == label for label in range(1, count) if shares[label] >= 0.25 * self._settings.hand]
        reaching = [(entry, part) for part in parts if (entry := _entry(part)) is not None]
        loose = [part for part in parts if _entry(part) is None]
        for entry, root in _joined(reaching, self._settings.arm * foreign.shape[1]):
            mask, loose = self._with_its_end(root, loose, moving)
            if self._settings.hand <= mask.mean() <= self._settings.flash:
                yield _hand(mask, entry, scale, solid)
        yield from self._cut_off(loose, solid)

    def _with_its_end(self, root: Mask, loose: list[Mask], moving: Mask) -> tuple[Mask, list[Mask]]:
        """An arm that looks like the table somewhere, with the end of it that is seen apart; and what is loose still.

        A card that it leaves behind is no end of it: that lies still while the arm moves.
        """
        hands = [hand.mask for _, hand in self._rooted if (hand.mask & root).any()]
        draws_back = moving[root].mean() > self._settings.calm
        whole, rest = root, []
        for part in loose:
            same = any(2 * (part & mask).sum() > part.sum() for mask in hands)
            if same and (not draws_back or moving[part].mean() > self._settings.calm):
                whole = whole | part
            else:
                rest.append(part)
        return whole, rest

    def _cut_off(self, parts: list[Mask], solid: Mask) -> Iterator[Hand]:
        """Hands whose sleeve cannot be told from the table: what was most of a hand a moment ago still is one."""
        for part in parts:
            area = int(part.sum())
            for seconds, hand in self._rooted:
                most = area >= self._settings.cut * hand.mask.sum() and 2 * (part & hand.mask).sum() > area
                if most and self._seconds - seconds < self._settings.linger:
                    yield replace(hand, mask=part, tip=_tip(part, hand.entry, self._scale, solid))
                    break

    def _rooted_at(self, hand: Hand) -> float:
        """When the hand was last seen to come from the edge."""
        if _entry(hand.mask) is not None:
            return self._seconds
        return max((seconds for seconds, other in self._rooted if other.entry == hand.entry), default=self._seconds)

    def _learn(self, small: Plane, hands: tuple[Hand, ...], settle: float) -> Mask:
        """The table as it lies now, except under hands that still move; where it is known."""
        assert self._table is not None and self._still is not None
        known = self._still >= settle
        for hand in hands:
            known &= ~_surroundings(hand.mask) | (self._still >= self._settings.rest)
        np.copyto(self._table, small, where=known[:, :, None])
        return known


def _surroundings(mask: Mask) -> Mask:
    """What an arm may cover where it looks like the table: its convex hull and a little more."""
    points = np.argwhere(mask)[:, ::-1].astype(np.int32)
    hull = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
    return np.asarray(cv2.dilate(hull, np.ones((5, 5), np.uint8)), bool)


def _small(image: Image, width: int) -> tuple[Plane, float]:
    scale = image.shape[1] / width
    size = (width, max(1, round(image.shape[0] / scale)))
    small = cv2.blur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (3, 3))
    return small.astype(np.float32), scale


def _light(small: Plane, settings: MotionSettings) -> float:
    """Which share of the levels counts, by how bright the table is."""
    return float(np.clip(np.median(small[::3, ::3].max(axis=2)) / settings.dim, settings.dimmest, 1.0))


def _differs(one: Plane, other: Plane, levels: float) -> Mask:
    difference = cv2.absdiff(one, other)
    return np.asarray(cv2.max(cv2.max(difference[:, :, 0], difference[:, :, 1]), difference[:, :, 2]) > levels)


def _spread(moving: Mask) -> float:
    """In which share of the picture's parts something moves."""
    height, width = moving.shape[0] // 6, moving.shape[1] // 8
    if not height or not width:
        return 0.0
    parts = moving[: 6 * height, : 8 * width].reshape(6, height, 8, width).mean(axis=(1, 3))
    return float((parts > 0.02).mean())


def _gain(small: Plane, table: Plane) -> Plane:
    """By how much each channel became brighter, (3,), told by most of the picture."""
    now, before = small[::3, ::3].reshape(-1, 3), table[::3, ::3].reshape(-1, 3)
    gain = np.median(now + 2, 0) / np.median(before + 2, 0) if len(now) < 16 else np.median((now + 2) / (before + 2), 0)
    return np.asarray(gain.clip(0.5, 2), np.float32)


def _entry(part: Mask) -> Point | None:
    """Where a foreign part crosses the edge of the small copy, or None when it does not reach it."""
    height, width = part.shape
    rows, columns = np.nonzero(part)
    at_edge = (rows < 2) | (rows >= height - 2) | (columns < 2) | (columns >= width - 2)
    return (float(columns[at_edge].mean()), float(rows[at_edge].mean())) if at_edge.sum() >= 3 else None


def _joined(parts: list[tuple[Point, Mask]], near: float) -> list[tuple[Point, Mask]]:
    """Parts that cross the edge within `near` of each other as one."""
    joined: list[tuple[Point, Mask]] = []
    for entry, part in sorted(parts, key=lambda entry_part: -int(entry_part[1].sum())):
        for place, (other, mask) in enumerate(joined):
            if np.hypot(entry[0] - other[0], entry[1] - other[1]) < near:
                joined[place] = (other, mask | part)
                break
        else:
            joined.append((entry, part))
    return joined


def _hand(mask: Mask, entry: Point, scale: float, solid: Mask) -> Hand:
    """The hand that a foreign part is; `entry` in px of the small copy."""
    height, width = mask.shape
    direction = float(np.degrees(np.arctan2(entry[1] - height / 2, entry[0] - width / 2))) % 360
    crossing = (entry[0] * scale, entry[1] * scale)
    return Hand(crossing, _tip(mask, crossing, scale, solid), direction, mask)


def _tip(mask: Mask, entry: Point, scale: float, solid: Mask) -> Point:
    """The part of a hand that is farthest from its entry; both in px of the frame.

    solid: where the table does not show; the rest of the mask is what the hand has left a moment ago.
    """
    rows, columns = np.nonzero(mask & solid if (mask & solid).any() else mask)
    far = np.hypot(columns - entry[0] / scale, rows - entry[1] / scale)
    ends = np.argpartition(far, -min(12, len(far)))[-12:]
    return float(columns[ends].mean()) * scale, float(rows[ends].mean()) * scale
