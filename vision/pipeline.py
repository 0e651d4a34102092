"""Pixels to plays: frames in, changes of the table out.

`watch` is the whole of it for a source that is read to its end. `TableWatch` is the same one frame at a time, for those
who want to look inside (zones, the last cards seen) or put a zone elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np

from referee.cards import Card
from vision.acquaintance import AcquaintanceSettings
from vision.arrival import Newcomer, at_rest, laid_since, something_lies
from vision.changes import CardLaid, CardsDrawn, CardsShown, CardTaken, PileReshuffled, TableChange, ViewBack, ViewLost
from vision.compare import RADIUS, View
from vision.detections import Detections, Quads, likeliest
from vision.evening import Evening
from vision.frames import Frame, Glimpse
from vision.glance import Glance, GlanceSettings
from vision.hands import DrawSettings, DrawWatch
from vision.knocks import shift
from vision.marks import MarkSettings, MarkWatch
from vision.motion import Hand, Motion, MotionSettings, MotionWatch
from vision.observation import Disturbance, PileGate, Steadiness, StillSettings
from vision.play_settings import PlaySettings
from vision.plays import Pile
from vision.readings import Bared, Knocked, Laid, Look, Nudged, Reading, TakenBack, Unchanged, Unclear, told
from vision.second import SecondLooks, SecondSettings
from vision.sight import Sight, strange_backs
from vision.spread import SpreadSettings, SpreadWatch
from vision.stock import StockSettings, StockWatch, shows_face
from vision.survey import survey
from vision.zones import SURE_ALONE, PileName, Zone, Zones


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """All that can be set about watching.

    search: seconds between looks at the whole table while a pile is unknown and something moves.
    glimpse: the same once something new lies there, though hands are still about.
    idle: the same while nothing does.
    again: seconds between looks at a card that could not be read, while it lies on top.
    """

    motion: MotionSettings = field(default_factory=MotionSettings)
    still: StillSettings = field(default_factory=StillSettings)
    glance: GlanceSettings = field(default_factory=GlanceSettings)
    draw: DrawSettings = field(default_factory=DrawSettings)
    stock: StockSettings = field(default_factory=StockSettings)
    plays: PlaySettings = field(default_factory=PlaySettings)
    spread: SpreadSettings = field(default_factory=SpreadSettings)
    marks: MarkSettings = field(default_factory=MarkSettings)
    second: SecondSettings = field(default_factory=SecondSettings)
    deck: AcquaintanceSettings = field(default_factory=AcquaintanceSettings)
    zones: Zones = field(default_factory=Zones)
    search: float = 0.4
    glimpse: float = 0.05
    idle: float = 3.0
    again: float = 1.0


STANDARD: Final = WatchSettings()
CLEARED, SQUARED = 0.9, 0.4
"""Confidence that the pile was taken away when its top alone is left: where it lay, and where it was moved."""
LEAP: Final = 0.04
"""Seconds that pass, as far as anybody can tell, between two frames where the clock goes back."""


def watch(frames: Iterable[Glimpse], sight: Sight, settings: WatchSettings = STANDARD) -> Iterator[TableChange]:
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
        self.hands: tuple[Hand, ...] = ()
        """The hands over the table in the last frame."""
        self.why = "looking for the piles"
        """What is being done, or was decided last, and why: for people who look for a fault."""
        self._motion = MotionWatch(settings.motion)
        self._draws = DrawWatch(settings.draw)
        self._stock = StockWatch(settings.stock, partial(shows_face, sight))
        self._spread = SpreadWatch(settings.spread)
        self._newcomer = Newcomer()
        self._gate = PileGate(settings.still)
        self._steady = Steadiness(settings.still.agree, settings.still.cap, settings.still.unsure)
        self._glance = Glance(settings.glance)
        self._hasty = False
        """Whether the pile is remembered with a hand near, as the top card was believed then."""
        self._pile = Pile(settings.plays)
        self._second = SecondLooks(settings.second)
        self._evening = Evening(sight, settings.deck)
        self._marks = MarkWatch(settings.marks)
        self._searched = self._looked = float("-inf")
        self._shaken = False
        """Whether everything moved at once since the pile was last read."""
        self._now = float("-inf")
        self._behind = 0.0
        """Seconds by which the clock of the pictures has gone back."""
        self._size: tuple[int, ...] | None = None
        self._unproven = False
        """Whether nobody was seen to lay a card on what is taken for the pile: it may be a pattern of the table."""
        self._about = Detections.empty()
        """What lay on the table before anybody came."""
        self._corrections: deque[tuple[Card, Card]] = deque()
        self._moves: deque[tuple[PileName, Zone | None]] = deque()
        self._doubt: tuple[float, Look] | None = None
        """Since when looks did not settle anything, and the last of them."""

    def corrected(self, was: Card, now: Card) -> None:
        """Somebody put right what was read as `was`; may be called from any thread."""
        self._corrections.append((was, now))

    def move(self, pile: PileName, zone: Zone | None) -> None:
        """Somebody put a pile elsewhere, or (None) leaves it to the camera; may be called from any thread."""
        self._moves.append((pile, zone))

    def step(self, glimpse: Glimpse) -> list[TableChange]:
        """Takes in the next frame; the changes that are certain with it."""
        while self._corrections:
            self._pile.corrected(*self._corrections.popleft())
        while self._moves:
            self._moved(*self._moves.popleft(), glimpse.seconds)
        if isinstance(glimpse, (ViewLost, ViewBack)):
            return [glimpse]
        glimpse = self._in_time(glimpse)
        self._resized(glimpse)
        motion = self._motion.see(glimpse)
        self._shaken |= motion.shaken
        self.hands = motion.hands
        changes: list[TableChange] = [*self._marks.follow(motion), *self._drawn(motion)]
        if self.zones.discard is None or self.zones.draw is None:
            self._search(motion)
        if self.zones.discard is not None:
            changes += self._watch_pile(motion, self.zones.discard)
        shown = self._spread.follow(motion, self.zones, self._sight)
        named = [self._evening.shown(one, self._spread.lying, motion.frame.image) for one in shown]
        return changes + self._shown(named)

    def _shown(self, shown: list[CardsShown]) -> list[TableChange]:
        """Cards laid open; one that a hand lays where no pile was shows that what was taken for the pile is none."""
        first = next((one for one in shown if len(one.cards) == 1 and one.hand is not None and one.cards[0]), None)
        if not self._unproven or first is None:
            return list(shown)
        gone = [CardTaken(card, 0.9, first.seconds, first.since, first.hand) for card in self._pile.cards[-1:]]
        self._unproven = False
        self.zones = self.zones.put(self._spread.lying[0])
        self._pile = Pile(self._settings.plays)
        self._gate.disturbance = Disturbance(first.since, first.hand)
        self._doubt = None
        self._steady.reset()
        self.why = "a card was laid elsewhere: the pile is there"
        return list(gone)

    def _moved(self, pile: PileName, zone: Zone | None, now: float) -> None:
        """What was known of the place of the discard pile no longer holds; its cards are still the same."""
        self.zones = self.zones.moved(pile, zone)
        if pile == "discard":
            self._pile.forget_place()
            self._gate.disturbance = self._gate.disturbance or Disturbance(now)
            self._doubt = None
            self._steady.reset()

    def _in_time(self, frame: Frame) -> Frame:
        """The frame with a time after that of the one before: a clock that goes back goes on from there."""
        if frame.seconds + self._behind < self._now:
            self._behind = self._now + LEAP - frame.seconds
        self._now = frame.seconds + self._behind
        return frame if not self._behind else replace(frame, seconds=self._now)

    def _resized(self, frame: Frame) -> None:
        """A camera that sends another size in the middle of a game: the piles lie where they lay."""
        size, self._size = self._size, frame.image.shape[:2]
        if size is None or size == self._size:
            return
        down, right = self._size[0] / size[0], self._size[1] / size[1]
        self.zones = self.zones.shifted(lambda x, y: (x * right, y * down), down)
        self._pile.forget_place()
        self._pile.quads = [np.asarray(quad * [right, down], np.float32) for quad in self._pile.quads]
        self._gate.disturb(frame.seconds)

    def _drawn(self, motion: Motion) -> list[CardsDrawn]:
        return self._stock.follow(motion, self.zones.draw, self._draws.follow(motion, self.zones), self.zones.discard)

    def _search(self, motion: Motion) -> None:
        """Looks at the whole table for piles not yet found: while nothing moves, or once a card lies open there."""
        if self.zones.discard is None:
            self._newcomer.take_in(motion)
        calm = not motion.hands and np.percentile(motion.still, 3) >= self._settings.still.settle
        known, came = self.zones.discard, self._newcomer.came
        passed = motion.seconds - self._searched
        moved = bool(motion.still.min() < passed)
        due = calm and passed >= (self._settings.search if moved else self._settings.idle)
        lies = known is None and came is not None and passed >= self._settings.glimpse and something_lies(motion)
        if not due and not lies:
            return
        self._searched = motion.seconds
        self.cards = self._marks.without(survey(self._sight, motion.frame.image))
        if came is None:
            self.zones = self.zones.found_in(self.cards, SURE_ALONE)
            self._about = self.cards
        else:
            laid = laid_since(came.since, motion, self.cards, self._about)
            self.zones = self.zones.found_in(laid if calm else at_rest(laid, motion, self._settings.glance))
        if known is None:
            self._unproven = came is None
            self._gate.disturbance = came or self._gate.disturbance
        if self.zones.draw is None and self.zones.discard is not None:
            self.zones = self.zones.with_strange(strange_backs(self._sight, motion.frame.image, self.cards))

    def _watch_pile(self, motion: Motion, zone: Zone) -> list[TableChange]:
        self._gate.take_in(motion, zone)
        if self._gate.busy or self._marks.covers(zone):
            changes = self._interrupted(motion.seconds)
            self._gate.disturb(motion.seconds)
            self.why = "a hand over the pile" if motion.hands else "the pile moves"
            return changes or self._glanced(motion, zone)
        if self._glance.reading is not None:
            self._steady.add(self._glance.reading)
        self._glance.reset()
        if self._gate.ready(motion.seconds) or self._once_more(motion):
            zone = self._after_a_knock(motion, zone)
            return self._read(self._look(motion, zone), motion.seconds)
        if self._gate.disturbance is None and not motion.hands:
            self._pile.refresh(View(motion.frame.image, motion.hidden))
            self._hasty = False
            return self._second_look(motion, zone)
        return []

    def _glanced(self, motion: Motion, zone: Zone) -> list[TableChange]:
        """A look in spite of the hand: a card that lies open need not wait for it to be gone."""
        known = self._pile.view is not None and self._pile.cards and not self._shaken
        if not known or self._marks.covers(zone) or not self._glance.worth(motion, zone):
            self._glance.reset()
            return []
        if not self._glance.due(motion.seconds) or self._glance.waits(motion, self._pile, zone):
            return []
        look = self._glance.open_cards(motion, self._seen(motion, zone), zone)
        reading = self._pile.read(look) if len(look.cards) else Unclear()
        if not self._glance.believes(reading, look, motion, self._pile):
            return []
        self._glance.done(motion.seconds)
        self.why = f"{told(reading)}: it lies open, believed"
        changes = self._believe(reading, look, motion.seconds)
        self._hasty = True
        return changes

    def _second_look(self, motion: Motion, zone: Zone) -> list[TableChange]:
        """Looks once more at the card on top while it lies there and nobody does anything."""
        if not self._second.is_due(motion.seconds) or not self._pile.quads or self._pile.unread is not None:
            return []
        top = self._pile.quads[-1]
        found = self._second.add(self._look(motion, zone).cards, top, motion.seconds)
        return [] if found is None else [*self._evening.again(found, motion.frame.image, top)]

    def _after_a_knock(self, motion: Motion, zone: Zone) -> Zone:
        """The discard pile where it is seen now; when everything shook, all that is known is moved along."""
        view = self._pile.view
        if not self._shaken or view is None or view.picture.shape != motion.frame.image.shape:
            return zone
        self._shaken = False
        moved = shift(view.picture, motion.frame.image)
        if moved is None or moved.is_nothing(motion.frame.image.shape):
            return zone
        self._pile.shifted(moved)
        self.zones = self.zones.shifted(moved.point, moved.scale)
        self.why = "the camera was moved: all piles with it"
        return self.zones.discard or zone

    def _once_more(self, motion: Motion) -> bool:
        """Whether it is time to look again at a card that could not be read."""
        passed = motion.seconds - self._looked
        return self._pile.unread is not None and not motion.hands and passed >= self._settings.again

    def _look(self, motion: Motion, zone: Zone) -> Look:
        """Reads the pile while no hand is near."""
        self._looked = motion.seconds
        view = View(motion.frame.image, motion.hidden)
        return Look(view, self._seen(motion, zone, self._pile.looks_new(view, zone)), zone)

    def _seen(self, motion: Motion, zone: Zone, place: Quads | None = None) -> Detections:
        """The cards in the surroundings of the pile only: they fill the model's picture."""
        rows, columns = zone.window(motion.frame.image.shape, RADIUS)
        shift = np.array([columns.start, rows.start], np.float32)
        near = None if place is None else (place - shift)[None]
        seen = self._sight.see(motion.frame.image[rows, columns], near=near)
        self.cards = self._marks.without(seen.moved(shift))
        return self.cards

    def _read(self, look: Look, now: float) -> list[TableChange]:
        """Takes in one look; what follows once looks agree, or have disagreed for long enough."""
        reading = self._pile.read(look)
        if self._hasty:
            reading = self._glance.settled(reading, look, self._pile)
        if self._gate.says_nothing(reading):
            return []
        agreed = self._steady.add(reading) or self._gate.says_all(reading)
        self.why = f"{told(reading)}: {self._steady.count} looks agree" + (", believed" if agreed else "")
        since = self._doubt[0] if self._doubt else now
        self._doubt = (since, look)
        if agreed and not isinstance(reading, Unclear):
            return self._believe(reading, look, now)
        likeliest = self._steady.likeliest()
        if isinstance(likeliest, Laid) and now - since >= self._settings.still.doubt:
            self.why = f"{told(likeliest)}: the likeliest after looks that disagreed"
            return self._believe(likeliest, look, now)
        return self._unreadable(look, now) if now - since >= self._settings.still.patience else []

    def _interrupted(self, now: float) -> list[TableChange]:
        """The next hand comes before looks have settled what the last one did: the likeliest is taken, not lost."""
        doubt, likeliest = self._doubt, self._steady.likeliest()
        if doubt is None or not isinstance(likeliest, (Laid, TakenBack, Nudged, Bared)):
            self._doubt = None
            self._steady.reset()
            return []
        self.why = f"{told(likeliest)}: the next hand comes before looks agreed"
        return self._believe(likeliest, doubt[1], now)

    def _believe(self, reading: Reading, look: Look, now: float) -> list[TableChange]:
        """Takes a reading for true; what follows from it."""
        if isinstance(reading, Knocked):
            self.zones = self.zones.lost()
            self._pile.forget_place()
            return []
        self._pile.accept(reading, look)
        self._hasty = False
        happened = self._gate.disturbance
        if (
            isinstance(reading, Laid)
            and len(self._pile.cards) > 1
            and happened is not None
            and happened.hand is not None
        ):
            self._unproven = False
        if isinstance(reading, (Laid, TakenBack, Nudged, Bared)):
            self.zones = self.zones.follow(reading.seen)
        return self._told(reading, look, now)

    def _unreadable(self, look: Look, now: float) -> list[TableChange]:
        """A card was laid that nobody can read; or, when none was ever read, this is not the pile.

        Without a hand nothing was laid: a shadow, a lamp.
        """
        if not self._pile.cards:
            self.zones = self.zones.lost()
        elif self._gate.disturbance is None or self._gate.disturbance.hand is None:
            return self._believe(Unchanged(), look, now)
        self._pile.accept_unread(look)
        return self._told(None, look, now) if self._pile.cards else []

    def _told(self, reading: Reading | None, look: Look, now: float) -> list[TableChange]:
        """A reading in the words that leave this room; the pile is done with. None: a card that cannot be read."""
        happened = self._gate.disturbance or Disturbance(now)
        shares = self._steady.shares(reading) if isinstance(reading, Laid) else None
        self._gate.done()
        self._doubt = None
        self._steady.reset()
        if not isinstance(reading, (Unchanged, Nudged)):
            self._second.forget()
        match reading:
            case None:
                return [CardLaid(None, 0.0, now, happened.since, hand=happened.hand)]
            case Laid(card=card, seen=seen, again=again, late=late):
                sure, since, hand = seen.confidence, happened.since, happened.hand
                assert shares is not None
                laid = CardLaid(card, sure, now, since, seen.quad, hand, likeliest(shares), again, late)
                self._second.begin(laid)
                gone, told = reading.instead, self._evening.laid(laid, shares, look.view.picture)
                self._pile.corrected(card, told[0].card or card)
                return [*told] if gone is None else [CardTaken(gone, sure, now, since, hand), *told]
            case TakenBack(card=card, seen=seen):
                return [CardTaken(card, seen.confidence, now, happened.since, happened.hand)]
            case Bared(moved=moved):
                return [PileReshuffled(now, happened.since, SQUARED if moved else CLEARED, happened.hand)]
        return []
