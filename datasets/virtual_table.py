"""A table with a discard pile and a draw pile under a camera that looks down roughly: what a film is made of.

Measures on the table are millimetres, x to the right and y towards the picture's lower edge, the origin in the middle
of what the camera sees. Seats sit clockwise around it. Nothing here knows the game: `film` says what is laid when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets import textures, warp
from datasets.faces import draw_card
from datasets.styles import Style
from datasets.textures import Image
from datasets.warp import Quad
from referee.cards import Card

CARD_MM: Final = (56.0, 87.0)
TableTop = Callable[[np.random.Generator, int, int], Image]
TABLE_TOPS: Final[tuple[TableTop, ...]] = (
    textures.wood,
    textures.wood,
    textures.felt,
    textures.weave,
    textures.marble,
    textures.speckles,
    textures.ornament,
    textures.wall,
)
STOCK_SHOWN: Final = 6
"""Cards at the top of the draw pile that are drawn one by one; those below cannot be seen."""
PILE_KNOWN: Final = 10
"""Cards at the top of the discard pile that the truth of a frame lists."""

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card lies: its middle in mm, turned by `degrees` clockwise, `lift` mm above the table."""

    x: float
    y: float
    degrees: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Placed:
    """One card that the camera may see: its face (None: its back), (4, 2) quad in px and the share of it seen, 0..1."""

    face: Card | None
    quad: Quad
    visible: float


class Camera:
    """A pinhole camera above the table: `project` takes points in mm to px."""

    def __init__(self, size: tuple[int, int], card_px: float, tilt: float, towards: float) -> None:
        """`size` (width, height) px; a card in the middle is `card_px` high; tilted by `tilt` degrees `towards` one."""
        width, height = size
        focal = 0.95 * width
        distance = focal * CARD_MM[1] / card_px
        around = np.radians(towards)
        axis = np.array([-np.sin(around), np.cos(around), 0.0])
        rotation = cv2.Rodrigues(axis * np.radians(tilt))[0]
        self._matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]]) @ rotation
        self._offset = np.array([width / 2, height / 2, 1.0]) * distance

    def project(self, points: npt.NDArray[np.floating], lift: float = 0.0) -> npt.NDArray[np.float32]:
        """(n, 2) mm to (n, 2) px; `lift` is the height above the table in mm."""
        solid = np.column_stack([points, np.full(len(points), -lift)])
        seen = solid @ self._matrix.T + self._offset
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float32)

    def quad(self, pose: Pose) -> Quad:
        """The corners of a card, px, clockwise from its top-left."""
        turn = np.radians(pose.degrees)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
        return self.project(half @ spin + [pose.x, pose.y], pose.lift)


class VirtualTable:
    """The table without hands. `picture` is what lies there, `ids` which card each pixel shows (0: none)."""

    def __init__(
        self,
        rng: np.random.Generator,
        style: Style,
        size: tuple[int, int],
        stock: int,
        card: tuple[float, float] = (0.16, 0.24),
        top: TableTop | None = None,
    ) -> None:
        """`card`: between which shares of the picture's height a card is high. `top`: any of TABLE_TOPS when None."""
        self.size = size
        self.style = style
        self.stock = stock
        self._rng = rng
        self.card_px = size[1] * rng.uniform(*card)
        self.camera = Camera(size, self.card_px, float(rng.uniform(0, 18)), float(rng.uniform(0, 360)))
        self.discard, self.draw = self._places()
        self.pile_degrees = float(rng.choice([0, 90]) + rng.normal(0, 12))
        self.stock_degrees = float(rng.choice([0, 90]) + rng.normal(0, 8))
        self._turned_seats = float(rng.uniform(0, 2 * np.pi))
        self._faces: dict[Card | None, Image] = {}
        top = top or TABLE_TOPS[int(rng.integers(len(TABLE_TOPS)))]
        self.picture = np.ascontiguousarray(top(rng, size[1], size[0]))
        self._clean = self.picture.copy()
        self._pile: list[tuple[Card, Pose]] = []
        self._aside: list[tuple[Card, Pose]] = []
        self._open: tuple[tuple[Card, Pose], ...] = ()
        self.ids = np.zeros((size[1], size[0]), np.int16)
        self._numbers: dict[int, tuple[Card | None, Quad]] = {}
        self._stock_poses = [self._in_stock(level) for level in range(stock)]
        self._where = self._stock_window()
        self._bare = self.picture[self._where].copy()
        self._show_stock()

    def _places(self) -> tuple[Vector, Vector]:
        """Discard pile and draw pile, side by side near the middle, in mm."""
        apart = self._rng.uniform(145, 190)
        angle = self._rng.choice([0, np.pi]) + self._rng.uniform(-0.5, 0.5)
        shift = np.array([np.cos(angle), np.sin(angle)]) * apart / 2
        middle = self._rng.uniform(-20, 20, 2)
        return middle - shift, middle + shift

    def _in_stock(self, level: int) -> Pose:
        x, y = self.draw + self._rng.normal(0, 1.3, 2)
        return Pose(float(x), float(y), self.stock_degrees + float(self._rng.normal(0, 1.6)), 0.3 * level)

    def place_of_stock(self, lift: float = 0.0) -> Pose:
        """Where the draw pile lies, at a height of `lift` mm."""
        return Pose(float(self.draw[0]), float(self.draw[1]), self.stock_degrees, lift)

    def loose_pose(self, mess: float) -> Pose:
        """A place on the discard pile as people lay cards; `mess` 0 (squared) to 1 (all over the place)."""
        x, y = self.discard + self._rng.normal(0, 3 + 9 * mess, 2)
        straight = self._rng.normal(0, 4 + 14 * mess)
        turn = self._rng.uniform(-90, 90) if self._rng.random() < 0.35 * mess else straight
        return Pose(float(x), float(y), float(turn))

    def sprite(self, card: Card | None) -> Image:
        """The card of this deck as a BGRA picture, drawn once."""
        if card not in self._faces:
            self._faces[card] = draw_card(card, self.style, round(self.card_px * 1.3), np.random.default_rng(5))
        return self._faces[card]

    def lay(self, card: Card, pose: Pose) -> None:
        """Puts a card on top of the discard pile."""
        self._pile.append((card, pose))
        self._put(card, pose)

    @property
    def pile(self) -> tuple[tuple[Card, Pose], ...]:
        """The discard pile from bottom to top."""
        return tuple(self._pile)

    def lay_anew(self, pile: Iterable[tuple[Card, Pose]]) -> None:
        """The discard pile lies as `pile` says from now on, bottom to top."""
        self._pile = list(pile)
        self._draw_anew()

    def lay_open(self, cards: tuple[tuple[Card, Pose], ...]) -> None:
        """These cards lie face up on top of everything from now on; none do when there are none."""
        self._open = cards
        self._draw_anew()

    def put_aside(self, cards: Iterable[tuple[Card, Pose]], paint: Callable[[Image], None]) -> None:
        """Other things on the table, under everything: `cards` face up, and whatever `paint` draws."""
        paint(self._clean)
        self._aside += cards
        self._draw_anew()

    def _draw_anew(self) -> None:
        self.picture[:] = self._clean
        self.ids[:] = 0
        self._numbers.clear()
        for card, pose in self._aside:
            self._put(card, pose)
        self._bare = self.picture[self._where].copy()
        self._show_stock()
        for card, pose in (*self._pile, *self._open):
            self._put(card, pose)

    def take(self, cards: int = 1) -> None:
        """Takes the top cards of the draw pile away."""
        self.stock = max(0, self.stock - cards)
        self.picture[self._where] = self._bare
        self._show_stock()

    def refill(self, count: int) -> None:
        """The draw pile holds `count` cards again (the discard pile went under it)."""
        self.stock = count
        self._stock_poses = [self._in_stock(level) for level in range(count)]
        self.picture[self._where] = self._bare
        self._show_stock()

    def _put(self, card: Card | None, pose: Pose) -> None:
        quad = self.camera.quad(pose)
        shadow = quad + np.array([0.012, 0.016]) * self.card_px
        warp.shade(self.picture, shadow, soft=max(2.0, 0.02 * self.card_px), dark=0.3)
        number = max(self._numbers, default=0) + 1
        warp.paste(self.picture, self.sprite(card), quad, self.ids, number)
        self._numbers[number] = (card, quad)

    def _show_stock(self) -> None:
        for number in [number for number, (card, _) in self._numbers.items() if card is None]:
            del self._numbers[number]
        self.ids[self._where] = 0
        for pose in self._stock_poses[max(0, self.stock - STOCK_SHOWN) : self.stock]:
            self._put(None, pose)

    def _stock_window(self) -> tuple[slice, slice]:
        """The part of the picture that the draw pile may touch, its shadows included."""
        low, high = self.place_of_stock(), self.place_of_stock(0.3 * self.stock)
        corners = self.camera.quad(low), self.camera.quad(high)
        where = warp.window(np.concatenate(corners), self.picture.shape, margin=0.16 * self.card_px)
        assert where is not None
        return where

    def seen(self, covered: npt.NDArray[np.bool_] | None = None) -> tuple[Placed, ...]:
        """The cards that can be seen, where `covered` (H, W) does not hide them; the top of the discard pile last."""
        ids = self.ids if covered is None else np.where(covered, np.int16(0), self.ids)
        numbers = sorted(self._numbers)
        faces = [n for n in numbers if self._numbers[n][0]]
        beside = faces[: len(self._aside)]
        piled = faces[len(beside) : len(faces) - len(self._open)]
        recent = beside + faces[len(faces) - len(self._open) :] + piled[-PILE_KNOWN:]
        backs = [n for n in numbers if self._numbers[n][0] is None][-1:]
        listed = backs + recent
        quads = [self._numbers[n][1] for n in listed]
        step = (slice(None, None, 2), slice(None, None, 2))
        shares = warp.seen(ids[step], listed, [np.asarray(q / 2, np.float32) for q in quads], [0.99] * len(listed))
        return tuple(
            Placed(self._numbers[n][0], q, float(s)) for n, q, s in zip(listed, quads, shares, strict=True) if s > 0.02
        )

    def seat_place(self, seat: int, seats: int) -> Vector:
        """Where the person on a seat has the shoulder, mm; seats stand evenly around, clockwise."""
        angle = 2 * np.pi * (seat - 1) / seats + self._turned_seats
        return np.array([620.0 * np.cos(angle), 480.0 * np.sin(angle)])
