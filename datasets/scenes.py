"""Whole training pictures: cards on tables and in hands, with the truth about every card.

`compose(rng, bank, size)` draws one; the same generator state gives the same scene. `bank.sample(rng)` gives an
upright card, its BGRA sprite and whether its corners hold an index. What is drawn first is covered by what comes later:
background, distractors, cards, hands, then light and camera, which move nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from datasets import degrade, hands, layouts, warp
from datasets.backgrounds import background
from datasets.bank import Bank, Print, one_deck
from datasets.layouts import Spot
from datasets.letters import LETTERED, lettered
from datasets.negatives import distractor
from datasets.textures import Image, fill
from datasets.warp import Quad
from referee.cards import Card

LEAST_VISIBLE = 0.12
"""A card of which less is seen is left out of the truth."""


@dataclass(frozen=True)
class Scene:
    """One picture and what is in it.

    `image` (S, S, 3) uint8 BGR; `quads` (n, 4, 2) float32 px, clockwise from the top-left of the upright card,
    may reach beyond the picture; `faces` length n, None for a back;
    `visible` (n,) float32, the share of each card seen, 0..1; `index` (n,) float32, the same for the better of its
    index corners, and `indices` (n, 2) of the one at the quad's first corner and the one across (empty where not
    told; 0 where none is printed); `centres` (n,) the same for the middle (empty where not told); `kind` is the name in
    `KINDS`.
    """

    image: Image
    quads: npt.NDArray[np.float32]
    faces: tuple[Card | None, ...]
    visible: npt.NDArray[np.float32]
    index: npt.NDArray[np.float32]
    kind: str = ""
    indices: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    centres: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))


@dataclass
class Canvas:
    """A scene in the making: the picture, whose pixel is whose, the cards laid so far."""

    image: Image
    ids: npt.NDArray[np.int16]
    quads: list[Quad] = field(default_factory=list)
    faces: list[Card | None] = field(default_factory=list)
    fullness: list[float] = field(default_factory=list)
    indexed: list[bool] = field(default_factory=list)

    @classmethod
    def over(cls, image: Image) -> "Canvas":
        """Starts with a background."""
        return cls(np.ascontiguousarray(image), np.zeros(image.shape[:2], np.int16))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in px."""
        return self.image.shape[0], self.image.shape[1]

    def lay(self, card: Card | None, sprite: Image, quad: Quad, indexed: bool = True) -> None:
        """Puts a card on top of everything so far; `indexed`: its corners hold an index."""
        self.quads.append(quad)
        self.faces.append(card)
        self.fullness.append(float(sprite[:, :, 3].mean()) / 255)
        self.indexed.append(indexed)
        warp.paste(self.image, sprite, quad, self.ids, len(self.quads))

    def indices_seen(self, number: int) -> tuple[float, float]:
        """Share seen of the index at the top left of the card laid as the `number`th, 0 first, and of that across."""
        if not self.indexed[number]:
            return 0.0, 0.0
        return warp.indices_seen(self.ids, number + 1, self.quads[number])

    def cover(self, mask: Image) -> None:
        """Says that something that is no card now hides these pixels."""
        self.ids[mask > 127] = 0


Maker = Callable[[np.random.Generator, Bank, tuple[int, int]], Canvas]


def compose(rng: np.random.Generator, bank: Bank, size: int, kind: str | None = None) -> Scene:
    """One scene of `size` x `size` px, of the named kind or of any by the weights of `KINDS`."""
    if kind is None:
        kind = _NAMES[int(rng.choice(len(_NAMES), p=_SHARES))]
    if kind == "scan":
        shape, strength = _scan_shape(rng, size), rng.uniform(0, 0.6)
    else:
        shape, strength = _shape(rng, size), rng.uniform(0.2, 1.0)
    canvas = KINDS[kind][0](rng, one_deck(rng, bank), shape)
    canvas.image = degrade.camera(rng, canvas.image, strength)
    return _finished(rng, canvas, size, kind)


def _shape(rng: np.random.Generator, size: int) -> tuple[int, int]:
    """Square, or a telephone's or webcam's oblong (to be padded)."""
    ratio = float(rng.choice([1.0, 3 / 4, 9 / 16, rng.uniform(0.5, 1)], p=[0.45, 0.3, 0.15, 0.1]))
    short = int(size * ratio)
    return (size, short) if rng.random() < 0.6 else (short, size)


def _scan_shape(rng: np.random.Generator, size: int) -> tuple[int, int]:
    short = int(size * (rng.uniform(0.62, 0.75) if rng.random() < 0.75 else rng.uniform(0.75, 1)))
    return (size, short) if rng.random() < 0.8 else (short, size)


def _finished(rng: np.random.Generator, canvas: Canvas, size: int, kind: str) -> Scene:
    numbers = list(range(1, len(canvas.quads) + 1))
    visible = warp.seen(canvas.ids, numbers, canvas.quads, canvas.fullness)
    keep = np.flatnonzero(visible >= LEAST_VISIBLE)
    indices = np.array([canvas.indices_seen(int(i)) for i in keep], np.float32).reshape(-1, 2)
    top, left = (size - canvas.shape[0]) // 2, (size - canvas.shape[1]) // 2
    ink = 114.0 if rng.random() < 0.85 else float(rng.choice([0, 255]))
    image = fill(size, size, (ink, ink, ink))
    image[top : top + canvas.shape[0], left : left + canvas.shape[1]] = canvas.image
    quads = np.array([canvas.quads[i] for i in keep], np.float32).reshape(-1, 4, 2)
    moved = (quads + np.array([left, top], np.float32)).astype(np.float32)
    faces, index = tuple(canvas.faces[i] for i in keep), indices.max(axis=1, initial=0)
    return Scene(image, moved, faces, visible[keep], index, kind, indices)


def _sprite(rng: np.random.Generator, bank: Bank, hidden: bool) -> Print:
    """A card from the bank; for a hidden one tries a few times to get a back."""
    card = bank.sample(rng)
    for _ in range(60 if hidden else 0):
        if card.card is None:
            break
        card = bank.sample(rng)
    return card._replace(picture=_lit(rng, card.picture))


def _lit(rng: np.random.Generator, sprite: Image) -> Image:
    """The sprite a little brighter or darker than its neighbours, at times shining."""
    out = sprite.copy()
    out[:, :, :3] = cv2.convertScaleAbs(sprite[:, :, :3], alpha=float(rng.uniform(0.82, 1.06)))
    if rng.random() < 0.12:
        out[:, :, :3] = degrade.glare(rng, np.ascontiguousarray(out[:, :, :3]), rng.uniform(0.4, 1))
    elif rng.random() < 0.12:
        out[:, :, :3] = degrade.haze(rng, np.ascontiguousarray(out[:, :, :3]), rng.uniform(0.3, 1))
    return out


def _start(rng: np.random.Generator, shape: tuple[int, int], most: int = 2) -> Canvas:
    """A background with 0 to `most` distractors on it."""
    canvas = Canvas.over(background(rng, *shape))
    number = int(rng.integers(1, most + 1)) if rng.random() < 0.35 else 0
    for _ in range(number):
        _distract(rng, canvas)
    return canvas


def _distract(rng: np.random.Generator, canvas: Canvas) -> None:
    height, width = canvas.shape
    tall = layouts.spread(rng, 0.12, 0.8) * max(canvas.shape)
    sprite = distractor(rng, int(min(256, max(48, tall))))
    spot = Spot(rng.uniform(0, width), rng.uniform(0, height), tall, layouts.turned(rng))
    quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
    matrix = layouts.view(rng, (spot.x, spot.y), 2.5 * tall)
    if not layouts.in_front(matrix, quad):
        return
    quad = layouts.seen_through(matrix, quad)
    _shadow(rng, canvas, quad, tall)
    warp.paste(canvas.image, sprite, quad, canvas.ids, 0)


def _shadow(rng: np.random.Generator, canvas: Canvas, quad: Quad, tall: float, lift: float = 0.012) -> None:
    """The soft shadow that something flat throws on what lies below."""
    if rng.random() < 0.15:
        return
    off = rng.normal(0, lift, 2) * tall
    warp.shade(canvas.image, quad + off, max(1.0, rng.uniform(0.005, 2.5 * lift) * tall), rng.uniform(0.15, 0.6))


def _flat(layout: Callable[[np.random.Generator, tuple[int, int]], list[Spot]]) -> Maker:
    """A maker of scenes where cards lie on a table as `layout` says."""

    def make(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Canvas:
        canvas = _start(rng, shape)
        spots = layout(rng, shape)
        matrix = layouts.view(rng, (shape[1] / 2, shape[0] / 2), max(shape) * rng.uniform(1.1, 3))
        for spot in spots:
            card, sprite, indexed = _sprite(rng, bank, spot.hidden)
            quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
            if not layouts.in_front(matrix, quad):
                continue
            quad = layouts.seen_through(matrix, quad)
            _shadow(rng, canvas, quad, spot.height)
            canvas.lay(card, sprite, quad, indexed)
        if rng.random() < 0.22 and spots:
            _reach(rng, canvas, spots[-1].height)
        return canvas

    return make


def _away(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Where an arm comes from; mostly from below or the sides."""
    angle = np.pi / 2 + (rng.normal(0, 0.8) if rng.random() < 0.75 else rng.uniform(-np.pi, np.pi))
    return np.array([np.cos(angle), np.sin(angle)])


def _reach(rng: np.random.Generator, canvas: Canvas, tall: float) -> None:
    """A hand over the table, its fingertips at a card's rim or anywhere."""
    mask = np.zeros(canvas.shape, np.uint8)
    away = _away(rng)
    if canvas.quads and rng.random() < 0.75:
        quad = canvas.quads[int(rng.integers(len(canvas.quads)))]
        target = _crossing(quad, away) - away * tall * rng.uniform(-0.25, 0.3)
    else:
        target = rng.uniform(0, 1, 2) * np.array(canvas.shape[::-1])
    unit = tall * rng.uniform(0.8, 1.25)
    below = canvas.image.copy()
    hands.reaching(rng, canvas.image, mask, target, away, unit, hands.Look.random(rng))
    if rng.random() < 0.7:
        shaded = warp.cast_shadow(below, mask, rng.normal(0, 0.08, 2) * unit, 0.06 * unit, rng.uniform(0.2, 0.6))
        canvas.image = np.where(mask[:, :, None] > 60, canvas.image, shaded)
    canvas.cover(mask)


def _crossing(quad: Quad, way: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Where the ray from the quad's middle along `way` leaves it; (2,) px."""
    middle = quad.mean(0).astype(np.float64)
    best = np.inf
    for a, b in zip(quad.astype(np.float64), np.roll(quad, -1, 0).astype(np.float64), strict=True):
        try:
            t, u = np.linalg.solve(np.stack([way, a - b], 1), a - middle)
        except np.linalg.LinAlgError:
            continue
        if t > 0 and -1e-6 <= u <= 1 + 1e-6:
            best = min(best, float(t))
    return np.asarray(middle + way * (best if np.isfinite(best) else 0.0), np.float64)


def held(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Canvas:
    """A card, or a fan of them, held in a hand before a room."""
    canvas = _start(rng, shape, most=1)
    tall = layouts.spread(rng, 0.16, 1.0) * max(shape)
    if rng.random() < 0.5:
        tall = rng.uniform(0.25, 0.6) * max(shape)
    x, y = rng.uniform(0.3, 0.7, 2) * np.array(shape[::-1])
    angle = rng.normal(0, 0.4) if rng.random() < 0.6 else layouts.turned(rng)
    spots = [Spot(float(x), float(y), tall, float(angle))]
    matrix = layouts.view(rng, (float(x), float(y)), tall * rng.uniform(1.8, 5))
    away, look = _away(rng), hands.Look.random(rng)
    _grip(rng, bank, canvas, spots, matrix, away, look)
    return canvas


def held_fan(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Canvas:
    """A fan of cards held in a hand."""
    canvas = _start(rng, shape, most=1)
    spots = layouts.fan(rng, shape)
    middle = spots[len(spots) // 2]
    matrix = layouts.view(rng, (middle.x, middle.y), middle.height * rng.uniform(2, 5))
    away = np.array([-np.sin(middle.angle), np.cos(middle.angle)])
    _grip(rng, bank, canvas, spots, matrix, away, hands.Look.random(rng))
    return canvas


def _grip(
    rng: np.random.Generator,
    bank: Bank,
    canvas: Canvas,
    spots: list[Spot],
    matrix: layouts.Matrix,
    away: npt.NDArray[np.floating],
    look: hands.Look,
) -> None:
    """Hand behind, cards, thumb in front."""
    tall = spots[0].height
    mask = np.zeros(canvas.shape, np.uint8)
    middle = spots[len(spots) // 2]
    unit = tall * rng.uniform(0.8, 1.2)
    if rng.random() < 0.93:
        hands.grip_behind(rng, canvas.image, mask, np.array([middle.x, middle.y]), unit, away, look)
    for spot in spots:
        card, sprite, indexed = _sprite(rng, bank, spot.hidden)
        quad = layouts.rectangle(spot, sprite.shape[1] / sprite.shape[0])
        if not layouts.in_front(matrix, quad):
            continue
        quad = layouts.seen_through(matrix, quad)
        _shadow(rng, canvas, quad, tall, lift=0.03)
        canvas.lay(card, sprite, quad, indexed)
    mask[:] = 0
    if canvas.quads:
        quad = canvas.quads[len(canvas.quads) // 2]
        _thumbs(rng, canvas, mask, quad, unit, away, look)
    canvas.cover(mask)


def _thumbs(
    rng: np.random.Generator,
    canvas: Canvas,
    mask: Image,
    quad: Quad,
    unit: float,
    away: npt.NDArray[np.floating],
    look: hands.Look,
) -> None:
    """Thumb over the near edge, at times fingertips over the far one."""
    turns = [rng.normal(0, 0.5)] if rng.random() < 0.9 else []
    if rng.random() < 0.3:
        turns += [np.pi + t for t in rng.normal(0, 0.35) + np.arange(int(rng.integers(1, 4))) * 0.33]
    for turn in turns:
        paint = hands.grip_front if abs(turn) < np.pi / 2 else hands.tip_over
        c, s = np.cos(turn), np.sin(turn)
        way = np.array([c * away[0] - s * away[1], s * away[0] + c * away[1]])
        paint(rng, canvas.image, mask, _crossing(quad, way), -way, unit, look)


def scan(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Canvas:
    """A card upright on a plain ground that it nearly fills, like a scan or clip art."""
    ink = float(rng.choice([255, 255, 0, 20, 240]))
    plain = rng.random() < 0.6
    canvas = Canvas.over(fill(*shape, (ink, ink, ink)) if plain else background(rng, *shape))
    card, sprite, indexed = bank.sample(rng)
    ratio = sprite.shape[1] / sprite.shape[0]
    quarter = int(rng.choice([0, 0, 0, 2])) + (1 if shape[1] > shape[0] else 0)
    room = min(max(shape), min(shape) / ratio)
    angle = quarter * np.pi / 2 + (rng.normal(0, 0.02) if rng.random() < 0.4 else 0.0)
    x, y = np.array(shape[::-1]) / 2 + rng.normal(0, 0.006, 2) * room
    spot = Spot(float(x), float(y), room * rng.uniform(0.82, 1.04), angle)
    canvas.lay(card, sprite, layouts.rectangle(spot, ratio), indexed)
    return canvas


def nothing(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Canvas:
    """No card at all: background, things that look like cards, hands."""
    canvas = Canvas.over((lettered if rng.random() < LETTERED else background)(rng, *shape))
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.4, 0.3, 0.2, 0.1]))):
        _distract(rng, canvas)
    if rng.random() < 0.3:
        tall = layouts.spread(rng, 0.2, 0.8) * max(shape)
        _reach(rng, canvas, tall)
    return canvas


KINDS: dict[str, tuple[Maker, float]] = {
    "one": (_flat(layouts.one), 0.15),
    "held": (held, 0.14),
    "close": (_flat(layouts.close), 0.05),
    "scan": (scan, 0.03),
    "pile": (_flat(layouts.pile), 0.11),
    "table": (_flat(layouts.table), 0.1),
    "fan": (_flat(layouts.fan), 0.08),
    "held fan": (held_fan, 0.07),
    "rows": (_flat(layouts.rows), 0.06),
    "scattered": (_flat(layouts.scattered), 0.05),
    "nothing": (nothing, 0.16),
}
_NAMES = tuple(KINDS)
_SHARES = np.array([share for _, share in KINDS.values()])
