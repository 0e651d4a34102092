"""Decks that were shown once: the pictures of their cards, stored under a name.

Of each card a picture is kept, so that a deck outlives the weights; `memory` learns from them what its cards look like.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import Card
from vision.detections import BACK, Face, Image
from vision.pyramid import Pyramid
from vision.reader import SIZE
from vision.rectify import Matrix, Quad, cut, sides

Floats = npt.NDArray[np.float32]

MARGIN: Final = 0.08
"""What is kept beside a card on each side, in parts of its size, so that its corners can be moved."""

KEPT: Final = (round(SIZE[0] * (1 + 2 * MARGIN)), round(SIZE[1] * (1 + 2 * MARGIN)))
"""Width and height px of a kept picture."""

INSET: Final = np.array([KEPT[0] - SIZE[0], KEPT[1] - SIZE[1]], np.float32) / 2
"""Where the card begins in it."""

NAME: Final = re.compile(r"\w[\w .-]{0,40}")

DEVICE: Final = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]", re.IGNORECASE)
"""What Windows allows no file to be called."""


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
        name = checked(name)
        again = f"learn it again with `tableref learn-deck {shlex.quote(name)}`"
        try:
            # Opened here: NumPy forgets to close a file that turns out to be no archive.
            with (folder / f"{name}.npz").open("rb") as file, np.load(file, allow_pickle=False) as told:
                faces = tuple(_face(str(code)) for code in told["faces"])
                pictures: Image = told["pictures"]
        except FileNotFoundError:
            known = ", ".join(stored(folder)) or "none yet"
            raise DeckError(
                f"There is no deck {name} (learnt: {known}); `tableref learn-deck {shlex.quote(name)}` learns it."
            ) from None
        except OSError as error:
            raise DeckError(f"The deck {name} cannot be read ({error.strerror or error}).") from None
        except (ValueError, KeyError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error):
            raise DeckError(f"The deck {name} is damaged: {again}.") from None
        if not faces or pictures.shape != (len(faces), KEPT[1], KEPT[0], 3) or pictures.dtype != np.uint8:
            raise DeckError(f"The deck {name} is damaged: {again}.")
        return cls(name, faces, pictures)


def surround(image: Image | Pyramid, quad: Quad) -> tuple[Image, Matrix]:
    """A card with a little of what is about it, (139, 93, 3), and the homography from the picture to it."""
    middle = quad.mean(axis=0)
    return cut(image, (middle + (quad - middle) * (1 + 2 * MARGIN)).astype(np.float32), KEPT)


def kept(image: Image | Pyramid, quad: Quad) -> Image:
    """The picture of a card that a deck keeps: (139, 93, 3), a little more than the card."""
    return surround(image, quad)[0]


def stored(folder: Path) -> list[str]:
    """The names of the decks in a folder."""
    return sorted(path.stem for path in folder.glob("*.npz"))


def counted(folder: Path) -> tuple[list[tuple[str, int]], list[str]]:
    """The decks of a folder that can be read, with how many cards each has, and a sentence about each other one."""
    found, damaged = [], []
    for name in stored(folder):
        try:
            found.append((name, len(set(Deck.load(name, folder).faces))))
        except DeckError as error:
            damaged.append(str(error))
    return found, damaged


def removed(name: str, folder: Path) -> None:
    """Forgets a deck; raises DeckError when there is none of that name."""
    try:
        (folder / f"{checked(name)}.npz").unlink()
    except FileNotFoundError:
        raise DeckError(f"There is no deck {name}; learnt decks: {', '.join(stored(folder)) or 'none'}.") from None
    except OSError as error:
        raise DeckError(f"The deck {name} cannot be removed: {error.strerror or error}.") from None


def checked(name: str) -> str:
    """The name, composed (NFC) as all systems can store it, when it can be a file's; raises DeckError."""
    name = unicodedata.normalize("NFC", name)
    if not NAME.fullmatch(name) or name.endswith((".", " ")) or DEVICE.fullmatch(name.split(".")[0].strip()):
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
