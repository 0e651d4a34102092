"""A bank of drawn cards on disk, shared by every process that composes pictures.

    python -m datasets.bank --styles 160 --seed 1 workshop/cards

Drawing a card takes some milliseconds and pasting one takes far less, so a few thousand cards are drawn once. The
folder holds `cards.bin` (BGRA pixels one after another) and `index.npy` (offset, height, width, face, style,
whether it has an index in its corners, per card).
Faces are numbered as in `referee.cards.FACES`, the back is `len(FACES)`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from datasets import typefaces
from datasets.faces import draw_card, indexed
from datasets.styles import Style, random_style
from datasets.wear import wear
from referee.cards import FACES, Card, Rank

Picture = npt.NDArray[np.uint8]

HEIGHT: Final = 256
"""Height in pixels of the cards in a bank."""

BACK_SHARE: Final = 0.05
ALIKE: Final = [number for number, face in enumerate(FACES) if face.rank in (Rank.ONE, Rank.SIX, Rank.SEVEN, Rank.NINE)]
"""Numbers of the faces that are taken for each other where numbers lean."""
HELD_OUT: Final = frozenset(
    {
        "Aller_Bd.ttf",
        "DejaVuSans-Bold.ttf",
        "FjallaOne-Regular.ttf",
        "HankenGrotesk-SemiBoldItalic.otf",
        "Lato-Heavy.ttf",
        "Manrope-ExtraBold.ttf",
        "OpenSans-ExtraBoldItalic.ttf",
        "RedHatDisplay-Bold.ttf",
        "RedHatDisplay-SemiBoldItalic.ttf",
        "RobotoCondensed-Bold.ttf",
        "SourceSansPro-Black.ttf",
        "SourceSansPro-BoldIt.otf",
        "SourceSansPro-SemiboldIt.ttf",
        "SourceSerifPro-Bold.otf",
        "SourceSerifPro-Semibold.ttf",
    }
)
"""Typefaces kept for the decks that training never sees: drawn at random once, every fifth of those installed."""


def faces_for(held_out: bool) -> tuple[str, ...]:
    """The typefaces for training, or those held out from it."""
    return tuple(face for face in typefaces.printed() if (Path(face).name in HELD_OUT) == held_out)


def styles(count: int, seed: int, held_out: bool = False, leaning: int = 0) -> list[Style]:
    """`count` decks, the last `leaning` with numbers that lean far.

    With `held_out` in typefaces as they are that the others never use.
    """
    rng = np.random.default_rng((seed, int(held_out)))
    chosen = faces_for(held_out) or None
    return [random_style(rng, chosen, not held_out, number >= count - leaning) for number in range(count)]


def build(
    folder: Path,
    count: int,
    seed: int,
    held_out: bool = False,
    report: Callable[[str], None] = lambda text: None,
    leaning: int = 0,
) -> int:
    """Draws `count` decks into `folder`; returns the number of cards. Tells `report` of every tenth part.

    The numbers of the last `leaning` decks lean far.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[int, ...]] = []
    offset, started = 0, time.monotonic()
    with (folder / "cards.bin").open("wb") as pixels:
        for number, style in enumerate(styles(count, seed, held_out, leaning)):
            rng = np.random.default_rng((seed, number, 7))
            for face, card in enumerate((*FACES, None, None)):
                picture = wear(rng, draw_card(card, style, HEIGHT, rng))
                pixels.write(picture.tobytes())
                shape = picture.shape[:2]
                rows.append((offset, *shape, min(face, len(FACES)), number, int(indexed(card, style))))
                offset += picture.size
            if (number + 1) * 10 // count > number * 10 // count:
                spent = (time.monotonic() - started) / 60
                left = spent / (number + 1) * (count - number - 1)
                report(f"{number + 1} of {count} decks  {spent:.1f} min, {left:.1f} left")
    np.save(folder / "index.npy", np.array(rows, np.int64))
    return len(rows)


class Print(NamedTuple):
    """A card (None: a back), its upright picture (H, W, 4) uint8 BGRA, and whether its corners hold an index."""

    card: Card | None
    picture: Picture
    indexed: bool = True


class CardBank:
    """Cards to paste; their pictures are not to be written to.

    alike: share of the faces, 0 to 1, that are drawn among those most easily taken for each other: 1 and 7, 6 and 9.
    """

    def __init__(self, folder: Path, alike: float = 0.0) -> None:
        self._alike = alike
        self.index: npt.NDArray[np.int64] = np.load(folder / "index.npy")
        self.pixels = np.memmap(folder / "cards.bin", np.uint8, "r")
        self._by_face = [np.flatnonzero(self.index[:, 3] == face) for face in range(len(FACES) + 1)]
        self._by_style: dict[int, npt.NDArray[np.intp]] = {
            int(style): np.flatnonzero(self.index[:, 4] == style) for style in np.unique(self.index[:, 4])
        }

    def __len__(self) -> int:
        return len(self.index)

    def picture(self, row: int) -> Picture:
        """The pixels of one card."""
        offset, height, width = (int(value) for value in self.index[row, :3])
        return np.asarray(self.pixels[offset : offset + height * width * 4]).reshape(height, width, 4)

    def card(self, row: int) -> Card | None:
        """The face of one card, None for a back."""
        face = int(self.index[row, 3])
        return FACES[face] if face < len(FACES) else None

    def row(self, rng: np.random.Generator, style: int | None = None) -> int:
        """A card at random: faces alike, but wilds of the 112 deck rarer and backs at `BACK_SHARE`."""
        while True:
            face = len(FACES) if rng.random() < BACK_SHARE else int(rng.integers(len(FACES)))
            if self._alike and face < len(FACES) and rng.random() < self._alike:
                face = int(rng.choice(ALIKE))
            rare = face < len(FACES) and FACES[face].rank in (Rank.SWAP_HANDS, Rank.CUSTOMIZABLE)
            if rare and rng.random() < 0.4:
                continue
            rows = self._by_face[face]
            if style is None:
                return int(rng.choice(rows))
            return int(rng.choice(rows[self.index[rows, 4] == style]))

    def style(self, rng: np.random.Generator) -> int:
        """A deck at random."""
        return int(rng.choice(list(self._by_style)))

    def sample(self, rng: np.random.Generator, style: int | None = None) -> Print:
        """A card at random, of one deck when `style` is given."""
        row = self.row(rng, style)
        return Print(self.card(row), self.picture(row), bool(self.index[row, 5]))


class Bank(Protocol):
    """Where cards come from."""

    def sample(self, rng: np.random.Generator) -> Print:
        """Any card of any deck."""
        ...


@runtime_checkable
class Decks(Bank, Protocol):
    """A bank that can also keep to one deck."""

    def style(self, rng: np.random.Generator) -> int:
        """Any deck."""
        ...

    def sample(self, rng: np.random.Generator, style: int | None = None) -> Print:
        """Any card, of one deck when `style` is given."""
        ...


@dataclass(frozen=True)
class OneDeck:
    """A bank seen through one of its decks."""

    bank: Decks
    number: int

    def sample(self, rng: np.random.Generator) -> Print:
        """Any card of that deck."""
        return self.bank.sample(rng, self.number)


def one_deck(rng: np.random.Generator, bank: Bank) -> Bank:
    """Nearly always a single deck of the bank, where it knows decks; else the bank itself."""
    if not isinstance(bank, Decks) or rng.random() < 0.1:
        return bank
    return OneDeck(bank, bank.style(rng))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Draw decks into a bank of cards.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--styles", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="in the typefaces that training never sees")
    parser.add_argument("--leaning", type=int, default=0, help="of how many of the decks the numbers lean far")
    given = parser.parse_args()
    drawn = build(given.folder, given.styles, given.seed, given.held_out, partial(print, flush=True), given.leaning)
    print(f"{drawn} cards drawn into {given.folder}")


if __name__ == "__main__":
    main()
