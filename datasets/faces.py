"""Faces: a card of a style as a picture, drawn by our own code from nothing but shapes and typefaces."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets import glyphs as shapes
from datasets import typefaces
from datasets.glyphs import Mask
from datasets.lettering import digit, lettered, plus, text
from datasets.styles import BGR, BLACK, WHITE, Ink, Style
from referee.cards import Card, Rank

Picture = npt.NDArray[np.uint8]

CANVAS: Final = 416
"""Height in pixels at which a card is drawn before it is scaled."""

WORDS: Final = {
    Rank.SKIP: "SKIP",
    Rank.REVERSE: "REVERSE",
    Rank.DRAW_TWO: "DRAW\nTWO",
    Rank.WILD: "WILD",
    Rank.WILD_DRAW_FOUR: "WILD\nDRAW\nFOUR",
    Rank.SWAP_HANDS: "SWAP\nHANDS",
}


def paint(canvas: Picture, mask: Mask, centre: tuple[float, float], colour: BGR) -> None:
    """Blends `colour` into `canvas` under `mask`, whose middle lies at `centre` (x, y) px; what sticks out is cut."""
    height, width = mask.shape
    left, top = round(centre[0] - width / 2), round(centre[1] - height / 2)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x1 <= x0 or y1 <= y0:
        return
    alpha = mask[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)[..., None] / 255
    region = canvas[y0:y1, x0:x1]
    region[:] = (region + alpha * (np.array(colour, np.float32) - region) + 0.5).astype(np.uint8)


def _ellipse(axes: tuple[float, float], turn: float, size: tuple[int, int], line: float = 0.0) -> Mask:
    """An ellipse on a mask (height, width); half axes (x, y) px; filled unless `line` px thick."""
    mask = np.zeros(size, np.uint8)
    box = ((size[1] / 2, size[0] / 2), (axes[0] * 2, axes[1] * 2), turn)
    if line:
        inner = ((size[1] / 2, size[0] / 2), (max(1.0, (axes[0] - line) * 2), max(1.0, (axes[1] - line) * 2)), turn)
        cv2.ellipse(mask, box, 255, -1, cv2.LINE_AA)
        cv2.ellipse(mask, inner, 0, -1, cv2.LINE_AA)
        return mask
    cv2.ellipse(mask, box, 255, -1, cv2.LINE_AA)
    return mask


class Pen:
    """Draws one card of one style on a canvas; keeps what the parts of a face share."""

    def __init__(self, card: Card | None, style: Style) -> None:
        self.card, self.style = card, style
        self.height, self.width = CANVAS, round(CANVAS * style.aspect)
        self.canvas: Picture = np.zeros((self.height, self.width, 3), np.uint8)
        self.middle = (self.width / 2, self.height / 2)
        colour = card.colour if card else None
        self.field: BGR = style.palette[colour] if colour else style.wild_field

    def ink(self, ink: Ink) -> BGR:
        """The colour of an ink on this card."""
        return {"white": self.style.paper, "field": self.field, "black": BLACK}[ink]

    def base(self, field: BGR) -> None:
        """Border and coloured field."""
        style = self.style
        self.canvas[:] = field if style.border_colour is None else style.border_colour
        if style.border_colour is not None:
            inset = style.border * self.width
            size = (round(self.height - 2 * inset), round(self.width - 2 * inset))
            paint(self.canvas, shapes.rounded(*size, style.inner_radius * self.width), self.middle, field)

    def oval_axes(self) -> tuple[float, float]:
        """Half axes (x, y) px of the big oval, kept inside the card."""
        across, along = self.style.oval
        return across * self.width, along * self.width

    def oval(self) -> None:
        """The big oval, circle or line behind the glyph."""
        style, size = self.style, (self.height, self.width)
        axes, turn = self.oval_axes(), style.oval_turn
        if style.centre == "line oval":
            paint(self.canvas, _ellipse(axes, turn, size, style.oval_line * self.height), self.middle, style.paper)
        elif style.centre in ("white oval", "white circle"):
            paint(self.canvas, _ellipse(axes, turn, size), self.middle, style.paper)
        elif style.centre in ("tinted oval", "dark oval"):
            factor = 1.25 if style.centre == "tinted oval" else 0.72
            shade = tuple(int(min(255, v * factor + (20 if factor > 1 else 0))) for v in self.field)
            paint(self.canvas, _ellipse(axes, turn, size), self.middle, (shade[0], shade[1], shade[2]))

    def glyph(self, mask: Mask, height: float, centre: tuple[float, float], ink: BGR, outline: float, rim: BGR) -> None:
        """A mask scaled to `height` px (no wider than the card allows), with outline (px) and the style's shadow."""
        scale = min(height / mask.shape[0], self.width * 0.8 / mask.shape[1])
        mask = shapes.resize(mask, round(mask.shape[0] * scale), round(mask.shape[1] * scale))
        wide = shapes.thicken(mask, outline) if outline else mask
        self.shadow(shapes.thicken(mask, max(outline, 1.0)), centre, BLACK if ink != BLACK else self.style.paper)
        if outline:
            paint(self.canvas, wide, centre, rim)
        paint(self.canvas, mask, centre, ink)

    def shadow(self, mask: Mask, centre: tuple[float, float], ink: BGR) -> None:
        """What stands behind a raised shape: the shape drawn out into the style's direction."""
        dx, dy = self.style.glyphs.shadow
        if dx or dy:
            for step in np.linspace(0.25, 1, 4):
                place = (centre[0] + dx * self.height * step, centre[1] + dy * self.height * step)
                paint(self.canvas, mask, place, ink)

    def central(self, mask: Mask, scale: float = 1.0, lower: float = 0.0) -> None:
        """The glyph in the middle of the card, in the style's ink and outline, lowered by `lower` px."""
        g, place = self.style.glyphs, (self.middle[0], self.middle[1] + lower)
        ink, rim = self.ink(g.ink), self.ink(g.outline_ink)
        self.glyph(mask, g.height * self.height * scale, place, ink, g.outline * self.height, rim)

    def index(self, mask: Mask, scale: float = 1.0) -> None:
        """The glyph in the corners."""
        corners = self.style.corners
        if not corners.count:
            return
        dark = self.card is not None and self.card.is_wild and self.style.wild_field == WHITE
        ink = BLACK if dark else self.ink(corners.ink if self.field != BLACK else "white")
        small = self._corner_picture(mask, scale, ink)
        x, y = corners.inset[0] * self.width, corners.inset[1] * self.height
        places = [(x, y), (self.width - x, self.height - y)]
        if corners.count == 4:
            places += [(self.width - x, y), (x, self.height - y)]
        for number, place in enumerate(places):
            self._stamp(small, place, turned=number in (1, 3))
        if corners.logo:
            logo = text("UNO", self.style.glyphs.typeface)
            size = shapes.resize(logo, round(self.height * 0.025), round(self.height * 0.06))
            paint(self.canvas, size, (self.width - x, self.height * 0.06), ink)

    def _corner_picture(self, mask: Mask, scale: float, ink: BGR) -> list[tuple[Mask, BGR]]:
        corners = self.style.corners
        if corners.turn:
            mask = shapes.lean(mask, 0.0, corners.turn)
        height = corners.height * self.height * scale
        factor = min(height / mask.shape[0], self.width * 0.2 / mask.shape[1])
        mask = shapes.resize(mask, round(mask.shape[0] * factor), round(mask.shape[1] * factor))
        if not corners.outline:
            return [(mask, ink)]
        rim = BLACK if ink != BLACK else self.style.paper
        return [(shapes.thicken(mask, max(1, corners.outline * self.height)), rim), (mask, ink)]

    def _stamp(self, layers: list[tuple[Mask, BGR]], place: tuple[float, float], turned: bool) -> None:
        for mask, colour in layers:
            paint(self.canvas, np.ascontiguousarray(mask[::-1, ::-1]) if turned else mask, place, colour)


def _card_shape(pen: Pen) -> Mask:
    a = pen.style.actions
    mask = shapes.rounded(shapes.INK, round(shapes.INK * a.draw_cards_width), shapes.INK * 0.07)
    return shapes.lean(mask, a.draw_cards_lean, pen.style.glyphs.turn)


def small_cards(pen: Pen, places: list[tuple[float, float]], fills: list[BGR], size: float) -> None:
    """Little cards `size` px high: `places` in widths from the card's middle, one fill each."""
    a = pen.style.actions
    shape = _card_shape(pen)
    scale = size / shape.shape[0]
    mask = shapes.resize(shape, round(size), round(shape.shape[1] * scale))
    outline, spread = max(2.0, pen.style.glyphs.outline * pen.height), pen.width * a.draw_cards_spread
    for (dx, dy), fill in zip(places, fills, strict=True):
        centre = (pen.middle[0] + dx * spread, pen.middle[1] + dy * spread)
        rim = BLACK if max(fill) > 60 else pen.style.paper
        wide = shapes.thicken(mask, outline)
        if a.draw_cards_raised:
            pen.shadow(wide, centre, rim)
        paint(pen.canvas, wide, centre, rim)
        if a.draw_cards_filled:
            paint(pen.canvas, mask, centre, fill)
        else:
            paint(pen.canvas, mask, centre, pen.style.paper)
            paint(pen.canvas, shapes.resize(mask, round(size * 0.82), round(mask.shape[1] * 0.82)), centre, fill)


def four_colours(pen: Pen, axes: tuple[float, float], turn: float, centre: tuple[float, float]) -> None:
    """An ellipse in four quarters; half axes px."""
    side = int(max(axes) * 2 + 8)
    whole = _ellipse(axes, turn, (side, side))
    a = pen.style.actions
    if a.wild_border:
        border = a.wild_border * max(axes) * 2
        rim = _ellipse((axes[0] + border, axes[1] + border), turn, (side + int(border * 3), side + int(border * 3)))
        paint(pen.canvas, rim, centre, pen.style.paper if pen.style.wild_field != WHITE else BLACK)
    angle = np.deg2rad(a.wild_turn if a.wild != "slices" else turn + 45)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) - side / 2
    u, v = xs * np.cos(angle) + ys * np.sin(angle), -xs * np.sin(angle) + ys * np.cos(angle)
    quarter = (u > 0).astype(int) + 2 * (v > 0).astype(int)
    inks = list(pen.style.palette.values())
    for number in range(4):
        paint(pen.canvas, np.where(quarter == number, whole, 0).astype(np.uint8), centre, inks[a.quadrants[number]])


def _word(pen: Pen, words: str, height: float) -> None:
    mask = lettered(words, pen.style.glyphs)
    light = pen.card is not None and not pen.card.is_wild
    ink = pen.ink(pen.style.glyphs.ink) if light else (pen.style.paper if pen.style.wild_field != WHITE else BLACK)
    rim = BLACK if ink != BLACK else pen.style.paper
    pen.glyph(mask, height, pen.middle, ink, max(1.5, pen.style.glyphs.outline * pen.height), rim)


def _number(pen: Pen, rank: Rank) -> None:
    g, corners = pen.style.glyphs, pen.style.corners
    mask, bare = digit(rank, g), digit(rank, g, marked=False)
    grown = mask.shape[0] / bare.shape[0] if g.mark_hangs else 1.0
    pen.central(mask, grown, (grown - 1) / 2 * g.height * pen.height)
    pen.index(digit(rank, g, corners.marked, corners.slanted))


def _skip(pen: Pen) -> None:
    a = pen.style.actions
    sign = shapes.skip(a.skip_thickness, a.skip_rises)
    pen.central(sign, 0.95)
    pen.index(sign, 0.85)


def _reverse(pen: Pen) -> None:
    a = pen.style.actions
    sign = shapes.lean(shapes.reverse(a.reverse, a.reverse_weight, a.reverse_gap), 0.0, a.reverse_lean)
    pen.central(sign, 1.15)
    pen.index(sign, 1.0)


def _draw_two(pen: Pen) -> None:
    a, g = pen.style.actions, pen.style.glyphs
    if "cards" in a.draw_two:
        fill = pen.ink(g.ink)
        small_cards(pen, [(0.09, -0.1), (-0.09, 0.1)], [fill, fill], pen.height * g.height * 0.75)
    if "plus" in a.draw_two:
        pen.central(plus(2, g), 0.8 if a.draw_two == "plus" else 0.5)
    pen.index(plus(2, g))


def _corner_ellipse(pen: Pen) -> None:
    corners = pen.style.corners
    x, y = corners.inset[0] * pen.width, corners.inset[1] * pen.height
    axes = (corners.height * pen.height * 0.32, corners.height * pen.height * 0.48)
    for place in ((x, y), (pen.width - x, pen.height - y)):
        four_colours(pen, axes, pen.style.oval_turn, place)


def _wild_index(pen: Pen, word: str) -> None:
    kind = pen.style.actions.wild_corner
    if kind == "ellipse":
        _corner_ellipse(pen)
    elif kind in ("letter", "word"):
        pen.index(text(word if kind == "word" else word[0], pen.style.glyphs.typeface), 0.7)


def _wild(pen: Pen) -> None:
    a, axes = pen.style.actions, pen.oval_axes()
    if a.wild == "word":
        _word(pen, "WILD", pen.height * 0.22)
    else:
        radius = min(axes)
        across = (radius, radius) if a.wild == "circle" else axes
        four_colours(pen, across, pen.style.oval_turn, pen.middle)
        if a.wild == "lettered":
            _word(pen, "WILD", pen.height * 0.17)
    _wild_index(pen, "WILD")


def _draw_four(pen: Pen) -> None:
    a, g = pen.style.actions, pen.style.glyphs
    inks = list(pen.style.palette.values())
    axes = pen.oval_axes()
    if a.draw_four == "plus on ellipse":
        four_colours(pen, axes, pen.style.oval_turn, pen.middle)
    elif pen.style.centre in ("white oval", "white circle"):
        paint(pen.canvas, _ellipse(axes, pen.style.oval_turn, (pen.height, pen.width)), pen.middle, pen.style.paper)
    elif pen.style.centre == "line oval":
        ring = _ellipse(axes, pen.style.oval_turn, (pen.height, pen.width), pen.style.oval_line * pen.height)
        paint(pen.canvas, ring, pen.middle, pen.style.paper)
    if "cards" in a.draw_four:
        places = [(0.14, -0.2), (-0.06, -0.1), (0.08, 0.06), (-0.14, 0.18)]
        small_cards(pen, places, [inks[i] for i in a.quadrants], pen.height * g.height * 0.62)
    if "plus" in a.draw_four:
        white = pen.style.paper if pen.style.wild_field != WHITE else BLACK
        rim = BLACK if white != BLACK else pen.style.paper
        pen.glyph(plus(4, g), pen.height * 0.24, pen.middle, white, max(2.0, g.outline * pen.height), rim)
    pen.index(plus(4, g))


def _swap_hands(pen: Pen) -> None:
    four_colours(pen, pen.oval_axes(), pen.style.oval_turn, pen.middle)
    sign = shapes.lean(shapes.swap(pen.style.actions.reverse_weight), 0.0, pen.style.glyphs.turn)
    outline = max(2.0, pen.style.glyphs.outline * pen.height)
    pen.glyph(sign, pen.height * 0.3, pen.middle, pen.style.paper, outline, BLACK)
    pen.index(sign)


def _customizable(pen: Pen, rng: np.random.Generator | None) -> None:
    axes = pen.oval_axes()
    wide = (axes[0] * 1.08, axes[1] * 1.05)
    four_colours(pen, wide, pen.style.oval_turn, pen.middle)
    inner = _ellipse((axes[0] * 0.86, axes[1] * 0.88), pen.style.oval_turn, (pen.height, pen.width))
    paint(pen.canvas, inner, pen.middle, WHITE)
    _wild_index(pen, "WILD")
    if rng is not None and rng.random() < 0.5:
        _write(pen, rng)


def _write(pen: Pen, rng: np.random.Generator) -> None:
    """A house rule in handwriting on the blank card."""
    lines = ["all draw 1", "skip all", "drop wilds", "sing!", "+3", "dance", "next 2", "free"]
    faces = typefaces.handwritten() or typefaces.printed() or ("",)
    mask = text("\n".join(rng.choice(lines, rng.integers(1, 3))), str(rng.choice(faces)))
    mask = shapes.lean(mask, 0.0, float(rng.uniform(-35, 10)))
    scale = min(pen.width * 0.6 / mask.shape[1], pen.height * 0.4 / mask.shape[0])
    mask = shapes.resize(mask, round(mask.shape[0] * scale), round(mask.shape[1] * scale))
    ink = (120, 40, 20) if rng.random() < 0.5 else BLACK
    paint(pen.canvas, mask, pen.middle, ink)


def _back(pen: Pen) -> None:
    style = pen.style
    pen.base(style.back_field)
    paint(pen.canvas, _ellipse(pen.oval_axes(), style.oval_turn, (pen.height, pen.width)), pen.middle, style.back_oval)
    if style.back_word:
        mask = shapes.lean(text(style.back_word, style.glyphs.typeface), 0.15, -20)
        pen.glyph(mask, pen.height * 0.24, pen.middle, style.back_ink, 3.0, BLACK if style.back_ink != BLACK else WHITE)


def _words(pen: Pen, rank: Rank) -> None:
    _word(pen, WORDS[rank], pen.height * (0.11 + 0.09 * WORDS[rank].count("\n")))
    pen.index(text(WORDS[rank].split("\n")[0], pen.style.glyphs.typeface), 0.5)


def _face(pen: Pen, card: Card, rng: np.random.Generator | None) -> None:
    pen.base(pen.field)
    rank = card.rank
    if not card.is_wild:
        pen.oval()
    if pen.style.actions.words and rank in (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO):
        _words(pen, rank)
    elif rank.is_number:
        _number(pen, rank)
    elif rank is Rank.CUSTOMIZABLE:
        _customizable(pen, rng)
    else:
        _SIGNS[rank](pen)


_SIGNS: Final = {
    Rank.SKIP: _skip,
    Rank.REVERSE: _reverse,
    Rank.DRAW_TWO: _draw_two,
    Rank.WILD: _wild,
    Rank.WILD_DRAW_FOUR: _draw_four,
    Rank.SWAP_HANDS: _swap_hands,
}


def indexed(card: Card | None, style: Style) -> bool:
    """Whether the corners of a card of that style tell which it is; a Customizable card's are the Wild's."""
    if card is None or card.rank is Rank.CUSTOMIZABLE:
        return False
    kind = style.actions.wild_corner
    if card.rank is Rank.WILD and kind in ("none", "ellipse"):
        return kind == "ellipse"
    return style.corners.count > 0


def draw_card(card: Card | None, style: Style, height: int, rng: np.random.Generator | None = None) -> Picture:
    """The card (None: its back) as (height, width, 4) uint8 BGRA, upright, round corners in alpha.

    `rng` decides what differs between cards of one deck (the writing on a Customizable card); None leaves it blank.
    """
    pen = Pen(card, style)
    if card is None:
        _back(pen)
    else:
        _face(pen, card, rng)
    width = round(height * style.aspect)
    alpha = shapes.rounded(pen.height, pen.width, style.radius * pen.width)
    whole = np.dstack([pen.canvas, alpha])
    if height == pen.height:
        return whole
    how = cv2.INTER_AREA if height < pen.height else cv2.INTER_CUBIC
    return cv2.resize(whole, (width, height), interpolation=how).astype(np.uint8)
