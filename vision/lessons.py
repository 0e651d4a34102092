"""How a deck is shown: which card a picture is of, and, before a camera, when the next card lies still.

`taught_by` takes a folder of pictures; `Lesson` follows a camera or a film. Both end in pairs of a face and its
picture, from which `decks.Deck` is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card
from vision.decks import in_rows, kept
from vision.detections import BACK, Face, Image
from vision.eyes import Eyes
from vision.frames import Frame, SourceError, read_picture
from vision.laid import EmptyTable
from vision.overlaps import overlap
from vision.pyramid import Pyramid
from vision.rectify import Quad, rectangle
from vision.twins import Twins

Shown = tuple[Face, Image]

CLASSIC: Final[tuple[Face, ...]] = (*FACES[:54], BACK)
"""The order in which a deck is asked for: colour by colour, then the wilds, then the back."""

SURE: Final = 0.25
"""The finder's score of what may be a card to learn."""

ODD: Final = 0.03
"""The aligner's probability of a card of ours, below which the finder is not believed."""

ALIKE: Final = 0.03
"""Mean difference, of the whole range, up to which two pictures are of the same card that lies there."""

STEADY: Final = 0.75
"""Overlap of a card with itself in the next picture while nobody moves it."""

NEW: Final = 0.3
"""Share of a card's place that looked otherwise when the table was empty."""

APART: Final = 0.05
"""Overlap from which two shapes are not two cards that lie apart."""

AGREE: Final = 4
"""Looks in a row that must agree before a card is taken."""

PATIENCE: Final = 6.0
"""Seconds that a card which looks like one shown before must go on lying there until it is taken all the same."""

EVERY: Final = 0.2
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A card that lies somewhere: its quad (4, 2) px and its pictures as a deck keeps them, the likeliest first."""

    quad: Quad
    pictures: Sequence[Image]

    @classmethod
    def at(cls, image: Image | Pyramid, quads: Sequence[Quad] | npt.NDArray[np.float32]) -> Lying:
        """That lies at the first of these quads, or else at one of the others."""
        return cls(quads[0], [kept(image, quad) for quad in quads])

    def as_card(self, face: Face) -> list[Shown]:
        """What it teaches about a card."""
        return [(face, picture) for picture in self.pictures]

    def is_at(self, other: Lying, share: float = 0.5) -> bool:
        """Whether both lie at the same place."""
        return overlap(self.quad, other.quad) >= share

    def looks_like(self, other: Lying) -> bool:
        """Whether both show the same, either end up and in any light."""
        here, there = small(self.pictures[0]), small(other.pictures[0])
        return min(float(np.abs(here - way).mean()) for way in (there, there[::-1, ::-1])) <= ALIKE


def small(picture: Image) -> npt.NDArray[np.float32]:
    """A card in few pixels and standard light."""
    little = cv2.resize(picture, (24, 36), interpolation=cv2.INTER_AREA).astype(np.float32)
    return little / max(30.0, float(little.mean())) * np.float32(0.4)


def lying(eyes: Eyes, image: Image, least: float = SURE) -> list[Lying]:
    """The cards of a picture, whatever they show, in reading order."""
    pyramid = Pyramid(image)
    found = [place.quads for place in eyes.places(image) if place.score >= least and place.there >= ODD]
    return in_order([Lying.at(pyramid, quads) for quads in found])


def in_order(found: Sequence[Lying]) -> list[Lying]:
    """Row by row, each from the left."""
    return [found[number] for number in in_rows([one.quad for one in found])]


def named_by(path: Path) -> Face:
    """The card that a file is named after (`R7.jpg`, `R7-2.png`, `back.jpg`), or None."""
    code = re.split(r"[-_ .]", path.stem, maxsplit=1)[0]
    if code.lower() == BACK:
        return BACK
    try:
        return Card.parse(code)
    except ValueError:
        return None


def taught_by(
    eyes: Eyes, pictures: Sequence[Path], order: Sequence[Face], unread: list[SourceError]
) -> Iterator[tuple[Path, list[Shown]]]:
    """For each picture the cards learnt from it.

    A picture named after its card gives its surest card, or the whole picture where none is found. The cards of any
    other take the next names of `order`, row by row from the left. Named pictures that cannot be read are left out, and
    told in `unread`; after another one nobody knows the names of the next, so that it raises SourceError.
    """
    left = list(order)
    for path in pictures:
        face = named_by(path)
        try:
            image = read_picture(path)
        except SourceError as error:
            if face is None:
                raise
            unread.append(error)
            continue
        if face is not None:
            yield path, _surest(eyes, image).as_card(face)
            continue
        found = lying(eyes, image)[: len(left)]
        yield path, [pair for name, one in zip(left, found, strict=False) for pair in one.as_card(name)]
        del left[: len(found)]


def _surest(eyes: Eyes, image: Image) -> Lying:
    places, (height, width) = eyes.places(image), image.shape[:2]
    return Lying.at(image, places[0].quads if places else rectangle(width, height)[None])


class Lesson:
    """Cards laid down one after another, or several at once, before a camera. What lies there at first is no card."""

    def __init__(self, eyes: Eyes, order: Sequence[Face] = CLASSIC) -> None:
        self._eyes, self._left = eyes, list(order)
        self.shown: list[Shown] = []
        self.twin: tuple[Face, Face] | None = None
        """What was just asked for, and the card shown before that the one laid down looks like; None mostly."""
        self._twins = Twins()
        self._doubted: float | None = None
        self._table: EmptyTable | None = None
        self._known: list[Lying] = []
        self._pending: list[Lying] = []
        self._agreed = 0
        self._looked = float("-inf")

    @property
    def next(self) -> Face:
        """The card to lay down next; None when all were shown."""
        return self._left[0] if self._left else None

    def see(self, frame: Frame) -> list[Face]:
        """Looks at the next picture; the faces that were taken with it."""
        self.twin = None
        if frame.seconds - self._looked < EVERY or not self._left:
            return []
        self._looked = frame.seconds
        if self._table is None:
            self._table, self._known = EmptyTable(frame.image), lying(self._eyes, frame.image)
            return []
        found = self._laid(self._table, frame.image)
        return self._weigh([one for one in found if not any(one.is_at(k) and one.looks_like(k) for k in self._known)])

    def _laid(self, table: EmptyTable, image: Image) -> list[Lying]:
        """The cards that were not there when the table was empty; also one that the finder does not know at all."""
        changed = table.changed(image)
        found = [one for one in lying(self._eyes, image) if table.share(changed, one.quad) >= NEW]
        shapes = [quad for quad in table.cards(changed) if not any(overlap(quad, one.quad) > APART for one in found)]
        return in_order([*found, *(Lying.at(image, self._eyes.about(image, quad)) for quad in shapes)])

    def _weigh(self, news: list[Lying]) -> list[Face]:
        """Takes what is new once it was the same in enough looks."""
        same = len(news) == len(self._pending) and all(
            one.is_at(before, STEADY) and one.looks_like(before)
            for one, before in zip(news, self._pending, strict=True)
        )
        self._agreed = self._agreed + 1 if same and news else 1
        self._pending = news
        if not same:
            self._doubted = None
        if not news or self._agreed < AGREE or self._is_doubtful(news):
            return []
        return self._take(news[: len(self._left)])

    def _is_doubtful(self, news: list[Lying]) -> bool:
        """Whether one of these cards was shown before, as it seems: that is told, and they wait."""
        if self._doubted is not None:
            return self._looked - self._doubted < PATIENCE
        for face, one in zip(self._left, news, strict=False):
            twin = self._twins.of(one.pictures[0], face)
            if twin is not None:
                self.twin, self._doubted = (face, twin), self._looked
                return True
        return False

    def _take(self, news: list[Lying]) -> list[Face]:
        """The next names go to these cards; what lay under them is forgotten."""
        self._known = [old for old in self._known if not any(old.is_at(one) for one in news)] + news
        faces = self._left[: len(news)]
        del self._left[: len(news)]
        for face, one in zip(faces, news, strict=True):
            self.shown += one.as_card(face)
            self._twins.add(face, one.pictures[0])
        self._doubted = None
        self._pending, self._agreed = [], 0
        return faces
