"""Whether a hand at the draw pile took a card, or only touched it: the top card that lies there now is another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.cards import Card
from vision.alignment import Aligned, Alignment
from vision.changes import CardsDrawn
from vision.compare import Difference, View
from vision.detections import Image
from vision.motion import Motion
from vision.sight import Sight
from vision.zones import SURE, Zone

IsFace = Callable[[Image, Zone], bool]

KEPT: Final = 4
"""Pictures from before a hand came that are remembered: a draw is told some time after it."""
WITHIN, BESIDE = 0.45, 0.7
"""Card heights from the middle of the draw pile within which a change is of it, and within which it is of the other."""


@dataclass(frozen=True, slots=True)
class StockSettings:
    """Seconds, and amounts in areas of a card.

    settle: how long the draw pile must be free to be looked at. Shorter: it still moves; longer: draws are told later.
    wait: how long a draw waits for that; then it is believed. Shorter: touches count when hands come one after another.
    moved: card heights by which the card on top lies otherwise for another to have been taken. Lower: noise is a card;
        higher: neatly taken cards are missed.
    plainly: the same for a card that nobody was seen to take.
    gain: how many times less must differ then once the pictures are laid over each other. Lower: noise on plain backs
        in dim light draws; higher: neat draws are missed.
    alike: how well the two must fit, 0 to 1, for it to be the same card at all.
    level: grey levels from which a place changed.
    untouched: confidence that is left to a draw after which the pile looks as before.
    radius: what belongs to the pile, card heights around its middle.
    another: a change around it from which the card on top may be another one, face up: it is looked at.
    steady: how long the pile must be free for a draw to be told though no hand was seen there. Shorter: a resting hand
        that looks like the table draws; longer: such draws are told later.
    kept: how much of `moved` the table may seem to have moved for a draw to be told though no hand was seen. Lower:
        plain tables, of which that cannot be told, miss such draws; higher: who leans on the table draws.
    firm: how well the table must fit then.
    gone: a change on the card itself from which one was taken then, whatever the table did.
    unseen: confidence of such a draw.
    sharper: how many times sharper one of two pictures may be for them to be compared then. Lower: worn camera lenses
        miss such draws; higher: a camera that looks for its focus makes them up.
    """

    settle: float = 0.15
    wait: float = 0.8
    moved: float = 0.00107
    plainly: float = 0.0016
    gain: float = 1.15
    alike: float = 0.98
    level: float = 15.0
    untouched: float = 0.2
    radius: float = 0.8
    another: float = 0.35
    steady: float = 0.5
    kept: float = 0.5
    firm: float = 0.8
    gone: float = 0.03
    unseen: float = 0.7
    sharper: float = 1.35


def never(picture: Image, zone: Zone) -> bool:
    """The draw pile shows its back."""
    return False


def shows_face(sight: Sight, picture: Image, zone: Zone) -> bool:
    """Whether a card lies face up on a draw pile: one beside it, or on a discard pile that leans over, does not."""
    where = zone.window(picture.shape, 1.0)
    seen = sight.see(picture[where]).moved(np.array([where[1].start, where[0].start], np.float32))
    faces = (card for card in seen if isinstance(card.face, Card) and card.confidence >= SURE)
    return any(zone.distance(card.centre) < BESIDE for card in faces)


@dataclass(slots=True)
class Steady:
    """What the draw pile looked like while nothing was at it, to tell of a card that is gone though nobody saw a hand.

    last: when a hand that was seen had drawn last; the first look after it is the one to compare with.
    """

    last: float = float("-inf")
    view: View | None = None
    seen: float = float("-inf")
    since: float | None = None
    """Since when the pile is free."""

    def gone(
        self,
        now: View | None,
        seconds: float,
        piles: tuple[Zone, Zone],
        settings: StockSettings,
        turned: Callable[[View, Zone], bool],
    ) -> CardsDrawn | None:
        """The draw that the pile alone tells of.

        now: what it looks like; None while something is at it. turned: whether a face lies there, or did until now.
        """
        if now is None:
            self.since = None
            return None
        self.since = seconds if self.since is None else self.since
        drawn = self.seen <= self.last < seconds
        if not drawn and seconds - self.since < settings.steady:
            return None
        before, seen = self.view, self.seen
        self.view, self.seen = now, seconds
        if before is None or drawn or seen >= self.since or before.picture.shape != now.picture.shape:
            return None
        aligned = Aligned(before, now, *piles)
        card = aligned.card()
        if not _is_another(card, settings.plainly, settings) or aligned.sharper > settings.sharper:
            return None
        if card.gain < settings.gain and card.alike >= settings.alike:
            return None
        change, table = Difference(before, now, piles[0], settings.level), aligned.table()
        firm = table.alike > settings.firm and table.moved < settings.kept * settings.moved
        if not firm and _on_the_card(change, *piles) < settings.gone:
            return None
        if change.amount >= settings.another and turned(now, piles[0]):
            return None
        return CardsDrawn(1, settings.unseen, self.since, seen)


def _is_another(card: Alignment, moved: float, settings: StockSettings) -> bool:
    """Whether another card than before is on top: it lies otherwise, by `moved` card heights, or looks otherwise."""
    return card.moved >= moved or card.alike < settings.alike


def _on_the_card(change: Difference, draw: Zone, discard: Zone | None) -> float:
    """How much changed on the draw pile itself and nowhere near the other one, in areas of a card."""
    place = change.around(draw, WITHIN)
    return change.amount_in(place if discard is None else place & ~change.around(discard, BESIDE))


class StockWatch:
    """Holds each draw back until the pile can be seen again, and lowers its confidence when nothing is gone.

    is_face: whether a card lies face up on the draw pile of a picture. Whoever lays one there, or takes it up again,
    draws nothing.
    """

    def __init__(self, settings: StockSettings = StockSettings(), is_face: IsFace = never) -> None:
        self._settings, self._is_face = settings, is_face
        self._face = False
        """Whether a card lies face up on the draw pile."""
        self._views: deque[tuple[float, View]] = deque(maxlen=KEPT)
        """What the pile looked like before each hand came, and now, with the time at which it was seen so last."""
        self._free = False
        self._waiting: list[CardsDrawn] = []
        self._steady = Steady()

    def follow(
        self, motion: Motion, zone: Zone | None, drawn: Iterable[CardsDrawn], discard: Zone | None = None
    ) -> list[CardsDrawn]:
        """Takes in one frame and the draws that ended with it; those that are certain now.

        With the `discard` pile known, cards that are gone though no hand was seen are told, too.
        """
        seen = list(drawn)
        told = self._followed(motion, zone, seen, discard)
        if motion.shaken or zone is None or discard is None:
            self._steady = Steady()
            return told
        self._steady.last = max([self._steady.last, *(draw.seconds for draw in (*seen, *told))])
        now = self._views[-1][1] if self._free else None
        gone = self._steady.gone(now, motion.seconds, (zone, discard), self._settings, self._turned)
        return told if gone is None else [*told, gone]

    def _followed(
        self, motion: Motion, zone: Zone | None, drawn: Iterable[CardsDrawn], discard: Zone | None
    ) -> list[CardsDrawn]:
        self._waiting += drawn
        if motion.shaken or zone is None:
            self._views.clear()
        was_free, self._free = self._free, zone is not None and self._is_free(motion, zone)
        if self._free and zone is not None:
            now = View(motion.frame.image, motion.hidden)
            told = self._judged(now, zone, discard)
            if was_free and self._views:
                self._views.pop()
            self._views.append((motion.seconds, now))
            return told
        if self._waiting and motion.seconds - self._waiting[0].seconds > self._settings.wait:
            return self._told()
        return []

    def _is_free(self, motion: Motion, zone: Zone) -> bool:
        place = zone.disc(motion.still.shape, motion.scale, self._settings.radius)
        still = motion.still[place]
        if any((hand.mask & place).any() for hand in motion.hands) or not still.size:
            return False
        return bool(np.percentile(still, 3) >= self._settings.settle)

    def _judged(self, now: View, zone: Zone, discard: Zone | None) -> list[CardsDrawn]:
        if not self._waiting:
            return []
        before = next((view for seen, view in reversed(self._views) if seen <= self._waiting[0].since), None)
        if before is None or before.picture.shape != now.picture.shape:
            return self._told()
        change = Difference(before, now, zone, self._settings.level)
        if change.amount >= self._settings.another and self._turned(now, zone):
            self._told()
            return []
        if _is_another(Aligned(before, now, zone, discard).card(), self._settings.moved, self._settings):
            return self._told()
        return [replace(draw, confidence=self._settings.untouched) for draw in self._told()]

    def _turned(self, now: View, zone: Zone) -> bool:
        """Whether a face lies on the pile, or did until now."""
        before, self._face = self._face, self._is_face(now.picture, zone)
        return before or self._face

    def _told(self) -> list[CardsDrawn]:
        told, self._waiting = self._waiting, []
        return told
