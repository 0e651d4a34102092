"""Text as Braille: cells of six dots, uncontracted, lower case, with the letters that the languages of the voice need.

Dots are numbered 1 to 3 down the left and 4 to 6 down the right column. Measures: ISO 17049:2013, Braille for signs
(2.5 mm between dots, 6 mm between cells, 10 mm between lines, dots of 1.5 mm).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

DOT_MM: Final = 2.5
CELL_MM: Final = 6.0
LINE_MM: Final = 10.0
DIAMETER_MM: Final = 1.5

_FIRST: Final = dict(zip("abcdefghij", ("1", "12", "14", "145", "15", "124", "1245", "125", "24", "245"), strict=True))
_LETTERS: Final[Mapping[str, str]] = {
    **_FIRST,
    **{letter: _FIRST[above] + "3" for letter, above in zip("klmnopqrst", "abcdefghij", strict=True)},
    **{letter: _FIRST[above] + "36" for letter, above in zip("uvxyz", "abcde", strict=True)},
    "w": "2456",
    " ": "",
    "-": "36",
    "'": "3",
    "?": "236",
    ".": "256",
    ",": "2",
}
_OWN: Final[Mapping[str, Mapping[str, str]]] = {
    "da": {"æ": "345", "ø": "246", "å": "16", "é": "123456"},
    "de": {"ä": "345", "ö": "246", "ü": "1256", "ß": "2346"},
    "es": {"á": "12356", "é": "2346", "í": "34", "ó": "346", "ú": "23456", "ñ": "12456", "ü": "1256", "¿": "26"},
    "fr": {"é": "123456", "è": "2346", "à": "12356", "ù": "23456", "ç": "12346", "ê": "126", "î": "146", "â": "16"}
    | {"ô": "1456", "û": "156", "ë": "1246", "ï": "12456", "ü": "1256", "œ": "246"},
    "nl": {"é": "123456", "ë": "1246", "ï": "12456", "è": "2346", "ö": "246", "ü": "1256"},
}


def cells(text: str, language: str = "en") -> tuple[frozenset[int], ...]:
    """The raised dots of each cell of `text`. KeyError for a letter that has none."""
    table = {**_LETTERS, **_OWN.get(language, {})}
    return tuple(frozenset(map(int, table[letter])) for letter in text.lower())


def unicode(text: str, language: str = "en") -> str:
    """`text` in the Braille patterns of Unicode."""
    return "".join(chr(0x2800 + sum(1 << (dot - 1) for dot in cell)) for cell in cells(text, language))


def dots(text: str, language: str = "en") -> Iterator[tuple[float, float]]:
    """The middles of the dots, mm to the right of and below the first cell's first dot."""
    for place, cell in enumerate(cells(text, language)):
        for dot in sorted(cell):
            column, row = divmod(dot - 1, 3)
            yield place * CELL_MM + column * DOT_MM, row * DOT_MM
