"""Pixels to plays: frames in, changes of the table out.

`watch` is the whole of it for a source that is read to its end. `TableWatch` is the same one frame at a time, for those
who want to look inside (zones, the last cards seen) or put a zone elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.changes import CardLaid, CardTaken, TableChange, ViewBack, ViewLost
from vision.compare import RADIUS, View
from vision.detections import BACK, Detection, Detections
from vision.frames import Glimpse
from vision.hands import DrawSettings, DrawWatch
from vision.motion import Motion, MotionSettings, MotionWatch
from vision.observation import PileGate, Steadiness, StillSettings
from vision.plays import Knocked, Laid, Look, Pile, PlaySettings, Reading, TakenBack, Unchanged, Unclear
from vision.sight import Sight
from vision.zones import SURE, SURE_ALONE, Zone, Zones


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """All that can be set about watching. search: seconds between looks at the whole table while a pile is unknown."""

    motion: MotionSettings = field(default_factory=MotionSettings)
    still: StillSettings = field(default_factory=StillSettings)
    draw: DrawSettings = field(default_factory=DrawSettings)
    plays: PlaySettings = field(default_factory=PlaySettings)
    zones: Zones = field(default_factory=Zones)
    search: float = 0.4


STANDARD: Final = WatchSettings()


def watch(
    frames: Iterable[Glimpse], sight: Sight, settings: WatchSettings = STANDARD
) -> Iterator[TableChange]:
    """What happens on the table that `frames` show, as soon as it is certain."""
    table = TableWatch(sight, settings)
    for glimpse in frames:
        yield from table.step(glimpse)


class TableWatch:
    """Watches one table. `zones` may be set from outside; `cards` are those of the last look, for a preview."""

    def __init__(self, sight: Sight, settings: WatchSettings = STANDARD) -> None:
        self._sight, self._settings = sight, settings
        self.zones = settings.zones
        self.cards = Detections.empty()
        self._motion = MotionWatch(settings.motion)
        self._draws = DrawWatch(settings.draw)
        self._gate = PileGate(settings.still)
        self._steady = Steadiness(settings.still.agree, settings.still.cap, settings.still.unsure)
        self._pile = Pile(settings.plays)
        self._searched = -1.0
        self._unclear_since: float | None = None

    def step(self, glimpse: Glimpse) -> list[TableChange]:
        """Takes in the next frame; the changes that are certain with it."""
        if isinstance(glimpse, (ViewLost, ViewBack)):
            return [glimpse]
        motion = self._motion.see(glimpse)
        changes: list[TableChange] = [*self._draws.follow(motion, self.zones)]
        if self.zones.discard is None:
            self._gate.anyone(motion)
        if self.zones.discard is None or self.zones.draw is None:
            self._search(motion)
        if self.zones.discard is not None:
            changes += self._watch_pile(motion, self.zones.discard)
        return changes

    def _search(self, motion: Motion) -> None:
        """Looks at the whole table, while nothing moves on it, for piles not yet found."""
        calm = not motion.hands and np.percentile(motion.still, 3) >= self._settings.still.settle
        if calm and motion.seconds - self._searched >= self._settings.search:
            self._searched = motion.seconds
            self.cards = self._sight.see(motion.frame.image)
            seen, sure = (self._laid_since(motion), SURE) if self._gate.somebody else (self.cards, SURE_ALONE)
            self.zones = self.zones.found_in(seen, sure)

    def _laid_since(self, motion: Motion) -> Detections:
        """The backs, and those faces that were laid since the last hand came."""
        passed = motion.seconds - self._gate.since + 0.1
        fresh = [card.face == BACK or motion.still_at(card.centre) <= passed for card in self.cards]
        return self.cards.pick(np.array(fresh, bool))

    def _watch_pile(self, motion: Motion, zone: Zone) -> list[TableChange]:
        if not self._gate.step(motion, zone):
            if self._gate.free < 0.05:
                self._steady.reset()
                self._unclear_since = None
            elif not self._gate.disturbed and not motion.hands:
                self._pile.refresh(View(motion.frame.image, motion.hidden))
            return []
        look = self._look(motion, zone)
        reading = self._pile.read(look)
        if not self._steady.add(reading):
            return []
        return self._believe(reading, look, motion.seconds)

    def _look(self, motion: Motion, zone: Zone) -> Look:
        """Reads the surroundings of the pile only: they fill the model's picture."""
        image = motion.frame.image
        rows, columns = zone.window(image.shape, RADIUS)
        seen = self._sight.see(image[rows, columns])
        shift = np.array([columns.start, rows.start], np.float32)
        self.cards = Detections(seen.quads + shift, seen.scores, seen.faces, seen.confidences)
        return Look(View(image, motion.hidden), self.cards, zone)

    def _believe(self, reading: Reading, look: Look, now: float) -> list[TableChange]:
        """The looks agree: what follows from it."""
        if isinstance(reading, Unclear):
            return self._give_up(look, now)
        if isinstance(reading, Knocked):
            self.zones = self.zones.lost()
            self._pile.forget_place()
            return []
        self._pile.accept(reading, look)
        self._gate.done()
        if isinstance(reading, Unchanged):
            return []
        self.zones = self.zones.follow(reading.seen)
        return self._told(reading, now)

    def _give_up(self, look: Look, now: float) -> list[TableChange]:
        """Looks that stay unclear are repeated for a while; then a card was laid that nobody can read."""
        self._unclear_since = now if self._unclear_since is None else self._unclear_since
        if now - self._unclear_since < self._settings.still.patience:
            return []
        self._gate.done()
        if not self._pile.cards:
            self.zones = self.zones.lost()
            return []
        self._pile.accept(Unchanged(), look)
        return [CardLaid(None, 0.0, now, self._gate.since, hand=self._gate.hand)]

    def _told(self, reading: Reading, now: float) -> list[TableChange]:
        since, hand = self._gate.since, self._gate.hand
        match reading:
            case Laid(card=card, seen=Detection(quad=quad, confidence=confidence)):
                return [CardLaid(card, confidence, now, since, quad, hand)]
            case TakenBack(card=card, seen=seen):
                return [CardTaken(card, seen.confidence, now, since, hand)]
        return []
