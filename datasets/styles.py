"""Styles: the look of one printed deck, drawn at random from the whole family of looks that decks have.

A `Style` is all that its fifty-odd faces have in common: colours, border, oval, typeface, how actions and wilds are
shown. Lengths are parts of the card's height unless they say otherwise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import cv2
import numpy as np

from datasets import typefaces
from referee.cards import Colour

BGR = tuple[int, int, int]
Centre = Literal["line oval", "white oval", "white circle", "tinted oval", "dark oval", "none"]
Ink = Literal["white", "field", "black"]
T = TypeVar("T")

WHITE: Final[BGR] = (255, 255, 255)
BLACK: Final[BGR] = (18, 18, 18)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """How the glyphs of a deck look: `slant` tangent, `turn` degrees, `stretch` of width, `weight` px at 192.

    The mark of 6 and 9: `mark_thickness` in heights of the digit, `mark_gap` in thicknesses, `mark_width` in widths of
    the digit; with `mark_hangs` the digit keeps its size and place and the mark hangs below, else both share the space.
    `rounding` px at 192: how far sharp ends are worn round. `bend` is the field of `glyphs.bent`, empty for none; `one`
    and `seven` are the measures of `glyphs.one` and `glyphs.seven`, None where the typeface's own stand.
    """

    typeface: str
    slant: float
    turn: float
    stretch: float
    weight: float
    ink: Ink
    outline: float
    outline_ink: Ink
    shadow: tuple[float, float]
    height: float
    mark: Literal["line", "dot"]
    mark_thickness: float
    mark_gap: float
    mark_width: float
    mark_hangs: bool
    rounding: float
    bend: tuple[float, ...] = ()
    one: tuple[float, float, float, float] | None = None
    seven: tuple[float, float, float, bool] | None = None


@dataclass(frozen=True, slots=True)
class Corners:
    """The indices: `height`, distance of their middles from the edges `inset` (x in widths, y in heights)."""

    count: Literal[0, 2, 4]
    height: float
    inset: tuple[float, float]
    ink: Ink
    outline: float
    turn: float
    slanted: bool
    marked: bool
    logo: bool


@dataclass(frozen=True, slots=True)
class Actions:
    """How Skip, Reverse, Draw Two and the wilds are shown."""

    words: bool
    skip_thickness: float
    skip_rises: bool
    skip_outline: float
    reverse: str
    reverse_weight: float
    reverse_gap: float
    reverse_lean: float
    draw_two: Literal["cards", "plus", "cards and plus"]
    draw_cards_lean: float
    draw_cards_width: float
    draw_cards_spread: float
    draw_cards_filled: bool
    draw_cards_raised: bool
    wild: Literal["ellipse", "circle", "slices", "word", "lettered"]
    wild_border: float
    draw_four: Literal["cards", "plus on ellipse", "plus", "cards and plus"]
    quadrants: tuple[int, int, int, int]
    wild_turn: float
    wild_corner: Literal["none", "ellipse", "letter", "word"]


@dataclass(frozen=True, slots=True)
class Style:
    """One deck. `aspect` is width by height, `radius` and `border` in parts of the width."""

    aspect: float
    radius: float
    border: float
    border_colour: BGR | None
    inner_radius: float
    palette: dict[Colour, BGR]
    wild_field: BGR
    paper: BGR
    centre: Centre
    oval: tuple[float, float]
    oval_turn: float
    oval_line: float
    glyphs: Glyphs
    corners: Corners
    actions: Actions
    back_field: BGR
    back_oval: BGR
    back_ink: BGR
    back_word: str


def _pick(rng: np.random.Generator, options: Sequence[tuple[T, float]]) -> T:
    weights = np.array([weight for _, weight in options])
    return options[int(rng.choice(len(options), p=weights / weights.sum()))][0]


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _hsv(hue: float, saturation: float, value: float) -> BGR:
    """OpenCV's hue (0 to 180), saturation and value 0 to 255."""
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]]).astype(np.uint8)
    blue, green, red = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def random_palette(rng: np.random.Generator) -> dict[Colour, BGR]:
    """The four inks of a deck, over the prints that exist: warm to cold red, lemon to orange yellow, and so on."""
    strong = _between(rng, 150, 255)

    def ink(low: float, high: float, value: tuple[float, float], pale: float = 0) -> BGR:
        return _hsv(_between(rng, low, high), strong - pale + _between(rng, -30, 30), _between(rng, *value))

    return {
        Colour.RED: ink(-7, 6, (150, 245)),
        Colour.YELLOW: ink(20, 32, (205, 255)),
        Colour.GREEN: ink(42, 82, (85, 205)),
        Colour.BLUE: ink(96, 118, (110, 245)),
    }


def _glyphs(rng: np.random.Generator, centre: Centre, typeface: str, rounding: float) -> Glyphs:
    on_white = centre in ("white oval", "white circle")
    ink: Ink = "field" if on_white else _pick(rng, [("white", 0.95), ("black", 0.05)])
    if on_white and rng.random() < 0.06:
        ink = "black"
    outlined = rng.random() < (0.65 if on_white else 0.5)
    return Glyphs(
        typeface=typeface,
        slant=_pick(rng, [(0.0, 0.55), (_between(rng, 0.05, 0.3), 0.45)]),
        turn=_pick(rng, [(0.0, 0.75), (_between(rng, -15, 25), 0.25)]),
        stretch=_between(rng, 0.85, 1.3),
        weight=_pick(rng, [(0.0, 0.4), (_between(rng, -2, 7), 0.6)]),
        ink=ink,
        outline=_between(rng, 0.004, 0.016) if outlined else 0.0,
        outline_ink=_pick(rng, [("black", 0.85), ("white", 0.15)]) if ink != "black" else "white",
        shadow=_pick(rng, [((0.0, 0.0), 0.5), ((_between(rng, -0.022, 0.022), _between(rng, -0.01, 0.025)), 0.5)]),
        height=_between(rng, 0.26, 0.46),
        mark=_pick(rng, [("line", 0.9), ("dot", 0.1)]),
        mark_thickness=_between(rng, 0.07, 0.15),
        mark_gap=_between(rng, 0.4, 1.7),
        mark_width=_between(rng, 0.7, 1.15),
        mark_hangs=bool(rng.random() < 0.55),
        rounding=rounding,
    )


def _own_shapes(rng: np.random.Generator, glyphs: Glyphs) -> Glyphs:
    """The glyphs as of a typeface that nobody else has: parts moved, a 1 and a 7 of its own."""
    weight = _between(rng, 0.1, 0.26)
    foot = _pick(rng, [(0.0, 0.6), (_between(rng, 0.12, 0.25), 0.4)])
    one = (weight, _between(rng, 0.1, 0.34), _between(rng, 0.02, 0.26), foot)
    seven = (weight * _between(rng, 0.8, 1.1), _between(rng, 0.5, 0.75), _between(rng, 0.05, 0.3), rng.random() < 0.3)
    return dataclasses.replace(
        glyphs,
        bend=_pick(rng, [((), 0.4), (tuple(float(part) for part in rng.normal(0, 0.022, 18)), 0.6)]),
        one=_pick(rng, [(None, 0.65), (one, 0.35)]),
        seven=_pick(rng, [(None, 0.75), (seven, 0.25)]),
    )


def _corners(rng: np.random.Generator, glyphs: Glyphs) -> Corners:
    return Corners(
        count=_pick(rng, [(2, 0.84), (4, 0.07), (0, 0.09)]),
        height=_between(rng, 0.075, 0.16),
        inset=(_between(rng, 0.115, 0.18), _between(rng, 0.085, 0.125)),
        ink=_pick(rng, [("white", 0.85), ("black", 0.15)]),
        outline=_pick(rng, [(0.0, 0.6), (_between(rng, 0.002, 0.006), 0.4)]),
        turn=_pick(rng, [(0.0, 0.85), (_between(rng, -10, 20), 0.15)]),
        slanted=bool(rng.random() < 0.7),
        marked=bool(rng.random() < 0.7),
        logo=bool(rng.random() < 0.15),
    )


def _actions(rng: np.random.Generator, raised: bool) -> Actions:
    order = [int(i) for i in rng.permutation(4)]
    return Actions(
        words=bool(rng.random() < 0.07),
        skip_thickness=_between(rng, 0.1, 0.2),
        skip_rises=bool(rng.random() < 0.7),
        skip_outline=_between(rng, 0.003, 0.014),
        reverse=_pick(rng, [("straight", 0.55), ("half", 0.12), ("curved", 0.13), ("bolt", 0.2)]),
        reverse_weight=_between(rng, 0.075, 0.125),
        reverse_gap=_between(rng, 0.0, 0.1),
        reverse_lean=_between(rng, 15, 55),
        draw_two=_pick(rng, [("cards", 0.75), ("plus", 0.13), ("cards and plus", 0.12)]),
        draw_cards_lean=_between(rng, -0.35, 0.55),
        draw_cards_width=_between(rng, 0.48, 0.68),
        draw_cards_spread=_between(rng, 0.85, 1.5),
        draw_cards_filled=bool(rng.random() < 0.6),
        draw_cards_raised=raised,
        wild=_pick(rng, [("ellipse", 0.6), ("circle", 0.14), ("slices", 0.08), ("word", 0.05), ("lettered", 0.13)]),
        wild_border=_pick(rng, [(0.0, 0.4), (_between(rng, 0.006, 0.025), 0.6)]),
        draw_four=_pick(rng, [("cards", 0.6), ("plus on ellipse", 0.17), ("plus", 0.08), ("cards and plus", 0.15)]),
        quadrants=(order[0], order[1], order[2], order[3]),
        wild_turn=_pick(rng, [(0.0, 0.6), (_between(rng, -50, 50), 0.4)]),
        wild_corner=_pick(rng, [("none", 0.2), ("ellipse", 0.5), ("letter", 0.1), ("word", 0.2)]),
    )


def _oval(rng: np.random.Generator, centre: Centre) -> tuple[tuple[float, float], float]:
    """Half axes in widths and turn in degrees, so that the oval stays between the card's long edges."""
    reach = _between(rng, 0.36, 0.465)
    if centre == "white circle":
        return (reach, reach), 0.0
    turn = _pick(rng, [(_between(rng, 18, 40), 0.78), (0.0, 0.14), (_between(rng, -35, -15), 0.08)])
    along, angle = _between(rng, 0.52, 0.72), math.radians(turn)
    across = math.sqrt(max(0.05, reach**2 - (along * math.sin(angle)) ** 2)) / math.cos(angle)
    return (across, along), turn


def _leaning(rng: np.random.Generator, glyphs: Glyphs) -> Glyphs:
    """The glyphs slanted and turned together, as far as either goes: a 1 begins to look like a 7, a 6 like a 9."""
    return dataclasses.replace(
        glyphs,
        slant=_between(rng, 0.12, 0.32),
        turn=_pick(rng, [(_between(rng, 8, 27), 0.65), (_between(rng, -17, -5), 0.2), (0.0, 0.15)]),
    )


def random_style(
    rng: np.random.Generator, faces: Sequence[str] | None = None, invented: bool = False, leaning: bool = False
) -> Style:
    """A deck at random. `faces`: paths of the typefaces to choose from; all that are installed when None.

    invented: most are changed into typefaces that nobody else has. leaning: their numbers lean far.
    """
    known = typefaces.printed() if faces is None else faces
    # of its own stream, so that a seed keeps the rest of its deck
    later = rng.spawn(1)[0]
    rounding = _pick(later, [(0.0, 0.65), (_between(later, 2, 9), 0.35)])
    centre: Centre = _pick(
        rng,
        [
            ("line oval", 0.36),
            ("white oval", 0.36),
            ("white circle", 0.08),
            ("tinted oval", 0.06),
            ("dark oval", 0.05),
            ("none", 0.09),
        ],
    )
    glyphs = _glyphs(rng, centre, str(rng.choice(known)) if len(known) else "", rounding)
    oval, turn = _oval(rng, centre)
    if leaning:
        glyphs = _leaning(later.spawn(2)[1], glyphs)
    border: BGR | None = _pick(rng, [(WHITE, 0.8), (BLACK, 0.08), (None, 0.12)])
    blue, green, red = (int(value) for value in rng.integers(215, 256, 3))
    paper: BGR = _pick(rng, [(WHITE, 0.5), ((blue, green, red), 0.5)])
    return Style(
        aspect=_between(rng, 0.63, 0.68),
        radius=_between(rng, 0.04, 0.11),
        border=_between(rng, 0.035, 0.085),
        border_colour=paper if border == WHITE else border,
        inner_radius=_pick(rng, [(_between(rng, 0.0, 0.04), 0.3), (_between(rng, 0.05, 0.14), 0.7)]),
        palette=random_palette(rng),
        wild_field=_pick(rng, [((18, 18, 18), 0.85), ((60, 50, 45), 0.1), ((255, 255, 255), 0.05)]),
        paper=paper,
        centre=centre,
        oval=oval,
        oval_turn=turn,
        oval_line=_between(rng, 0.008, 0.03),
        glyphs=_own_shapes(later.spawn(1)[0], glyphs) if invented else glyphs,
        corners=_corners(rng, glyphs),
        actions=_actions(rng, bool(later.random() < 0.6)),
        back_field=_pick(rng, [((18, 18, 18), 0.6), (_hsv(_between(rng, 0, 180), 200, 160), 0.4)]),
        back_oval=_pick(rng, [((30, 30, 215), 0.7), (_hsv(_between(rng, 0, 180), 220, 220), 0.3)]),
        back_ink=_pick(rng, [((40, 220, 250), 0.6), (WHITE, 0.4)]),
        back_word=_pick(rng, [("UNO", 0.6), ("ONE", 0.1), ("1", 0.05), ("CARDS", 0.1), ("", 0.15)]),
    )
