"""Decks that were shown once: what their cards look like, and which of them a cut-out is.

No training. Of each card one picture is kept, so that a deck outlives the weights. `Memory` looks at every card of a
deck many times, the light and the corners a little different each time, and learns from that which of the reader's
features tell these cards apart and which only tell the light (linear discriminant, Fisher 1936). A cut-out that is like
one of the deck and more so than like any other is that card; else the reader decides, as for a deck never shown. A
card that the reader knows well must be the more alike, so that other decks are read as before.
"""

from __future__ import annotations

import dataclasses
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from vision.detections import BACK, Face, Image
from vision.pyramid import Pyramid
from vision.reader import OUTCOMES, SIZE, Reader, Readings
from vision.rectify import Quad, cut, rectangle, sides

Floats = npt.NDArray[np.float32]

MARGIN: Final = 0.08
"""What is kept beside a card on each side, in parts of its size, so that its corners can be moved."""

KEPT: Final = (round(SIZE[0] * (1 + 2 * MARGIN)), round(SIZE[1] * (1 + 2 * MARGIN)))
"""Width and height px of a kept picture."""

LOOKS: Final = 20
"""How often each card is looked at, each time a little different."""

SHRINK: Final = 0.2
"""Share of a plain ball in the spread of the looks, so that few cards do not decide what counts."""

LIKE: Final = 0.73
SPREAD: Final = 0.02
"""Likeness at which a cut-out is as likely of this deck as not, and how sharply that changes."""

CAUTION: Final = 0.15
CERTAIN: Final = (0.9, 0.99)
"""How much more alike a cut-out must be where the reader knows it, too; it does so between these two of its shares."""

APART: Final = 0.04
"""Difference of likeness that makes one face e times as likely as another."""

NAME: Final = re.compile(r"\w[\w .-]{0,40}")


class DeckError(Exception):
    """A deck that cannot be stored or read; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """A deck as it was shown: n `faces`, of each a picture (139, 93, 3) uint8; a face may have several."""

    name: str
    faces: tuple[Face, ...]
    pictures: Image

    @classmethod
    def of(cls, name: str, shown: Iterable[tuple[Face, Image]]) -> Deck:
        """The deck of faces with their pictures as `kept` cuts them; raises DeckError when there is none."""
        pairs = list(shown)
        if not pairs:
            raise DeckError(f"No card was seen, so the deck {name} is not learnt: show its cards one after another.")
        return cls(name, tuple(face for face, _ in pairs), np.stack([picture for _, picture in pairs]))

    def save(self, folder: Path) -> Path:
        """Writes `NAME.npz` into `folder`; raises DeckError."""
        path = folder / f"{checked(self.name)}.npz"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            aside = path.with_suffix(".part")
            with aside.open("wb") as file:
                np.savez_compressed(file, faces=np.array([str(face) for face in self.faces]), pictures=self.pictures)
            aside.replace(path)
        except OSError as error:
            raise DeckError(f"The deck cannot be stored in {folder}: {error.strerror or error}.") from None
        return path

    @classmethod
    def load(cls, name: str, folder: Path) -> Deck:
        """Reads `NAME.npz` of `folder`; raises DeckError."""
        again = f"learn it again with `tableref learn-deck {name}`"
        try:
            # Opened here: NumPy forgets to close a file that turns out to be no archive.
            with (folder / f"{checked(name)}.npz").open("rb") as file, np.load(file, allow_pickle=False) as told:
                faces = tuple(_face(str(code)) for code in told["faces"])
                pictures: Image = told["pictures"]
        except FileNotFoundError:
            known = ", ".join(stored(folder)) or "none yet"
            raise DeckError(
                f"There is no deck {name} (learnt: {known}); `tableref learn-deck {name}` learns it."
            ) from None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise DeckError(f"The deck {name} cannot be read ({error}): {again}.") from None
        if not faces or pictures.shape != (len(faces), KEPT[1], KEPT[0], 3) or pictures.dtype != np.uint8:
            raise DeckError(f"The deck {name} is damaged: {again}.")
        return cls(name, faces, pictures)


class Memory:
    """A deck, learnt by heart with the features of one reader; takes about a second."""

    def __init__(self, deck: Deck, reader: Reader) -> None:
        self.deck = deck
        self.faces = tuple(dict.fromkeys(deck.faces))
        rows = [features(reader, looks(picture, seed)) for seed, picture in enumerate(deck.pictures)]
        middles = np.stack([row.mean(axis=0) for row in rows])
        self._mean = middles.mean(axis=0)
        self._white = _whitening(np.concatenate([row - row.mean(axis=0) for row in rows]))
        self._cards = _unit((middles - self._mean) @ self._white)
        self._of = np.array([self.faces.index(face) for face in deck.faces])

    def likeness(self, seen: Floats) -> Floats:
        """How like n rows of features are to each of `faces`, (n, len(faces)), -1 to 1."""
        all_cards = _unit((seen - self._mean) @ self._white) @ self._cards.T
        best = [all_cards[:, self._of == number].max(axis=1) for number in range(len(self.faces))]
        return np.stack(best, axis=1).astype(np.float32)

    def blend(self, readings: Readings) -> Readings:
        """The readings, in which this deck has its word."""
        like = self.likeness(readings.features)
        most = like.max(axis=1, keepdims=True)
        certain = np.minimum(readings.sure[:, :1], readings.turned[:, :1])
        asked = LIKE + CAUTION * ((certain - CERTAIN[0]) / (CERTAIN[1] - CERTAIN[0])).clip(0, 1)
        ours = 1 / (1 + np.exp(-((most - asked) / SPREAD).clip(-30, 30)))
        shares = np.exp((like - most) / APART)
        table = np.zeros_like(readings.outcomes)
        table[:, [OUTCOMES.index(face) for face in self.faces]] = shares / shares.sum(axis=1, keepdims=True)
        outcomes = (ours * table + (1 - ours) * readings.outcomes).astype(np.float32)
        return dataclasses.replace(readings, outcomes=outcomes, remembered=ours[:, 0].astype(np.float32))


def kept(image: Image | Pyramid, quad: Quad) -> Image:
    """The picture of a card that a deck keeps: (139, 93, 3), a little more than the card."""
    middle = quad.mean(axis=0)
    return cut(image, (middle + (quad - middle) * (1 + 2 * MARGIN)).astype(np.float32), KEPT)[0]


def looks(picture: Image, seed: int = 0, count: int = LOOKS) -> Image:
    """Cut-outs (count, 120, 80, 3) of a kept picture: corners, light and sharpness a little different each time."""
    rng = np.random.default_rng(seed)
    inset = np.array([KEPT[0] - SIZE[0], KEPT[1] - SIZE[1]]) / 2
    whole = rectangle(*SIZE) + inset
    made = [cut(picture, whole.astype(np.float32), SIZE)[0]]
    for _ in range(count - 1):
        shaken = whole + rng.normal(0, 0.012 * SIZE[1], (4, 2))
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


def stored(folder: Path) -> list[str]:
    """The names of the decks in a folder."""
    return sorted(path.stem for path in folder.glob("*.npz"))


def removed(name: str, folder: Path) -> None:
    """Forgets a deck; raises DeckError when there is none of that name."""
    try:
        (folder / f"{checked(name)}.npz").unlink()
    except FileNotFoundError:
        raise DeckError(f"There is no deck {name}; learnt decks: {', '.join(stored(folder)) or 'none'}.") from None
    except OSError as error:
        raise DeckError(f"The deck {name} cannot be removed: {error.strerror or error}.") from None


def checked(name: str) -> str:
    """The name again, when it can be that of a file; raises DeckError."""
    if not NAME.fullmatch(name) or name.endswith((".", " ")):
        raise DeckError(f"A deck cannot be called {name!r}: give a short name of letters, numbers and dashes.")
    return name


def in_rows(quads: Iterable[Quad]) -> list[int]:
    """The order in which cards laid in rows are read: row by row, each from the left."""
    middles = [quad.mean(axis=0) for quad in quads]
    tall = [max(sides(quad)) for quad in quads]
    left, order = set(range(len(middles))), list[int]()
    while left:
        first = min(left, key=lambda i: middles[i][1])
        row = [i for i in left if middles[i][1] - middles[first][1] < 0.5 * tall[first]]
        order += sorted(row, key=lambda i: middles[i][0])
        left -= set(row)
    return order


def _face(code: str) -> Face:
    return BACK if code == BACK else Card.parse(code)


def _unit(rows: npt.NDArray[np.floating]) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-6)
    return np.asarray(rows / lengths, np.float32)
