"""A look at the pile while a hand is still near: a card that lies open is believed before the hand is gone.

To the motion alone a new card is part of the hand that laid it until there is table between them. But whatever covers a
part of a card comes over its border: a card whose whole border is seen, which does not move and is read surely, has
been let go of. All else that is seen with a hand near says nothing and waits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.compare import Difference, View, largest
from vision.detections import Detection, Detections, Image, Quads
from vision.motion import Mask, Motion
from vision.overlaps import overlap
from vision.plays import Pile
from vision.readings import Laid, Look, Nudged, Reading, Unchanged, Unclear
from vision.rectify import carry, cut, rectangle
from vision.zones import Zone

UPRIGHT: Final = (64, 100)
"""Width and height px of the copy of a card in which its border is looked at."""
OUTER, INNER, STEP = -0.04, 0.06, 0.01
"""Where a card's border may be seen, in heights of the card from where its edge should be, and how finely it is looked
for."""
ROUNDED: Final = (9, 10)
"""Pixels of that copy left out at the ends of the short and the long sides: corners are rounded."""
REACH: Final = 1.0
"""How far from the middle of the pile a card may lie that is on its way to be believed, heights of a card."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GlanceSettings:
    """When a card is believed with a hand near; seconds unless said otherwise.

    sure: confidence that it must be read with. Lower: cards half under fingers are misread; higher: most cards wait
        until the hand is gone.
    pause: between two looks. Shorter: more looks at fast cameras; longer: rulings come later.
    held: how long only its border is looked at of a card that was read surely at rest, but not open. Shorter: looks are
        wasted on cards that fingers still hold, which slow computers have no time for; longer: what else happens to the
        pile meanwhile, where the card itself does not move, is seen later.
    still: how long it must lie where it lies. Shorter: cards are taken that still slide; longer: rulings come later.
    agree: looks in a row that must see it there; the count is capped there, and a look that does not see it sets it
        back to nothing. Fewer: one flicker is believed; more: rulings come later.
    moved: how far corners may seem to move between looks, card heights. Lower: noise is movement; higher: cards are
        taken that still slide.
    apart: how far the colour of the border may be from its usual one, shares of the brightest line around the card.
        Lower: glare and worn edges make cards wait; higher: fingers in dim light look like the border.
    broken: share of the border that may be of another colour. Higher: the tip of a finger is overlooked.
    calm: share of the pile's middle that must not move for it to be looked at. Lower: looks are wasted on hands in
        motion; higher: looks come later.
    changed: share of it that must look other than `news` seconds ago and have moved since a card was last believed so.
        Higher: cards laid nearly on the last one are not looked at; lower: looks are wasted on arms beside the pile.
    middle: how far that middle reaches, card heights.
    exposed: share of the last card that must be seen beside the new one, if so much sticks out, to tell whether it is
        still there. Lower: an exchange is taken for a play; higher: cards wait for the arm to leave.
    gone: share of that part that changes when the last card was taken away.
    new: share of its place that must look other than before. Lower: covered cards, whose borders run into others on a
        pale table, are taken for new ones; higher: cards of the last one's colour wait.
    lay: overlap from which a card of the same face that was laid before may be the one that is seen.
    """

    sure: float = 0.98
    pause: float = 0.03
    held: float = 0.2
    still: float = 0.06
    agree: int = 2
    moved: float = 0.025
    apart: float = 0.15
    broken: float = 0.03
    calm: float = 0.35
    changed: float = 0.1
    news: float = 1.0
    middle: float = 0.5
    exposed: float = 0.06
    gone: float = 0.3
    new: float = 0.3
    lay: float = 0.7


@dataclass(slots=True)
class Glance:
    """Counts looks in a row that see one card at one place: up by one, never above `agree`; a look that does not see it
    sets the count to nothing. Only the last of them must see the card open.
    """

    settings: GlanceSettings = field(default_factory=GlanceSettings)
    reading: Laid | None = None
    """What the last look saw lie open, if anything."""
    _seen: list[tuple[Detection, float, int]] = field(default_factory=list)
    """The sure cards of the last look: since when each is seen where it is, and by how many looks in a row."""
    _cards: Detections = field(default_factory=Detections.empty)
    """All that the last look saw."""
    _looked: float = float("-inf")
    _told: float = float("-inf")

    def reset(self) -> None:
        """What was seen says nothing any more."""
        self.reading, self._seen, self._cards = None, [], Detections.empty()

    def worth(self, motion: Motion, zone: Zone) -> bool:
        """Whether a look is worth its time: the middle of the pile looks other than a moment ago, and does not move."""
        middle = zone.disc(motion.still.shape, motion.scale, self.settings.middle)
        if not middle.any():
            return False
        still, fresh = motion.still[middle], motion.fresh[middle]
        new = (fresh < self.settings.news) & (still < motion.seconds - self._told)
        return float((still > 0).mean()) >= self.settings.calm and float(new.mean()) >= self.settings.changed

    def done(self, now: float) -> None:
        """The card that lies open is believed: until something moves there is nothing to look for."""
        self.reset()
        self._told = now

    def due(self, now: float) -> bool:
        """Whether it is time for the next look."""
        return now - self._looked >= self.settings.pause

    def open_cards(self, motion: Motion, cards: Detections, zone: Zone) -> Look:
        """The pile as it looks where no hand is: a card whose whole border is seen lies over all else."""
        self._count(cards, motion.seconds)
        self._cards = cards
        image, hidden = motion.frame.image, motion.hidden
        free = [i for i, card in enumerate(cards) if self._is_open(image, card)]
        for i in free:
            hidden &= ~_place(cards.quads[i], motion)
        return Look(View(image, hidden), cards.pick(np.array(free, np.intp)), zone)

    def waits(self, motion: Motion, pile: Pile, zone: Zone) -> bool:
        """Whether a look would only tell what the last one did: a new card is at rest, but fingers are over its border.

        Not when it has moved since, or the last look is too long ago.
        """
        held = [card for card in self._cards if self._is_held(card, motion, pile, zone)]
        recent = motion.seconds - self._looked < self.settings.held
        return recent and bool(held) and not any(self._is_open(motion.frame.image, card) for card in held)

    def _is_held(self, card: Detection, motion: Motion, pile: Pile, zone: Zone) -> bool:
        """Whether a card of the last look was on its way to be believed, and has not moved since that look."""
        if card.face is None or card.confidence < self.settings.sure or card.face in pile.names[-1]:
            return False
        if zone.distance(card.quad.mean(axis=0)) > REACH or self._lay_there(card, pile):
            return False
        still = motion.still[_place(card.quad, motion)]
        lain = bool(still.size and np.median(still) >= motion.seconds - self._looked)
        return lain and self._is_steady(card, self._looked)

    def _is_steady(self, card: Detection, now: float) -> bool:
        since, count = self._lies(card)
        return count >= self.settings.agree and now - since >= self.settings.still

    def believes(self, reading: Reading, look: Look, motion: Motion, pile: Pile) -> bool:
        """Whether the card that a look at the `pile` tells of is believed now."""
        # The top's own face may be the top itself, moved: the whole pile must be seen to tell.
        plain = isinstance(reading, Laid) and self._plain(reading) and reading.card not in pile.names[-1]
        self.reading = reading if plain and isinstance(reading, Laid) else None
        if self.reading is None:
            return False
        if not self._is_steady(self.reading.seen, motion.seconds) or self._lay_there(self.reading.seen, pile):
            return False
        assert pile.view is not None
        change = pile.change(look)
        new = change.within(self.reading.seen.quad)[0] >= self.settings.new
        return new and not self._in_its_stead(self.reading, look, motion, pile, change)

    def settled(self, reading: Reading, look: Look, pile: Pile) -> Reading:
        """What a look means once the hand is gone that was near when the top card was believed.

        What changed since then was the hand: where it was, cards below the top come to light. Only what is plainly new,
        or lies open over all others, counts while the top lies where it lay.
        """
        there = self._still_there(look, pile)
        if isinstance(reading, Unclear):
            return there or reading
        if not isinstance(there, Unchanged) or not isinstance(reading, Laid):
            return reading
        below = reading.card in pile.late or self._lay_there(reading.seen, pile)
        known = below and not self._is_open(look.view.picture, reading.seen)
        return there if known or reading.seen.confidence < self.settings.sure else reading

    def _still_there(self, look: Look, pile: Pile) -> Reading | None:
        """Whether the top card lies where it lay, or was moved; None if neither."""
        tops = [seen for seen in look.cards if seen.face in pile.names[-1] and seen.confidence >= self.settings.sure]
        top = max(tops, key=lambda seen: overlap(seen.quad, pile.quads[-1]), default=None)
        if top is None:
            return None
        there = overlap(top.quad, pile.quads[-1])
        if there > pile.settings.untouched:
            return Unchanged()
        return Nudged(top) if there > pile.settings.slid else None

    def _count(self, cards: Detections, now: float) -> None:
        before, self._seen, self._looked = self._seen, [], now
        for card in cards:
            if card.confidence >= self.settings.sure:
                last = next((one for one in before if self._one_place(one[0], card)), (card, now, 0))
                self._seen.append((last[0], last[1], min(self.settings.agree, last[2] + 1)))

    def _lies(self, card: Detection) -> tuple[float, int]:
        return next(one[1:] for one in self._seen if self._one_place(one[0], card))

    def _one_place(self, one: Detection, other: Detection) -> bool:
        if one.face != other.face:
            return False
        moves = [np.linalg.norm(np.roll(one.quad, turn, axis=0) - other.quad, axis=1).max() for turn in (0, 2)]
        return bool(min(moves) <= self.settings.moved * other.height)

    def _is_open(self, image: Image, card: Detection) -> bool:
        sure = card.confidence >= self.settings.sure
        return sure and broken(image, card.quad, self.settings.apart) <= self.settings.broken

    def _plain(self, reading: Laid) -> bool:
        """Whether a new card was laid on the others; whatever is more than that waits until the hand is gone."""
        return not reading.again and not reading.late and reading.instead is None

    def _lay_there(self, card: Detection, pile: Pile) -> bool:
        """Whether the card may be one below the top, of which more is seen than before."""
        places = zip(pile.names, pile.quads, strict=True)
        return any(card.face in names and overlap(quad, card.quad) > self.settings.lay for names, quad in places)

    def _in_its_stead(self, reading: Laid, look: Look, motion: Motion, pile: Pile, change: Difference) -> bool:
        """Whether the card may lie in the stead of the last one: that seems gone, or the hand hides where it was."""
        last, quad = pile.quads[-1], reading.seen.quad
        gone, beside = change.within(last, quad)
        if beside < self.settings.exposed:
            return gone > self.settings.gone
        rest = _place(last, motion) & ~_place(quad, motion)
        seen = float((~look.view.hidden[rest]).mean()) if rest.any() else 1.0
        return seen * beside < self.settings.exposed or gone > self.settings.gone * seen


def broken(image: Image, quad: Quads, apart: float) -> float:
    """The share of a card's border that is not seen, 0 to 1.

    Around an open card goes an unbroken line of one colour: its border, or what is printed next to that. Corners are
    not known exactly, so that the line is looked for across the edge. `apart`: see the settings.
    """
    lines = _lines(image, quad)
    usual = np.median(lines, axis=1)
    away = largest(np.abs(lines[None] - usual[:, None, None])).min(axis=1)
    return float((away > apart * usual.max()).mean(axis=1).min())


def _lines(image: Image, quad: Quads) -> Floats:
    """The colours (lines, places, 3) around a card, at several distances from its edge."""
    width, height = UPRIGHT
    margin = -OUTER * height
    wide = (rectangle(width + 2 * margin, height + 2 * margin) - margin).astype(np.float32)
    onto = np.asarray(cv2.getPerspectiveTransform(rectangle(width, height), np.asarray(quad, np.float32)), np.float64)
    picture, _ = cut(image, carry(wide, onto), (round(width + 2 * margin), round(height + 2 * margin)))
    return np.stack([_line(picture, round(inset * height)) for inset in np.arange(0, INNER - OUTER, STEP)])


def _line(picture: Image, inset: int) -> Floats:
    """The colours (n, 3) along a rectangle `inset` px from the edge of a picture."""
    height, width = picture.shape[:2]
    across, down = slice(ROUNDED[0], width - ROUNDED[0]), slice(ROUNDED[1], height - ROUNDED[1])
    rim = [picture[inset, across], picture[-1 - inset, across], picture[down, inset], picture[down, -1 - inset]]
    return np.concatenate(rim).astype(np.float32)


def _place(quad: Quads, motion: Motion) -> Mask:
    """The places of the small copy that a card covers."""
    filled = np.zeros(motion.still.shape, np.uint8)
    points = np.round(np.asarray(quad) / motion.scale * 16).astype(np.int32)
    cv2.fillConvexPoly(filled, points, 1, cv2.LINE_8, 4)
    return filled.astype(bool)
