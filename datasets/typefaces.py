"""Typefaces for drawn cards: bold faces out of the font packages that are installed.

Fonts come from Python packages (the dependency group `workshop`), so that every machine draws the same decks; none is
part of this repository. Without any of them Pillow's built-in face is used, which is enough for tests.
"""

from __future__ import annotations

import importlib.metadata
from functools import cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

PACKAGES: Final = (
    "font-caladea",
    "font-fjallaone",
    "font-fredoka-one",
    "font-hanken-grotesk",
    "font-lato",
    "font-manrope",
    "font-rhd",
    "font-roboto",
    "font-source-sans-pro",
    "font-source-serif-pro",
    "matplotlib",
    "trdg",
)
"""Distributions whose fonts are used."""

WEIGHTS: Final = ("black", "heavy", "bold", "bd.", "fredoka", "fjalla", "bebas", "allerdisplay")
UNFIT: Final = ("mono", "amatic", "walkway", "caviar", "capture", "tusj", "fonts/cn", "fonts/ja", "raleway")
HAND_WEIGHTS: Final = ("amatic", "intuitive", "pacifico", "caviar")


def _files(distribution: str) -> list[Path]:
    try:
        listed = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    paths = (Path(str(file.locate())) for file in listed if file.suffix.lower() in (".ttf", ".otf"))
    return sorted(paths, key=lambda path: path.name)


@cache
def _all_files() -> tuple[Path, ...]:
    unique = {path.name.lower(): path for name in PACKAGES for path in _files(name)}
    return tuple(unique[name] for name in sorted(unique))


@cache
def printed() -> tuple[str, ...]:
    """Paths of the bold typefaces that a deck may be printed in, in a stable order; empty when none is installed."""
    names = [(path, str(path).lower().replace("\\", "/")) for path in _all_files()]
    bold = [(path, name) for path, name in names if any(weight in Path(name).name for weight in WEIGHTS)]
    return tuple(str(path) for path, name in bold if not any(part in name for part in UNFIT))


@cache
def handwritten() -> tuple[str, ...]:
    """Paths of the typefaces that look written by hand, in a stable order; empty when none is installed."""
    return tuple(str(path) for path in _all_files() if any(weight in path.name.lower() for weight in HAND_WEIGHTS))


@cache
def load(path: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The typeface at `path` (empty: Pillow's own) at `size` pixels."""
    return ImageFont.truetype(path, size) if path else ImageFont.load_default(size)
