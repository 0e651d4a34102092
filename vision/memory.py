"""A deck learnt by heart: which of its cards a cut-out is, and where exactly that card lies.

No training. A memory looks at every card of a deck many times, the light and the corners a little different each time,
and learns from that which of the reader's features tell these cards apart and which only tell the light (linear
discriminant, Fisher 1936). Those that a cut-out is likest are compared with it pixel by pixel (`signs`). A cut-out that
is like one of the deck in both ways, and more so than like any other, is that card; else the reader decides, as for a
deck never shown. A card that the reader knows well must be the more alike, so that other decks are read as before.
Corners that no network finds, as the deck is like none that was taught, are found by laying the likeliest card over it.
"""

from __future__ import annotations

import dataclasses
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.decks import INSET, Deck, surround
from vision.detections import Image
from vision.pyramid import Pyramid
from vision.reader import OUTCOMES, SIZE, Reader, Readings
from vision.rectify import Quad, carry, cut, rectangle
from vision.signs import Signs

Floats = npt.NDArray[np.float32]

LOOKS: Final = 12
"""How often each card is looked at, each time a little different."""

SHAKEN: Final = (0.01, 0.03)
"""By how much of the height the corners are moved, the least and the most."""

SHRINK: Final = 0.2
"""Share of a plain ball in the spread of the looks, so that few cards do not decide what counts."""

LEAST: Final = 0.35
COMPARED: Final = 8
"""A cut-out's likeness to a card, by the features, from which their signs are compared; and the most such cards."""

LIKE: Final = 1.52
SPREAD: Final = 0.03
"""Likeness by features and by signs together, at which a cut-out is as likely of this deck as not, and how sharply that
changes. Drawn theme cards lie above 1.68, cards of other decks below 1.25, things that are no cards below 1.3."""

SURE: Final = 0.5
"""Share from which what is remembered counts."""

CAUTION: Final = 0.1
CERTAIN: Final = (0.9, 0.99)
"""How much more alike a cut-out must be where the reader knows it, too; it does so between these two of its shares."""

APART: Final = 0.015
"""Difference of likeness that makes one face e times as likely as another."""

HINT: Final = 0.9
"""Likeness from which a cut-out that is not taken for a card of the deck may be one cut out wrongly."""

NEAR: Final = 0.4
"""How much of it two quads share at least, when one of them is the other put right."""


class Memory:
    """A deck, learnt by heart with the features of one reader; takes about a second."""

    def __init__(self, deck: Deck, reader: Reader) -> None:
        self.deck, self._reader = deck, reader
        self.faces = tuple(dict.fromkeys(deck.faces))
        rows = [features(reader, looks(picture, seed)) for seed, picture in enumerate(deck.pictures)]
        middles = np.stack([row.mean(axis=0) for row in rows])
        self._mean = middles.mean(axis=0)
        self._white = _whitening(np.concatenate([row - row.mean(axis=0) for row in rows]))
        self._cards = _unit((middles - self._mean) @ self._white)
        self._of = np.array([self.faces.index(face) for face in deck.faces])
        self._signs = Signs(deck.pictures)

    def read(self, pyramid: Pyramid, quads: Floats, readings: Readings) -> tuple[Floats, Readings]:
        """Quads (n, 4, 2) px, some of them put right, and their readings, in which this deck has its word."""
        cuts = [surround(pyramid, quad) for quad in quads]
        pictures = np.stack([picture for picture, _ in cuts])
        like = self.likeness(readings.features, pictures)
        told, best = self.blend(readings, like), like.max(axis=1)
        rows, moved = [], []
        for row in np.flatnonzero((best >= HINT) & (told.remembered < SURE)):
            card = self._card_in(pictures[row], int(like[row].argmax()))
            quad = None if card is None else carry(card, np.linalg.inv(cuts[row][1]))
            if quad is not None and _same_card(quad, quads[row]):
                rows.append(int(row))
                moved.append(quad)
        if not rows:
            return quads, told
        return self._put_right(pyramid, quads, told, np.array(rows), np.stack(moved))

    def _put_right(
        self, pyramid: Pyramid, quads: Floats, told: Readings, rows: npt.NDArray[np.intp], moved: Floats
    ) -> tuple[Floats, Readings]:
        """With those of the `moved` quads that turn out to be cards of the deck, in the place of the `rows`."""
        again = self._reader.read(pyramid, moved)
        like = self.likeness(again.features, np.stack([surround(pyramid, quad)[0] for quad in moved]))
        blended = self.blend(again, like)
        ours = np.flatnonzero(blended.remembered >= SURE)
        order = np.arange(len(quads))
        order[rows[ours]] = len(quads) + ours
        return np.concatenate([quads, moved])[order], told.and_of(blended).pick(order)

    def _card_in(self, picture: Image, number: int) -> Quad | None:
        """The corners (4, 2) px of a card in a picture of what lies there, by laying that picture of the deck over."""
        matrix = self._signs.over(picture, number)
        return None if matrix is None else carry(rectangle(*SIZE) + INSET, matrix)

    def likeness(self, seen: Floats, pictures: Image) -> Floats:
        """How like n cut-outs are to each picture of the deck, (n, m), up to 2; below 0 what was not compared.

        seen: (n, 160) features; pictures: (n, 139, 93, 3) as `kept` cuts them.
        """
        close = _unit((seen - self._mean) @ self._white) @ self._cards.T
        best = np.argsort(-close, axis=1)[:, :COMPARED]
        total = close - 2
        for row, (which, picture) in enumerate(zip(best, pictures, strict=True)):
            if close[row, which[0]] >= LEAST:
                total[row, which] = close[row, which] + self._signs.alike(picture, which.tolist())
        return total.astype(np.float32)

    def blend(self, readings: Readings, likeness: Floats) -> Readings:
        """The readings, in which this deck has its word, of places that are so much like its pictures."""
        faces = [likeness[:, self._of == number].max(axis=1) for number in range(len(self.faces))]
        like = np.stack(faces, axis=1)
        most = like.max(axis=1, keepdims=True)
        certain = np.minimum(readings.sure[:, :1], readings.turned[:, :1])
        asked = LIKE + CAUTION * ((certain - CERTAIN[0]) / (CERTAIN[1] - CERTAIN[0])).clip(0, 1)
        ours = 1 / (1 + np.exp(-((most - asked) / SPREAD).clip(-30, 30)))
        shares = np.exp(((like - most) / APART).clip(-60, 0))
        table = np.zeros_like(readings.outcomes)
        table[:, [OUTCOMES.index(face) for face in self.faces]] = shares / shares.sum(axis=1, keepdims=True)
        outcomes = (ours * table + (1 - ours) * readings.outcomes).astype(np.float32)
        return dataclasses.replace(readings, outcomes=outcomes, remembered=ours[:, 0].astype(np.float32))


def looks(picture: Image, seed: int = 0, count: int = LOOKS) -> Image:
    """Cut-outs (count, 120, 80, 3) of a kept picture: corners, light and sharpness a little different each time."""
    rng = np.random.default_rng(seed)
    whole = rectangle(*SIZE) + INSET
    made = [cut(picture, whole.astype(np.float32), SIZE)[0]]
    for _ in range(count - 1):
        shaken = whole + rng.normal(0, rng.uniform(*SHAKEN) * SIZE[1], (4, 2))
        made.append(_lit(rng, cut(picture, shaken.astype(np.float32), SIZE)[0]))
    return np.stack(made)


def features(reader: Reader, cuts: Image) -> Floats:
    """What the reader sees in cut-outs, (n, 160)."""
    return reader.named(cuts).features


def _lit(rng: np.random.Generator, picture: Image) -> Image:
    """Brighter or darker, warmer or colder, softer."""
    gain = rng.uniform(0.65, 1.2) * np.exp(rng.normal(0, 0.07, 3))
    lit = np.asarray((picture * gain).clip(0, 255), np.uint8)
    return np.asarray(cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.3, 1.3))), np.uint8)


def _whitening(spread: Floats) -> Floats:
    """The matrix (160, 160) under which looks of one card lie in a ball."""
    table = spread.T @ spread / len(spread)
    size = max(float(np.trace(table)) / len(table), 1e-6)
    values, vectors = np.linalg.eigh((1 - SHRINK) * table + SHRINK * size * np.eye(len(table)))
    return np.asarray(vectors / np.sqrt(values), np.float32)


def _same_card(first: Quad, second: Quad) -> bool:
    """Whether a quad may be another one put right."""
    if not cv2.isContourConvex(first):
        return False
    shared, _ = cv2.intersectConvexConvex(first, second.astype(np.float32))
    return bool(shared >= NEAR * max(abs(cv2.contourArea(first)), abs(cv2.contourArea(second))))


def _unit(rows: npt.NDArray[np.floating]) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-6)
    return np.asarray(rows / lengths, np.float32)
