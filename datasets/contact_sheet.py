"""What the networks are shown, on one sheet: kinds of scenes, hardships, things that are no cards; and decks beside it.

    python -m datasets.contact_sheet --bank workshop/cards --out docs/scenes.jpg --decks docs/decks.jpg

Of each kind of scene that training composes the first two are shown as they are, the others with the truth drawn in:
green round a card that is seen well, orange round one of which less than half shows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets import foreign, hardships, scenes
from datasets.bank import Bank, CardBank, Picture, styles
from datasets.faces import draw_card
from datasets.styles import Style
from datasets.wear import wear
from referee.cards import Card

TILE: Final = 192
NARROW: Final = 80
COLUMNS: Final = 8
EACH: Final = 4
SHOWN: Final = ("R0", "Y1", "G4", "B6", "R7", "Y9", "BS", "GR", "YD", "W", "W4", "WS", "WC")
DECKS: Final = 14
QUALITY: Final = 72


def truth(scene: scenes.Scene) -> Picture:
    """The picture with each card's outline, its top edge thick, and its code."""
    image = cv2.resize(scene.image, (2 * TILE, 2 * TILE), interpolation=cv2.INTER_AREA)
    quads = scene.quads * (2 * TILE / scene.image.shape[0])
    for quad, seen in zip(quads, scene.visible, strict=True):
        ink = (60, 220, 60) if seen >= 0.5 else (0, 150, 255)
        corners = np.rint(quad).astype(np.int32)
        cv2.polylines(image, [corners], True, ink, 2, cv2.LINE_AA)
        cv2.polylines(image, [corners[:2]], False, ink, 5, cv2.LINE_AA)
    for quad, card in zip(quads, scene.faces, strict=True):
        size = min(0.7, 0.006 * float(np.linalg.norm(quad[3] - quad[0])))
        x, y = np.rint(quad.mean(axis=0) - (20 * size, -10 * size)).astype(int)
        for ink, wide in (((0, 0, 0), 4), ((255, 255, 255), 1)):
            cv2.putText(image, str(card or "back"), (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, wide, cv2.LINE_AA)
    return np.asarray(image, np.uint8)


def tile(image: Picture, name: str) -> Picture:
    """A picture in a square (TILE + 16, TILE), its name below."""
    page = np.full((TILE + 16, TILE, 3), 255, np.uint8)
    shrunk = TILE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    top, left = (TILE - small.shape[0]) // 2, (TILE - small.shape[1]) // 2
    page[top : top + small.shape[0], left : left + small.shape[1]] = small
    page[:, -2:] = 255
    cv2.putText(page, name, (3, TILE + 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return page


def tiles(bank: Bank, seed: int) -> Iterator[Picture]:
    """The tiles of the sheet, kind after kind."""
    rng = np.random.default_rng(seed)
    for kind in scenes.KINDS:
        for number in range(EACH):
            scene = scenes.compose(rng, bank, 320, kind)
            yield tile(truth(scene) if number >= EACH // 2 else scene.image, kind)
    for kind in hardships.EFFECTS:
        yield tile(hardships.scene(rng, bank, kind).image, kind)
    for kind in foreign.KINDS:
        yield tile(foreign.scene(rng, kind).image, f"no card: {kind}")


def sheet(cells: list[Picture], columns: int = COLUMNS) -> Picture:
    """Cells of one size in rows."""
    blank = np.full_like(cells[0], 255)
    cells = cells + [blank] * (-len(cells) % columns)
    return np.vstack([np.hstack(cells[start : start + columns]) for start in range(0, len(cells), columns)])


def cards_of(rng: np.random.Generator, style: Style, height: int = 120) -> Iterator[Picture]:
    """Some faces and the back of a deck, worn, on grey, (height + 6, NARROW + 6, 3)."""
    for card in (*(Card.parse(code) for code in SHOWN), None):
        worn = wear(rng, draw_card(card, style, height, rng))
        wide = min(NARROW, round(worn.shape[1] * height / worn.shape[0]))
        picture = cv2.resize(worn, (wide, height), interpolation=cv2.INTER_AREA)
        page, cover = np.full((height + 6, NARROW + 6, 3), 120.0), picture[..., 3:] / 255
        inside = page[3 : height + 3, 3 : 3 + wide]
        inside[:] = inside * (1 - cover) + picture[..., :3] * cover
        yield page.astype(np.uint8)


def decks(seed: int, count: int = DECKS) -> Picture:
    """A row of cards for each of some decks."""
    rng = np.random.default_rng(seed)
    return sheet([cell for style in styles(count, seed) for cell in cards_of(rng, style)], len(SHOWN) + 1)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Show what the networks are taught and measured with.")
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("docs/scenes.jpg"))
    parser.add_argument("--decks", type=Path, default=Path("docs/decks.jpg"))
    given = parser.parse_args()
    scenes_drawn = sheet(list(tiles(CardBank(given.bank), given.seed)))
    for path, picture in ((given.out, scenes_drawn), (given.decks, decks(given.seed))):
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        print(f"{path} written, {picture.shape[1]} x {picture.shape[0]} px, {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
