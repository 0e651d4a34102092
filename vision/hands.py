"""What hands do at the draw pile: a hand that stops at it and goes again has drawn.

Arms cross the draw pile on their way elsewhere; only fingers that stop there count. A hand that goes back and forth
counts each time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.changes import CardsDrawn
from vision.motion import SAME_ARM, Hand, Motion, angle_between
from vision.zones import Zones


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """When a hand has drawn. Seconds, and heights of a card.

    near: the fingers are at the pile within this distance. away: they have left it beyond this one.
    slow: heights a second; faster fingers are passing by.
    dwell: how long slow fingers must stay. Shorter: a hesitating arm draws; longer: quick draws are missed.
    back: the same once they have been at the discard pile, or have drawn: most hands only pass by on their way out.
    gone: how long a hand must stay away to have left. Shorter: a flickering hand draws twice; longer: two quick draws
        are one.
    forget: a hand not seen for this long has gone.
    limbo: the same for one last seen at the draw pile: its sleeve may be of the table's colour.
    stays: a hand that is there so soon after one from its direction, which drew, was seen there is what stayed of that.
        Shorter: a shadow along an arm draws once more; longer: two quick draws are one.
    """

    near: float = 0.8
    away: float = 1.25
    slow: float = 3.5
    dwell: float = 0.15
    back: float = 0.22
    gone: float = 0.25
    forget: float = 0.2
    limbo: float = 0.4
    stays: float = 0.3


@dataclass(slots=True)
class _Track:
    """One hand from frame to frame."""

    hand: Hand
    seconds: float
    came: float | None = None
    there: float = 0.0
    """When its fingers were seen at the draw pile last."""
    left: float | None = None
    dwelt: float = 0.0
    lost: bool = False
    """Whether it was not seen in the last frame."""
    played: float = 0.0
    """How long slow fingers were at the discard pile."""
    drew: bool = False


class DrawWatch:
    """Follows the hands and reports each one that drew, when it leaves the draw pile."""

    def __init__(self, settings: DrawSettings = DrawSettings()) -> None:
        self._settings = settings
        self._tracks: list[_Track] = []
        self._last: tuple[float, float] | None = None
        """When the last hand that drew was seen at the pile last, and its direction."""

    def follow(self, motion: Motion, zones: Zones) -> list[CardsDrawn]:
        """Takes in one frame; the draws that ended with it."""
        drawn: list[CardsDrawn] = []
        reach = 0.25 * motion.frame.image.shape[1]
        unmatched = list(self._tracks)
        for hand in motion.hands:
            track = _nearest(unmatched, hand, reach)
            if track is None:
                self._tracks.append(_Track(hand, motion.seconds))
                continue
            unmatched.remove(track)
            drawn += self._step(track, hand, motion.seconds, zones)
        for track in unmatched:
            track.lost = True
            there = zones.draw is not None and zones.draw.distance(track.hand.tip) < self._settings.near
            if motion.seconds - track.seconds > (self._settings.limbo if there else self._settings.forget):
                self._tracks.remove(track)
                drawn += self._leave(track, motion.seconds)
        return drawn

    def _step(self, track: _Track, hand: Hand, now: float, zones: Zones) -> list[CardsDrawn]:
        passed = max(1e-3, now - track.seconds)
        speed = float(np.hypot(hand.tip[0] - track.hand.tip[0], hand.tip[1] - track.hand.tip[1])) / passed
        lost, track.lost = track.lost, False
        track.hand, track.seconds = hand, now
        if zones.draw is None or zones.discard is None:  # before a card is turned nobody draws: cards are dealt
            return []
        distance = zones.draw.distance(hand.tip)
        other = zones.discard.distance(hand.tip)
        elsewhere = other < distance
        if elsewhere and other < self._settings.near and speed < self._settings.slow * zones.discard.card:
            track.played += passed
        if distance < self._settings.near and not elsewhere:
            track.came, track.there, track.left = now if track.came is None else track.came, now, None
            if speed < self._settings.slow * zones.draw.card:
                track.dwelt += passed
            return []
        if not (distance > self._settings.away or elsewhere):
            return []
        track.left = now if track.left is None else track.left
        if not (elsewhere or lost or now - track.left >= self._settings.gone):
            return []
        return self._leave(track, now, anew=lost)

    def _leave(self, track: _Track, now: float, anew: bool = False) -> list[CardsDrawn]:
        """The hand is no longer at the pile: did it draw? anew: and it came back from the edge already."""
        done = track.drew or track.played >= self._settings.dwell
        came, dwelt = track.came, track.dwelt
        track.came, track.left, track.dwelt = None, None, 0.0
        drew = came is not None and dwelt >= (self._settings.back if done else self._settings.dwell)
        track.drew = (track.drew or drew) and not anew
        track.played = 0.0 if anew else track.played
        if came is None or not drew:
            return []
        last, self._last = self._last, (track.there, track.hand.direction)
        if last and came - last[0] < self._settings.stays and angle_between(last[1], track.hand.direction) <= SAME_ARM:
            return []
        return [CardsDrawn(1, 0.9, now, came, track.hand.direction)]


def _nearest(tracks: list[_Track], hand: Hand, reach: float) -> _Track | None:
    """The track whose arm came in nearest to where this one does."""

    def apart(track: _Track) -> float:
        return float(np.hypot(track.hand.entry[0] - hand.entry[0], track.hand.entry[1] - hand.entry[1]))

    best = min(tracks, key=apart, default=None)
    return best if best is not None and apart(best) < reach else None
