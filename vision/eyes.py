"""The eyes: finder, aligner and both readers behind one door, from a picture to the cards in it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision import census, rivals
from vision.agreement import agreed
from vision.aligner import Aligner, upright
from vision.confidence import PARTS, Confidence, Part
from vision.decks import Deck
from vision.detections import Detections, Image
from vision.finder import LEAST_SCORE, STRIDE, Finder
from vision.indices import Indices
from vision.light import Light, is_grey
from vision.look import Look
from vision.memory import Memory
from vision.overlaps import overlap, same_place, within
from vision.overlooked import overlooked
from vision.prints import Print, print_of
from vision.pyramid import Pyramid
from vision.reader import Reader

Floats = npt.NDArray[np.float32]

SAME_CARD: Final = 0.55
"""Intersection over union above which two aligned quads are one card; the surer stays."""

REFINED: Final = 0.85
"""Overlap of the last two passes from which the last one counts; where they agree less, it may have gone astray."""

HEARD: Final = 0.4
"""A quad that is a piece of another is no card of its own; unless that other is less than `HEARD` times as sure."""

CROWDED: Final = 0.85
"""Overlap up to which boxes of a hand may be two cards: neighbours of which a fifth shows cover each other so far."""

LEAST_THERE: Final = 0.3
"""Below this probability that a card of ours is there, nothing is reported."""

SURE: Final = 0.5
SMALL: Final = 0.14
"""Cards lower than so much of the picture's longer side call for a closer look."""

CLOSE: Final = 960
"""Pixels on the longer side at a closer look."""

CERTAIN: Final = 0.95
"""A face surer than this, at corners on which two passes agree, is looked at once."""

PLAIN: Final = 0.25
"""Boxes of a lower score are not looked at from other angles."""

ANGLES: Final = (-35.0, 35.0)
"""Degrees by which a box is turned for another try: across a pile the finder's boxes lie between the cards."""

FAINT: Final = 0.02
FARTHER: Final = 224
UNSEEN: Final = np.nextafter(np.float32(LEAST_SCORE), np.float32(0))
"""Where cards may look like none that was taught: the finder's least score, and the pixels on the longer side of a
second, smaller copy that it looks at; the score of what counts only if it is remembered."""


DOUBT: Final = 0.2
"""What the aligner's word that nothing is there counts less, where cards may be like none that was taught."""


WAYS: Final = 3
ANOTHER: Final = 0.93
"""The most corners that a card nobody knows is given, and the overlap below which two of them differ."""


def distinct(detections: Detections, same: float = SAME_CARD) -> Detections:
    """Without the weaker of any two readings that cover the same card, and without pieces; the surest first."""
    return detections.pick(distinct_of(detections, same))


def distinct_of(detections: Detections, same: float = SAME_CARD) -> npt.NDArray[np.intp]:
    """Which of the readings `distinct` keeps, in its order."""
    quads = detections.quads
    kept: list[int] = []
    for index in np.argsort(-detections.confidences, kind="stable"):
        if all(overlap(quads[index], quads[other]) < same for other in kept):
            kept.append(int(index))
    sure = detections.confidences
    whole = [
        index
        for index in kept
        if not any(sure[other] >= HEARD * sure[index] and within(quads[index], quads[other]) for other in kept)
    ]
    return np.array(whole, np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a card lies that nobody may know: the corners it may have, `quads` (1 to `WAYS`, 4, 2) px, the likeliest
    first; the finder's score and the aligner's probability that a card of ours is there."""

    quads: Floats
    score: float
    there: float


def various(quad: Floats, others: Floats) -> Floats:
    """A quad and others (n, 4, 2) about the same card that differ from it and among themselves."""
    quads = [quad]
    for other in others:
        shared = [same_place(other, one) for one in quads]
        if len(quads) < WAYS and shared[0] >= SAME_CARD and max(shared) < ANOTHER:
            quads.append(other)
    return np.stack(quads)


def turned(quad: Floats, degrees: float) -> Floats:
    """A quad turned about its middle, clockwise on the screen."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    middle = quad.mean(axis=0)
    return np.asarray((quad - middle) @ np.array([[c, s], [-s, c]]) + middle, np.float32)


class Eyes:
    """Sees the cards of a picture. One instance serves one thread; loading takes a moment, seeing some milliseconds."""

    def __init__(
        self,
        finder: Finder,
        aligner: Aligner,
        reader: Reader,
        confidence: Confidence | None = None,
        indices: Indices | None = None,
    ) -> None:
        self.finder, self.aligner, self.reader, self.indices = finder, aligner, reader, indices
        self.memory: Memory | None = None
        self.carry(confidence or Confidence.plain())

    def carry(self, confidence: Confidence) -> None:
        """Weighs by `confidence` from now on."""
        self.confidence = confidence
        self.reader.temperatures = confidence.temperatures

    @classmethod
    def load(cls, deck: Deck | None = None) -> Eyes:
        """With the shipped weights, remembering `deck`; raises WeightsError when they are missing or damaged."""
        eyes = cls(Finder.load(), Aligner.load(), Reader.load(), Confidence.load(), Indices.load())
        eyes.remember(deck)
        return eyes

    @classmethod
    def for_table(cls, deck: Deck | None = None) -> Eyes:
        """As `load`, for a camera over one table: the colour of its light is learnt over the evening."""
        eyes = cls.load(deck)
        eyes.reader.light = Light()
        return eyes

    def remember(self, deck: Deck | None) -> None:
        """Knows the cards of `deck` from now on, besides all others; of no deck when None."""
        self.memory = Memory(deck, self.reader) if deck else None

    def see(self, image: Image, side: int | None = None, *, near: Floats | None = None) -> Detections:
        """The cards in a picture (H, W, 3) uint8 BGR, the surest first.

        `side`: pixels on the longer side that the finder looks at; more finds smaller cards and takes longer.
        `near`: rough quads (n, 4, 2) px that are looked at besides what the finder finds.
        """
        return self._see(image, side, near)

    def _see(self, image: Image, side: int | None = None, near: Floats | None = None, ends: int = 2) -> Detections:
        """As `see`; ends: as in `rivals.settled`."""
        seen = self._seen_in(Pyramid(image), side, near, ends)
        seen = seen if self.memory else census.vouched(seen)
        return census.without_colour(seen) if is_grey(image) else seen

    def _seen_in(self, pyramid: Pyramid, side: int | None, near: Floats | None, ends: int) -> Detections:
        remembered, told, index = self.both_ways(pyramid, side, near, ends)
        face, colour, rank = (
            self.confidence.of_both(part, chances, index)
            for part, chances in zip(
                PARTS, (told.confidences, told.colour_confidences, told.rank_confidences), strict=True
            )
        )
        weighed = dataclasses.replace(
            told,
            confidences=face,
            colour_confidences=np.maximum(face, colour),
            rank_confidences=np.maximum(face, rank),
        )
        cards = [*remembered, *(card for card in weighed if card.face is not None)]
        return census.weighed(Detections.of(cards)).surest_first()

    def both_ways(
        self, pyramid: Pyramid, side: int | None = None, near: Floats | None = None, ends: int = 2
    ) -> tuple[Detections, Detections, npt.NDArray[np.bool_]]:
        """The cards that need no corners; the others as the whole of them and their index corners tell together, not
        yet weighed; which of these show an index (n,). ends: as in `rivals.settled`."""
        look = self.look(pyramid, side, near)
        named = self.weigh(look)
        known = np.flatnonzero([face is not None for face in named.faces])
        known = known[distinct_of(named.pick(known))]
        by_corners = (look.readings.remembered[known] < SURE) & (self.indices is not None)
        bare, asked = known[~by_corners], known[by_corners]
        if self.indices is None or not len(asked):
            return census.in_company(named.pick(bare), look.around), Detections.empty(), np.zeros(0, np.bool_)
        chosen, corners = rivals.settled(pyramid, self.indices, self.confidence, named, asked, ends)
        scores = named.scores.copy()
        scores[chosen] = np.maximum(scores[chosen], scores[asked])
        named, asked = dataclasses.replace(named, scores=scores), chosen
        seen = census.in_company(named.pick(np.concatenate([bare, asked])), look.around)
        told = agreed(seen.pick(np.arange(len(bare), len(seen))), corners)
        return seen.pick(np.arange(len(bare))), told, corners.free.max(axis=1) >= SURE

    def see_closely(self, image: Image) -> Detections:
        """As `see`, with a second look at a larger copy where the first saw nothing surely, or small cards.

        Of a hand also the cards that only their corners give away.

        For a picture that is looked at once; it takes up to ten times as long as `see`.
        """
        seen, longer = self._see(image, ends=1), max(image.shape[:2])
        side = min(CLOSE, longer) // STRIDE * STRIDE
        sure = [card for card in seen if card.confidence >= SURE]
        small = [card for card in sure if card.height < SMALL * longer]
        if side >= 1.5 * self.finder.side and (small or not sure):
            closer = [card for card in self._see(image, side, ends=1) if card.height < 2 * SMALL * longer]
            seen = distinct(Detections.of([*seen, *closer]))
        if self.indices is None or self.memory is not None or is_grey(image):
            return seen
        pyramid = Pyramid(image)
        boxes = self.finder.find(pyramid, overlap=CROWDED).quads()
        rough, there = self.aligner.align(pyramid, boxes)
        rough = np.concatenate([boxes, rough[there >= LEAST_THERE]]).astype(np.float32)
        more = overlooked(pyramid, self.indices, seen, rough)
        return census.weighed(Detections.of([*seen, *more])).surest_first()

    def read(self, image: Image, quads: Floats) -> Detections:
        """The faces at known quads (n, 4, 2) px, in their order; None where no card of ours can be made out."""
        ones = np.ones(len(quads), np.float32)
        return self.weigh(self._seen(Pyramid.over(image), quads.astype(np.float32), ones, ones))

    def places(self, image: Image) -> list[Place]:
        """Where cards lie, whatever they show: also cards that were never learnt; the best borne out first."""
        rough, scores = self._faint(pyramid := Pyramid(image))
        tries = np.array([turned(quad, angle) for angle in (0.0, *ANGLES) for quad in rough], np.float32)
        look = self._aligned(pyramid, tries.reshape(-1, 4, 2), np.tile(scores, 1 + len(ANGLES)), 0.0)[0]
        chances = (look.scores * look.settled**4 * (look.there + look.again + DOUBT) / (2 + DOUBT)).astype(np.float32)
        first = distinct_of(Detections(look.quads, look.scores, (None,) * len(chances), chances))
        order = np.argsort(-chances, kind="stable")
        score, there = look.scores.tolist(), look.there.tolist()
        return [Place(various(look.quads[i], look.quads[order]), score[i], there[i]) for i in first]

    def about(self, image: Image, rough: Floats) -> Floats:
        """The corners (1 to `WAYS`, 4, 2) px that a card which certainly lies at a rough quad may have."""
        exact = self.aligner.align(Pyramid(image), rough[None])[0][0]
        quads = np.stack([exact, upright(rough)]).astype(np.float32)
        return various(quads[0], quads) if same_place(exact, rough) >= SAME_CARD else quads[1:]

    def print_of(self, image: Image, quad: Floats) -> Print | None:
        """What the card at a quad (4, 2) px shows, to be compared with others; None where a deck is remembered."""
        return None if self.memory else print_of(self.reader, self.indices, image, quad)

    def look(self, pyramid: Pyramid, side: int | None = None, near: Floats | None = None) -> Look:
        """All places that may be cards, aligned and read; several may be one card."""
        if self.memory is None:
            boxes, floor = self.finder.find(pyramid, side), LEAST_THERE
            rough, scores = boxes.quads(), boxes.scores
        else:
            (rough, scores), floor = self._faint(pyramid, side), 0.0
        if near is not None:
            rough, scores = np.concatenate([rough, near]), np.concatenate([scores, np.ones(len(near), np.float32)])
        first, likely = self._aligned(pyramid, rough, scores, floor)
        doubtful = self._doubtful(first)
        if len(doubtful):
            again = likely[doubtful]
            tried = np.where(first.there[doubtful] >= LEAST_THERE, scores[again], scores[again].clip(0, UNSEEN))
            tries = np.array([turned(quad, angle) for angle in ANGLES for quad in rough[again]], np.float32)
            first = first.and_of(self._aligned(pyramid, tries, np.tile(tried, len(ANGLES)), floor)[0])
        look = first if self.memory is None else self._with_memory(pyramid, rough, scores, first)
        return dataclasses.replace(look, around=rough[scores >= PLAIN])

    def _faint(self, pyramid: Pyramid, side: int | None = None) -> tuple[Floats, Floats]:
        """Rough quads (n, 4, 2) px and their scores, also of what is hardly like a card that was taught.

        What only the smaller copy shows scores less than anything that would be looked at otherwise.
        """
        near, far = (self.finder.find(pyramid, at, FAINT) for at in (side, FARTHER))
        here, there = near.quads(), far.quads()
        new = [i for i, quad in enumerate(there) if not any(same_place(quad, one) >= SAME_CARD for one in here)]
        return np.concatenate([here, there[new]]), np.concatenate([near.scores, far.scores[new].clip(0, UNSEEN)])

    def _boxes(self, pyramid: Pyramid, rough: Floats, scores: Floats) -> Look:
        """What lies at rough quads as they are: the aligner may have moved away from a card that it does not know."""
        quads = np.array([upright(quad) for quad in rough], np.float32).reshape(-1, 4, 2)
        return self._seen(pyramid, quads, scores, self.aligner.confirm(pyramid, quads)[0], exact=False)

    def _with_memory(self, pyramid: Pyramid, rough: Floats, scores: Floats, look: Look) -> Look:
        """With what only the deck that is remembered knows; all else as if none were remembered."""
        plain = (look.there >= LEAST_THERE) & (look.scores >= LEAST_SCORE)
        look = look.pick(np.flatnonzero(plain | (look.readings.remembered >= SURE)))
        sure = look.quads[self._certain(look)]
        free = [i for i, quad in enumerate(rough) if not any(same_place(quad, one) >= SAME_CARD for one in sure)]
        boxes = self._boxes(pyramid, rough[free], scores[free])
        return look.and_of(boxes.pick(np.flatnonzero(boxes.readings.remembered >= SURE)))

    def _aligned(
        self, pyramid: Pyramid, rough: Floats, scores: Floats, floor: float
    ) -> tuple[Look, npt.NDArray[np.intp]]:
        """What lies at rough quads, where a card is likely, and at which of them that is."""
        quads, there = self.aligner.align(pyramid, rough)
        likely = np.flatnonzero(there >= floor)
        seen = self._seen(pyramid, quads[likely].astype(np.float32), scores[likely], there[likely], exact=False)
        return seen, likely

    def _doubtful(self, look: Look) -> npt.NDArray[np.intp]:
        """The places that are worth a look from other angles: unsure ones that are no part of what is certain."""
        certain = self._certain(look)
        known, open_ = look.quads[certain], np.flatnonzero(~certain & (look.scores >= PLAIN))
        free = [i for i in open_ if not any(same_place(look.quads[i], quad) >= SAME_CARD for quad in known)]
        return np.array(free, np.intp)

    def _certain(self, look: Look) -> npt.NDArray[np.bool_]:
        """Which places need no other look."""
        return np.asarray((self._parts(look, PARTS[:1])[0] >= CERTAIN) & (look.settled >= REFINED))

    def _seen(self, pyramid: Pyramid, quads: Floats, scores: Floats, there: Floats, exact: bool = True) -> Look:
        """What lies at quads, which one more pass of the aligner makes better unless they are `exact`."""
        again, corners = self.aligner.confirm(pyramid, quads)
        settled = np.array([same_place(a, b) for a, b in zip(quads, corners, strict=True)], np.float32)
        better = quads if exact else np.where((settled > REFINED)[:, None, None], corners, quads)
        readings = self.reader.read(pyramid, better)
        if self.memory and len(quads):
            right, readings = self.memory.read(pyramid, better, readings)
            better = better if exact else right
        return Look(better, scores, there, again, settled, readings)

    def _parts(self, look: Look, parts: tuple[Part, ...]) -> list[Floats]:
        """How sure (n,) the readings are in each of these parts, the first of `PARTS`."""
        sure = [self.confidence.of(part, rows) for part, rows in zip(parts, look.evidences(), strict=False)]
        known = look.readings.remembered
        return [(1 - known) * each + known * look.readings.sure[:, 0] for each in sure] if known.any() else sure

    def weigh(self, look: Look) -> Detections:
        """The readings with their confidences; a face is never surer than its colour or its rank."""
        face, colour, rank = self._parts(look, PARTS)
        return Detections(
            look.quads,
            look.scores,
            look.readings.faces,
            face,
            look.readings.outcomes,
            np.maximum(face, colour),
            np.maximum(face, rank),
        )
