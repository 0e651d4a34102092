"""From one still pile to the next: was a card laid, taken back, nudged, or nothing at all?

`Pile` knows the cards as they were believed, the top one last, and the picture of that moment. `Pile.read` says what a
new look means against it and changes nothing; `Pile.accept` believes it. What changed in the picture decides *where*
the new card is, the reading decides *which* it is: a covered card that the finder still sees is never taken for a new
one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from referee.cards import FACES, Card
from vision.compare import ASPECT, CARD, RIM, Difference, View
from vision.detections import Detection, Quads
from vision.ground import Ground
from vision.knocks import Shift
from vision.overlaps import overlap
from vision.play_settings import PlaySettings
from vision.readings import Bared, Knocked, Laid, Look, Nudged, Reading, TakenBack, Unchanged, Unclear
from vision.zones import APART, Zone

DEPTH, LATE = 48, 16
"""How many cards of the pile are remembered, where they go on sticking out; and how many may be moved or bared."""


@dataclass(slots=True)
class Pile:
    """The discard pile as it was last believed; `quads` and `cards` bottom to top, at most `DEPTH`.

    `names` are the faces that each card may be read as: its own, those that it was nearly taken for, and those that it
    was taken for before somebody put that right. A card that lies as it lay is the same card under any of its names.

    `view` is what it looks like, `under` what it looked like before the top card came.
    """

    settings: PlaySettings = field(default_factory=PlaySettings)
    cards: list[Card] = field(default_factory=list)
    quads: list[Quads] = field(default_factory=list)
    names: list[frozenset[Card]] = field(default_factory=list)
    view: View | None = None
    under: View | None = None
    unread: View | None = None
    """What it looked like before a card came that could not be read, while that lies on top."""
    ground: Ground | None = None
    _change: tuple[View, Look, Difference] | None = None
    """The last change that was looked at, between which views."""

    @property
    def late(self) -> frozenset[Card]:
        """The faces of the last cards, under all their names."""
        return frozenset().union(*self.names[-LATE:])

    def read(self, look: Look) -> Reading:
        """What a look means against what is believed."""
        reading = self._read(look)
        return (self._named_late(look) or reading) if isinstance(reading, Unchanged) else reading

    def change(self, look: Look) -> Difference:
        """What changed since the pile was last believed; made once for each look. There must be a view of it."""
        assert self.view is not None
        if self._change is None or self._change[0] is not self.view or self._change[1] is not look:
            self._change = self.view, look, Difference(self.view, look.view, look.zone)
        return self._change[2]

    def _read(self, look: Look) -> Reading:
        faces = _faces_of(look)
        if self.view is None or not self.cards or self.view.picture.shape != look.view.picture.shape:
            return self._first(faces)
        change = self.change(look)
        if change.elsewhere > self.settings.knocked:
            return Knocked()
        if change.amount < self.settings.nothing:
            return Unchanged()
        if self.under is not None and len(self.cards) > 1 and self._restored(self.under, look):
            return self._taken_back(faces, change) or Unclear()
        if (bared := self._bared(change, faces, look)) is not None:
            return bared
        newcomers = [seen for seen in faces if not self._known(change, seen)]
        if (moved := self._straightened(change, newcomers, look)) is not None:
            return moved
        if (newest := self._newest(change, newcomers, faces, look)) is not None:
            return self._exchanged(change, newest, look)
        if (plain := self._plain(change, newcomers)) is not None:
            return plain
        if (dragged := self._dragged(change, newcomers, faces, look)) is not None:
            return dragged
        gone = change.explained(self.quads[-1]) >= self.settings.explained
        return (self._taken_back(faces, change) if gone else None) or self._still_there(change, faces)

    def accept(self, reading: Reading, look: Look) -> None:
        """Believes a reading; the next ones are held against it."""
        before, self.view = self.view, look.view
        if isinstance(reading, (Laid, TakenBack)):
            before, self.unread = self.unread or before, None
        match reading:
            case Laid(card=card, seen=seen):
                if not self.cards:
                    self.ground = Ground(look.view, seen.quad)
                if reading.instead is not None:
                    before = self.under
                    del self.cards[-1], self.quads[-1], self.names[-1]
                self.under = before
                self.cards, self.quads = [*self.cards, card][-DEPTH:], [*self.quads, seen.quad][-DEPTH:]
                self.names = [*self.names, self._names_of(card, seen)][-DEPTH:]
            case Nudged(seen=seen, others=others):
                self.quads[-1] = seen.quad
                self._follow(others)
            case Bared(seen=seen, moved=moved):
                self.under = None
                below = len(self.cards) - 1 if moved else 0
                self.cards, self.names = self.cards[-1 - below :], self.names[-1 - below :]
                self.quads = [seen.quad] * (below + 1)
            case TakenBack():
                self.under = None
                del self.cards[-1], self.quads[-1], self.names[-1]

    def _follow(self, moved: tuple[Detection, ...]) -> None:
        """Cards below the top lie where they are seen now."""
        places = list(range(len(self.cards) - 2, -1, -1))
        for seen in moved:
            place = next((place for place in places if seen.face in self.names[place]), None)
            if place is not None:
                self.quads[place] = seen.quad
                places.remove(place)

    def accept_unread(self, look: Look) -> None:
        """A card lies on top that nobody can read now."""
        self.unread = self.unread or self.view
        self.view = look.view

    def corrected(self, was: Card, now: Card) -> None:
        """Somebody says that the newest card read as `was` is `now`: whatever it looks like, it stays that card."""
        for place in range(len(self.cards) - 1, -1, -1):
            if self.cards[place] == was:
                self.cards[place] = now
                self.names[place] |= {was, now}
                return

    def looks_new(self, view: View, zone: Zone) -> Quads | None:
        """Roughly where a new card lies, (4, 2) px, when the picture alone tells; None when it does not."""
        if self.view is None or self.view.picture.shape != view.picture.shape:
            return None
        return Difference(self.view, view, zone).card()

    def refresh(self, view: View) -> None:
        """The pile is undisturbed: this is what it looks like in the light of now."""
        if self.view is not None:
            self.view = view

    def shifted(self, shift: Shift) -> None:
        """The camera moved by a known amount: all that is believed is where it is seen now."""
        self.quads = [shift.quads(quad) for quad in self.quads]
        self.ground = None if self.ground is None else self.ground.shifted(shift)
        self.view, self.under, self.unread = (
            None if view is None else shift.view(view) for view in (self.view, self.under, self.unread)
        )

    def forget_place(self) -> None:
        """The camera moved: the cards are still the same, what they looked like is not."""
        self.view = self.under = self.unread = None
        self.ground = None

    def _first(self, faces: list[Detection]) -> Reading:
        """The first look, or the first after the camera moved: the surest face is the top."""
        best = max(faces, key=lambda seen: seen.confidence * seen.score, default=None)
        if best is None:
            return Unclear()
        assert isinstance(best.face, Card)
        if self.cards and best.face in self.names[-1]:
            return Nudged(best)
        return Laid(best.face, best)

    def _lies_under(self, seen: Detection, faces: list[Detection]) -> bool:
        """Whether the top, untouched and seen more plainly, lies over a card: a shadow passed, no card came."""
        return any(
            self._lies(top, -1, self.settings.untouched)
            and top.score - seen.score > self.settings.above
            and overlap(top.quad, seen.quad) > 0
            for top in faces
        )

    def _newest(
        self, change: Difference, newcomers: list[Detection], faces: list[Detection], look: Look
    ) -> Reading | None:
        """The card that explains the change best, if it explains enough."""

        place = change.card()

        def weight(seen: Detection) -> float:
            fits = 0.0 if place is None else overlap(seen.quad, place)
            return change.explained(seen.quad) + 0.3 * change.within(seen.quad)[0] + fits + 0.2 * seen.confidence

        best = max((seen for seen in newcomers if not self._lies_under(seen, faces)), key=weight, default=None)
        if best is None or change.explained(best.quad) < self.settings.explained:
            return None
        assert isinstance(best.face, Card)
        return self._repeated(change, best, look) if best.face in self.names[-1] else Laid(best.face, best)

    def _plain(self, change: Difference, newcomers: list[Detection]) -> Laid | None:
        """A card of no known face that lies there for all to see, and is new there, though much else changed."""
        sure = [seen for seen in newcomers if seen.confidence >= self.settings.plain and seen.face not in self.late]
        best = max(sure, key=lambda seen: seen.score, default=None)
        if best is None or best.score < self.settings.whole:
            return None
        there = max(overlap(best.quad, quad) for quad in self.quads) > 0
        new = change.within(best.quad)[0] >= self.settings.replaced
        return Laid(best.face, best) if there and new and isinstance(best.face, Card) else None

    def _bared(self, change: Difference, faces: list[Detection], look: Look) -> Bared | None:
        """The top lies alone, and where others stuck out under it the table shows."""
        if self.ground is None or len(self.cards) < 3:
            return None
        tops = [seen for seen in faces if seen.face in self.names[-1]]
        top = max(tops, key=lambda seen: overlap(seen.quad, self.quads[-1]), default=None)
        if top is None or any(overlap(seen.quad, top.quad) < self.settings.slid for seen in faces):
            return None
        there = overlap(top.quad, self.quads[-1])
        stuck_out = np.logical_or.reduce([change.inside(quad, 1 - RIM) for quad in self.quads[-LATE:-1]])
        stuck_out &= ~change.inside(top.quad, 1 + RIM)
        shown, known = self.ground.shown(look, stuck_out)
        told = min(known, float((stuck_out & change.mask).sum())) >= self.settings.lone * CARD * CARD * ASPECT
        if there <= self.settings.slid or shown < self.settings.bare or not told:
            return None
        return Bared(top, moved=there <= self.settings.untouched)

    def _straightened(self, change: Difference, newcomers: list[Detection], look: Look) -> Nudged | None:
        """The pile was straightened or squared up: all that is new somewhere is known, the top among it, and moved."""
        if len(newcomers) < 2 or any(seen.face not in self.late for seen in newcomers):
            return None
        tops = [seen for seen in newcomers if seen.face in self.names[-1]]
        top = max(tops, key=lambda seen: change.explained(seen.quad), default=None)
        if top is None or max(seen.score for seen in newcomers) - top.score > self.settings.above:
            return None  # another lies over it
        if any(self._left(change, seen, newcomers) for seen in newcomers if seen.face not in self.names[-1]):
            return None
        if not isinstance(self._repeated(change, top, look), Nudged):
            return None
        return Nudged(top, tuple(seen for seen in newcomers if seen is not top))

    def _left(self, change: Difference, seen: Detection, newcomers: list[Detection]) -> bool:
        """Whether every card below the top that has a face still shows where it lay: one elsewhere is another."""
        over = [self.quads[-1], *(card.quad for card in newcomers)]
        named = zip(self.quads[-LATE:-1], self.names[-LATE:-1], strict=True)
        lay = [quad for quad, names in named if seen.face in names]
        shown = [change.within(quad, *over) for quad in lay]
        left = all(looked >= self.settings.sliver and moved < self.settings.shifted for moved, looked in shown)
        return left and all(overlap(seen.quad, quad) < self.settings.elsewhere for quad in lay)

    def _dragged(
        self, change: Difference, newcomers: list[Detection], faces: list[Detection], look: Look
    ) -> Nudged | None:
        """The top card lies far from where it lay, and that explains all: not even the card below lies over it."""
        tops = [seen for seen in newcomers if seen.face in self.names[-1] and seen.confidence >= self.settings.plain]
        top = max(tops, key=lambda seen: seen.score, default=None)
        if top is None or any(self._lies(seen, -2) and seen.score > top.score for seen in faces):
            return None
        if overlap(top.quad, self.quads[-1]) == 0 or change.within(top.quad)[0] < self.settings.replaced:
            return None
        explained = change.explained(self.quads[-1], top.quad) >= self.settings.explained
        return Nudged(top) if explained and isinstance(self._repeated(change, top, look), Nudged) else None

    def _exchanged(self, change: Difference, reading: Reading, look: Look) -> Reading:
        """Whether the card laid took the place of the top, which is gone: what stuck out of it shows what lay below."""
        if not isinstance(reading, Laid) or len(self.cards) < 2 or self.under is None:
            return reading
        if self.under.picture.shape != look.view.picture.shape:
            return reading
        gone, looked = change.within(self.quads[-1], reading.seen.quad)
        if looked < self.settings.sliver or gone < self.settings.moved:
            return reading
        before = Difference(self.under, look.view, look.zone)
        if looked < self.settings.exposed and before.beside(reading.seen.quad) >= self.settings.nothing:
            return reading
        other, _ = before.within(self.quads[-1], reading.seen.quad)
        return replace(reading, again=False, instead=self.cards[-1]) if other < self.settings.bared else reading

    def _named_late(self, look: Look) -> Reading | None:
        """The card that could not be read when it was laid, when it can be read now."""
        if self.unread is None or not self.cards or self.unread.picture.shape != look.view.picture.shape:
            return None
        change = Difference(self.unread, look.view, look.zone)
        faces = _faces_of(look)
        newest = self._newest(change, [seen for seen in faces if not self._known(change, seen)], faces, look)
        return replace(newest, again=False, late=True) if isinstance(newest, Laid) else None

    def _still_there(self, change: Difference, faces: list[Detection]) -> Reading:
        """Something changed beside the top card, which lies as it lay, or nearly: a shadow, a pile squared up.

        Unclear when the top is not seen, or when the change looks like a card of its own that nobody read.
        """
        tops = [seen for seen in faces if seen.face in self.names[-1]]
        nearest = max(tops, key=lambda seen: overlap(seen.quad, self.quads[-1]), default=None)
        shape = change.card()
        if nearest is None or (shape is not None and overlap(shape, nearest.quad) < self.settings.same_place):
            return Unclear()
        there = overlap(nearest.quad, self.quads[-1])
        if there > self.settings.untouched:
            return Unchanged()
        return Nudged(nearest) if there > self.settings.slid else Unclear()

    def _repeated(self, change: Difference, seen: Detection, look: Look) -> Reading:
        """The top's own face again: an identical card, or itself, nudged? What sticks out of the old one tells."""
        assert isinstance(seen.face, Card)
        changed, looked = change.within(self.quads[-1], seen.quad)
        if looked < self.settings.uncovered:
            return Laid(seen.face, seen, again=True)
        if changed > self.settings.moved or 2 * self._unlike_below(look, seen.quad) < changed > self.settings.shifted:
            return Nudged(seen)
        return Laid(seen.face, seen, again=changed > self.settings.perhaps_moved)

    def _unlike_below(self, look: Look, quad: Quads) -> float:
        """The share of the top's place outside of `quad` that looks other than before the top came; 1 if unknown."""
        if self.under is None or self.under.picture.shape != look.view.picture.shape:
            return 1.0
        return Difference(self.under, look.view, look.zone).within(self.quads[-1], quad)[0]

    def _restored(self, under: View, look: Look) -> bool:
        """Whether the pile looks as it did before the top card came."""
        if under.picture.shape != look.view.picture.shape:
            return False
        return Difference(under, look.view, look.zone).amount < self.settings.restored

    def _taken_back(self, faces: list[Detection], change: Difference) -> Reading | None:
        """The card below shows again, where it lay, and the top one is gone.

        When both have one face and nothing sticks out under them, a pile squared up looks the same, and is likelier.
        """
        if len(self.cards) < 2 or any(self._lies(seen, -1) for seen in faces):
            return None
        below = next((seen for seen in faces if self._lies(seen, -2)), None)
        if below is not None and below.face in self.names[-1] and not self._sticks_out(change):
            return Nudged(below)
        return TakenBack(self.cards[-1], below) if below is not None else None

    def _sticks_out(self, change: Difference) -> bool:
        """Whether more than a rim of the pile shows beside the card under the top."""
        if len(self.quads) < 3:
            return False
        places = np.logical_or.reduce([change.inside(quad, 1 - RIM) for quad in self.quads[-LATE:-2]])
        places &= ~change.inside(self.quads[-2], 1 + RIM)
        return float(places.sum()) >= self.settings.lone * CARD * CARD * ASPECT

    def _known(self, change: Difference, seen: Detection) -> bool:
        """Whether a card is the top where it lay, or one below it: not a new one."""
        return self._lies(seen, -1, self.settings.untouched) or self._known_below(change, seen)

    def _known_below(self, change: Difference, seen: Detection) -> bool:
        """Whether a card is one that the pile held under its top already, and not another like it on top of all."""
        if not any(self._lies(seen, -depth) for depth in range(2, len(self.cards) + 1)):
            return False
        if change.explained(seen.quad) < self.settings.renewed:
            return True
        top_changed, looked = change.within(self.quads[-1], seen.quad)
        return self._lies(seen, -2) and (looked < self.settings.uncovered or top_changed > self.settings.moved)

    def _lies(self, seen: Detection, index: int, place: float | None = None) -> bool:
        """Whether a card seen is the pile's card of that index, where it was (overlapping by more than `place`)."""
        same = seen.face in self.names[index]
        return same and overlap(seen.quad, self.quads[index]) > (place or self.settings.same_place)

    def _names_of(self, card: Card, seen: Detection) -> frozenset[Card]:
        return frozenset({card, *(FACES[at] for at in np.flatnonzero(seen.shares() >= self.settings.alias))})


def _faces_of(look: Look) -> list[Detection]:
    """The faces that a look shows on the pile."""
    return [card for card in look.cards if isinstance(card.face, Card) and look.zone.distance(card.centre) < APART]
