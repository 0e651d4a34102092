"""Sheets to print: command cards with marks, large print and Braille, and the key card. Measures in mm.

A card is 94 by 64 mm, wider than a playing card, so that no hand takes one for the other; its corner at the top right
is cut off, so that a hand finds which way up it is. Source of the dots' measures: `braille`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Literal

import cv2
import numpy as np
import pydyf

from service import braille
from service.commands import Command, commands, key_words, name_of, with_marks
from service.language import Language
from vision.marks import DICTIONARY, MODULES

Paper = Literal["a4", "letter"]
PAPERS: Final[dict[Paper, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

CARD: Final = (94.0, 64.0)
COLUMNS: Final = 2
ROWS: Final = 4
MARK: Final = 36.0
CUT: Final = 11.0
MARGIN: Final = 6.0
LARGEST: Final = 30.0
"""Points of the largest print."""

POINT: Final = 72 / 25.4
BLACK, GREY, WHITE = (0.0, 0.0, 0.0), (0.45, 0.45, 0.45), (1.0, 1.0, 1.0)
INKS: Final = {
    "red": (0.80, 0.07, 0.09),
    "blue": (0.03, 0.30, 0.68),
    "green": (0.10, 0.50, 0.17),
    "yellow": (0.98, 0.78, 0.0),
}

Ink = tuple[float, float, float]
Place = tuple[float, float]


class Page:
    """One page of a sheet: shapes and text, placed in mm from its top left corner."""

    def __init__(self, size: Place) -> None:
        self.size = size
        self.stream = pydyf.Stream(compress=True)
        scale = POINT
        self.stream.set_matrix(scale, 0, 0, scale, 0, 0)

    def _down(self, y: float) -> float:
        return self.size[1] - y

    def rectangle(self, at: Place, size: Place, ink: Ink = BLACK) -> None:
        """A filled rectangle."""
        self.stream.set_color_rgb(*ink)
        self.stream.rectangle(at[0], self._down(at[1] + size[1]), *size)
        self.stream.fill()

    def polygon(self, points: Sequence[Place], ink: Ink | None = BLACK, line: float = 0.0) -> None:
        """A polygon, filled with `ink`, or drawn with a `line` of that width; both with an edge in black."""
        self.stream.move_to(points[0][0], self._down(points[0][1]))
        for x, y in points[1:]:
            self.stream.line_to(x, self._down(y))
        self.stream.set_color_rgb(*BLACK, stroke=True)
        self.stream.set_line_width(line)
        if ink is None:
            self.stream.stroke_and_close()
            return
        self.stream.set_color_rgb(*ink)
        self.stream.close()
        self.stream.fill_and_stroke() if line else self.stream.fill()

    def circle(self, middle: Place, radius: float, ink: Ink = BLACK, line: float = 0.0) -> None:
        """A filled circle."""
        corners = [(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 49)[:-1]]
        self.polygon([(middle[0] + radius * float(x), middle[1] + radius * float(y)) for x, y in corners], ink, line)

    def text(self, at: Place, text: str, points: float, ink: Ink = BLACK, bold: bool = True) -> None:
        """A line of text; `at` is the left end of its foot."""
        self.stream.begin_text()
        self.stream.set_color_rgb(*ink)
        self.stream.set_font_size("Bold" if bold else "Plain", points / POINT)
        self.stream.set_text_matrix(1, 0, 0, 1, at[0], self._down(at[1]))
        self.stream.stream.append(b"<" + text.encode("cp1252", "replace").hex().encode() + b"> Tj")
        self.stream.end_text()

    def braille(self, at: Place, text: str, language: str) -> None:
        """A line of Braille; `at` is the middle of its first dot."""
        for x, y in braille.dots(text, language):
            self.circle((at[0] + x, at[1] + y), braille.DIAMETER_MM / 2)


def width_of(text: str, points: float) -> float:
    """About how wide a line of bold Helvetica is, mm; never less than it is."""
    ems = sum(
        0.34 if letter in "ijl.,'!:;|()[]ftrI -" else 0.95 if letter in "mwMW%@" else 0.73 if letter.isupper() else 0.62
        for letter in text
    )
    return ems * points / POINT


def lines_of(text: str, width: float, largest: float = LARGEST) -> tuple[list[str], float]:
    """`text` in one or two lines as large as they fit into `width` mm, and their points."""
    words = text.split()
    broken = [[text]] + [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
    sized = [(min(largest, *(largest * width / width_of(line, largest) for line in lines)), lines) for lines in broken]
    points, lines = max(sized, key=lambda pair: (pair[0], -len(pair[1])))
    return lines, points


def wrapped(text: str, width: float, points: float) -> list[str]:
    """`text` in lines that fit into `width` mm."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        lines[-1:] = [joined] if width_of(joined, points) <= width else [lines[-1], word]
    return lines


def braille_lines(text: str, width: float) -> list[str]:
    """`text` in lines of Braille that fit into `width` mm, broken between words where there are several."""
    room = int((width + braille.CELL_MM - braille.DOT_MM) // braille.CELL_MM)
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        lines[-1:] = [joined] if len(joined) <= room else [*filter(None, [lines[-1]]), word]
    return lines


def draw_card(page: Page, at: Place, command: Command, language: Language) -> None:
    """One command card with its upper left corner `at`."""
    name, (x, y), (width, height) = name_of(command.id, language), at, CARD
    outline = [(x, y), (x + width - CUT, y), (x + width, y + CUT), (x + width, y + height), (x, y + height)]
    page.polygon(outline, None, 0.3)
    draw_mark(page, (x + MARGIN, y + 5), command.mark or 0)
    left, room = x + MARGIN + MARK + 6, width - MARGIN - MARK - 6 - 4
    sign_below = y + (22 if command.id in INKS else 15)
    if command.id in INKS:
        draw_sign(page, (left + 8.5, y + 13), 8.5, command.id)
    lines, points = lines_of(name, room)
    foot = sign_below + points / POINT
    for number, line in enumerate(lines):
        page.text((left, foot + number * 1.1 * points / POINT), line, points)
    dotted = braille_lines(name, width - 2 * MARGIN)
    top = y + height - (7.5 if len(dotted) == 1 else 6.5) - (len(dotted) - 1) * braille.LINE_MM - 2 * braille.DOT_MM + 1
    for number, line in enumerate(dotted):
        page.braille((x + MARGIN + 1, top + number * braille.LINE_MM), line, language.code)


def draw_mark(page: Page, at: Place, number: int) -> None:
    """An ArUco mark as squares, its black border included."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, MODULES)
    square = MARK / MODULES
    page.rectangle(at, (MARK, MARK))
    for row, column in np.argwhere(bits > 0).tolist():
        # A little larger than the square, so that no line of black is left between two white ones.
        page.rectangle((at[0] + column * square - 0.02, at[1] + row * square - 0.02), (square + 0.04,) * 2, WHITE)


def draw_sign(page: Page, middle: Place, radius: float, colour: str) -> None:
    """The sign of a colour: circle, square, triangle or star, as the pages show them."""
    if colour == "red":
        page.circle(middle, radius, INKS[colour], 0.6)
        return
    shapes = {
        "blue": [(radius * 1.2, turn) for turn in (45, 135, 225, 315)],
        "green": [(radius * 1.15, turn) for turn in (270, 30, 150)],
        "yellow": [(radius * (1.15 if step % 2 == 0 else 0.48), 270 + 36 * step) for step in range(10)],
    }
    points = [
        (middle[0] + far * float(np.cos(np.radians(turn))), middle[1] + far * float(np.sin(np.radians(turn))))
        for far, turn in shapes[colour]
    ]
    page.polygon(points, INKS[colour], 0.6)


def card_pages(language: Language, paper: Paper) -> Iterator[Page]:
    """The pages of command cards, eight a page."""
    size = PAPERS[paper]
    left, top = (size[0] - COLUMNS * CARD[0]) / 2, size[1] - 8 - ROWS * CARD[1]
    cards, each = with_marks(), COLUMNS * ROWS
    for some in (cards[at : at + each] for at in range(0, len(cards), each)):
        page = Page(size)
        head(page, language, top)
        for place, command in enumerate(some):
            row, column = divmod(place, COLUMNS)
            draw_card(page, (left + column * CARD[0], top + row * CARD[1]), command, language)
        yield page


def head(page: Page, language: Language, below: float) -> None:
    """What the page is, and how it is used, above `below`."""
    about = wrapped(language.text("sheet.about"), page.size[0] - 22, 8)
    for number, line in enumerate(reversed(about)):
        page.text((11, below - 2 - 3.4 * number), line, 8, bold=False)
    page.text((11, below - 3.5 - 3.4 * len(about)), language.text("sheet.title"), 12)


def key_page(language: Language, paper: Paper) -> Page:
    """The key card: every command with all its keys."""
    page = Page(PAPERS[paper])
    page.text((15, 20), language.text("sheet.keys_title"), 22)
    page.text((15, 27), language.text("sheet.keys_about"), 11, bold=False)
    page.text((15, 33), language.text("opening.keys"), 11, bold=False)
    step = (page.size[1] - 48) / len(commands())
    for number, command in enumerate(commands().values()):
        foot = 44 + number * step
        keys = language.text("keys.or").join(key_words(key, language) for key in command.keys)
        page.text((15, foot), name_of(command.id, language), 18)
        page.text((98, foot), keys, min(16, 16 * (page.size[0] - 108) / width_of(keys, 16)), bold=False)
    return page


@dataclass(frozen=True, slots=True)
class Sheets:
    """The sheets of one language on one paper."""

    language: Language
    paper: Paper = "a4"

    def pdf(self) -> bytes:
        """Command cards and key card as a PDF document; the same cards give the same bytes."""
        document = pydyf.PDF()
        document.info["Title"] = pydyf.String(self.language.text("sheet.title"))
        document.info["Producer"] = pydyf.String("Tableref")
        document.catalog["Lang"] = pydyf.String(self.language.code)
        fonts = pydyf.Dictionary({name: self._font(document, face) for name, face in _FACES.items()})
        for page in (*card_pages(self.language, self.paper), key_page(self.language, self.paper)):
            document.add_object(page.stream)
            box = pydyf.Array([0, 0, *(round(side * POINT, 2) for side in page.size)])
            document.add_page(
                pydyf.Dictionary(
                    {
                        "Type": "/Page",
                        "Parent": document.pages.reference,
                        "MediaBox": box,
                        "Contents": page.stream.reference,
                        "Resources": pydyf.Dictionary({"Font": fonts}),
                    }
                )
            )
        return _written(document)

    @staticmethod
    def _font(document: pydyf.PDF, face: str) -> bytes:
        font = pydyf.Dictionary(
            {"Type": "/Font", "Subtype": "/Type1", "BaseFont": f"/{face}", "Encoding": "/WinAnsiEncoding"}
        )
        document.add_object(font)
        return bytes(font.reference)


_FACES: Final = {"Bold": "Helvetica-Bold", "Plain": "Helvetica"}


def _written(document: pydyf.PDF) -> bytes:
    out = BytesIO()
    document.write(out)
    return out.getvalue()
