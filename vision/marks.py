"""Command cards in the picture: printed ArUco marks, shown or laid anywhere for half a second.

Marks are looked for only where something came that was not there before, a few times a second. Each acts once, and
again only after it has been gone for a while; one that a hand covers is not gone. Marks that were there from the start,
and several that come at once, act not at all: a stack of cards lying about must not play. Source of the marks:
S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial markers under occlusion",
2014, as in OpenCV.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from vision.changes import CommandShown
from vision.detections import Detections, Image, Quads
from vision.motion import Mask, Motion
from vision.zones import Zone

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
"""The fewest bits of OpenCV's own dictionaries: at equal size the largest squares."""
MODULES: Final = 6
"""Squares along the side of a mark, its black border included."""
SMALLEST: Final = 8.0
"""Side of a mark below which no bit can be told, px."""
ROUND: Final = 19.0
"""Way around a square below which it is not considered, px."""
SMALL: Final = 28.0
"""Side up to which a square is looked at more closely, px."""
ENLARGED: Final = 4
"""How much larger it is looked at."""


@dataclass(frozen=True, slots=True)
class MarkSettings:
    """Seconds unless said otherwise.

    count: marks in use, numbered from 0. Fewer: fewer false alarms.
    every: between two looks. hold: how long a mark must be shown. looks: how often it must be seen in that time.
    gap: how long it may be missed meanwhile. gone: how long it must be away before it acts again.
    apart: marks that come closer together than this are one handful.
    fresh: how long a place that looks other than before is looked at; longer than `hold`.
    moved: how long after a movement a place is looked at while a mark is in view; longer than `gone`.
    hasty: share of a hand that moves from which nothing that it holds is looked at.
    near: share of the width added around what moved.
    wide: px to which a larger picture is brought first. Larger finds smaller marks and takes longer.
    doubts: squares in one picture that are looked at more closely at most.
    """

    count: int = 16
    every: float = 0.25
    hold: float = 0.5
    looks: int = 3
    gap: float = 0.7
    gone: float = 1.0
    apart: float = 1.5
    fresh: float = 1.0
    moved: float = 2.0
    hasty: float = 0.3
    near: float = 0.06
    wide: int = 1280
    doubts: int = 6


class MarkFinder:
    """Finds marks in one picture: large ones as it is, small ones by a closer look at what may be one."""

    def __init__(self, settings: MarkSettings = MarkSettings()) -> None:
        self._settings = settings
        self._whole = _detector(smallest=0.015, windows=(7, 23))  # the smallest is set for each picture
        self._close = _detector(smallest=0.5, windows=(13, 33))

    def find(self, image: Image, worth: Mask | None = None) -> dict[int, Quads]:
        """Number and corners, (4, 2) px, of the marks in `image`, (H, W, 3) uint8 BGR or grey.

        worth: (h, w) of a small copy, where squares are worth a closer look; None: everywhere.
        """
        grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        scale = min(1.0, self._settings.wide / max(grey.shape))
        small = grey if scale == 1 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        quads, numbers, doubtful = self._whole_for(small).detectMarkers(small)
        found = self._known(quads, numbers, 1 / scale)
        squares = [np.reshape(one, (4, 2)) / scale for one in doubtful]
        if worth is not None:
            squares = [quad for quad in squares if _is_in(worth, quad, grey.shape)]
        for quad in self._worth_a_look(squares):
            found = self._closer(grey, quad) | found
        return found

    def _whole_for(self, small: cv2.typing.MatLike) -> Any:
        """The detector for squares of a certain size, however large the part of the picture is that it looks at."""
        wanted = self._whole.getDetectorParameters()
        wanted.minMarkerPerimeterRate = ROUND / max(small.shape)
        self._whole.setDetectorParameters(wanted)
        return self._whole

    def _worth_a_look(self, quads: list[Quads]) -> list[Quads]:
        """The doubtful squares that are small, and about square."""
        sides = [np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1) for quad in quads]
        small = [
            quad
            for quad, side in zip(quads, sides, strict=True)
            if SMALLEST <= side.mean() <= SMALL and side.min() > 0.6 * side.max()
        ]
        return small[: self._settings.doubts]

    def _closer(self, grey: Image, quad: Quads) -> dict[int, Quads]:
        middle, reach = quad.mean(0), 1.1 * float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean())
        left, top = (max(0, int(at - reach)) for at in middle)
        part = grey[top : int(middle[1] + reach) + 1, left : int(middle[0] + reach) + 1]
        if not part.size:
            return {}
        large = cv2.resize(part, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
        quads, numbers, _ = self._close.detectMarkers(large)
        shift = np.array([left, top], np.float32)
        return {number: one + shift for number, one in self._known(quads, numbers, 1 / ENLARGED).items()}

    def _known(self, quads: Any, numbers: Any, scale: float) -> dict[int, Quads]:
        if numbers is None:
            return {}
        pairs = zip(np.ravel(numbers).tolist(), quads, strict=True)
        return {n: np.asarray(quad.reshape(4, 2) * scale, np.float32) for n, quad in pairs if n < self._settings.count}


def _is_in(worth: Mask, quad: Quads, shape: tuple[int, ...]) -> bool:
    """Whether a square of a picture of `shape` lies where it is worth a look, or close by."""
    x, y = quad.mean(0) * [worth.shape[1] / shape[1], worth.shape[0] / shape[0]]
    return bool(worth[max(0, int(y) - 3) : int(y) + 4, max(0, int(x) - 3) : int(x) + 4].any())


def _detector(smallest: float, windows: tuple[int, int]) -> Any:
    """OpenCV's detector for squares from `smallest` (perimeter over the picture's side), thresholds in two windows."""
    found = cv2.aruco.DetectorParameters()
    found.minMarkerPerimeterRate = smallest
    found.adaptiveThreshWinSizeMin, found.adaptiveThreshWinSizeMax = windows
    found.adaptiveThreshWinSizeStep = windows[1] - windows[0]
    found.perspectiveRemovePixelPerCell = 8
    found.perspectiveRemoveIgnoredMarginPerCell = 0.2  # ink and blur spread over the edges of squares
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), found)


@dataclass(slots=True)
class _Track:
    """A mark in view: when it came, how often it was seen and when last; `spent` once it may act no more."""

    quad: Quads
    first: float
    last: float
    looks: int = 1
    missing: float | None = None
    spent: bool = False

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.quad.mean(0)
        return float(x), float(y)


class MarkWatch:
    """Turns what moves into commands; `covers` and `without` keep command cards from being taken for playing cards."""

    def __init__(self, settings: MarkSettings = MarkSettings()) -> None:
        self._settings, self._finder = settings, MarkFinder(settings)
        self._tracks: dict[int, _Track] = {}
        self._looked = float("-inf")
        self._began: float | None = None
        self._acted = float("-inf")

    def follow(self, motion: Motion) -> list[CommandShown]:
        """The commands that are certain with this frame."""
        now, settings = motion.seconds, self._settings
        if self._began is None or now < self._looked:  # the first frame, or a film begun again
            self._began, self._looked, self._acted = now, float("-inf"), float("-inf")
            self._tracks.clear()
        if now - self._looked < settings.every:
            return []
        worth = self._worth(motion)
        window = self._window(motion, worth)
        if window is None:
            return []
        self._looked = now
        part = tuple(slice(int(side.start / motion.scale), int(side.stop / motion.scale) + 1) for side in window)
        found = self._finder.find(motion.frame.image[window], worth[part])
        shift = np.array([window[1].start, window[0].start], np.float32)
        self._seen({number: quad + shift for number, quad in found.items()}, now)
        self._missed(found, motion, window)
        return list(self._acting(now))

    def covers(self, zone: Zone) -> bool:
        """Whether a command card lies on a pile, so that it cannot be read."""
        return any(zone.distance(track.centre) < 1 for track in self._tracks.values())

    def without(self, cards: Detections) -> Detections:
        """The cards that are playing cards: those around no mark."""
        if not self._tracks or not len(cards):
            return cards
        centres = [track.centre for track in self._tracks.values()]
        real = [not any(cv2.pointPolygonTest(quad, at, False) >= 0 for at in centres) for quad in cards.quads]
        return cards.pick(np.array(real, bool))

    def _worth(self, motion: Motion) -> Mask:
        """Where something is new, (h, w) of the small copy; while a mark is in view, where anything moved."""
        worth = motion.fresh <= self._settings.fresh
        for hand in motion.hands:
            if float((motion.still[hand.mask] <= 0).mean()) > self._settings.hasty:
                worth &= ~hand.mask
        if self._tracks:
            worth |= motion.still <= self._settings.moved
        return np.asarray(cv2.morphologyEx(worth.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), bool)

    def _window(self, motion: Motion, worth: Mask) -> tuple[slice, slice] | None:
        """Rows and columns of the frame that are worth a look, and a little more; None when nothing is."""
        x, y, wide, high = cv2.boundingRect(worth.astype(np.uint8))
        if not wide:
            return None
        height, width = motion.frame.image.shape[:2]
        near = int(self._settings.near * width)
        top, bottom = int(y * motion.scale) - near, int((y + high) * motion.scale) + near
        left, right = int(x * motion.scale) - near, int((x + wide) * motion.scale) + near
        return slice(max(0, top), min(height, bottom)), slice(max(0, left), min(width, right))

    def _seen(self, found: dict[int, Quads], now: float) -> None:
        assert self._began is not None
        for number, quad in found.items():
            track = self._tracks.get(number)
            if track is None or (not track.spent and now - track.last > self._settings.gap):
                handful = now - self._began < self._settings.apart or now - self._acted < self._settings.apart
                self._tracks[number] = _Track(quad, now, now, spent=handful)
            else:
                track.quad, track.last, track.missing = quad, now, None
                track.looks += 1

    def _missed(self, found: dict[int, Quads], motion: Motion, window: tuple[slice, slice]) -> None:
        """Marks that were looked for in vain and that no hand covers are forgotten after a while."""
        now, hidden = motion.seconds, motion.hidden
        for number, track in [pair for pair in self._tracks.items() if pair[0] not in found]:
            x, y = track.centre
            looked = window[0].start <= y < window[0].stop and window[1].start <= x < window[1].stop
            row = min(hidden.shape[0] - 1, max(0, int(y / motion.scale)))
            column = min(hidden.shape[1] - 1, max(0, int(x / motion.scale)))
            if not looked or (track.spent and hidden[row, column]):
                track.missing = None
            else:
                track.missing = now if track.missing is None else track.missing
                if now - track.missing >= self._settings.gone:
                    del self._tracks[number]

    def _acting(self, now: float) -> Iterator[CommandShown]:
        settings = self._settings
        fresh = {n: track for n, track in self._tracks.items() if not track.spent and track.missing is None}
        ready = [t for t in fresh.values() if t.looks >= settings.looks and now - t.first >= settings.hold - 1e-6]
        if not ready:
            return
        shown = sorted(number for number, track in fresh.items() if track.looks > 1)
        for track in fresh.values():
            track.spent = True
        self._acted = min(track.first for track in ready)
        yield CommandShown(tuple(shown), now, self._acted)
