"""Where every card of a film comes to lie: what each visit changes on the table, worked out before it is shot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.rows import free_row
from datasets.script import Visit
from datasets.virtual_table import Pose, VirtualTable
from referee.cards import Card

Pile = tuple[tuple[Card, Pose], ...]
Step = tuple[float, Callable[[VirtualTable], None]]

NUDGE: Final = (6.0, 20.0)
DRAG: Final = (22.0, 45.0)
"""Millimetres by which the top card is moved."""
BESIDE: Final = (45.0, 65.0)
"""Millimetres from the pile's middle at which a card lies half beside it."""
OFF: Final = (118.0, 130.0)
"""The same at which it lies beside it altogether."""
STOCK_LEFT: Final = 6


@dataclass(frozen=True, slots=True)
class Planned:
    """What one visit does. pose: where the hand goes. below: the card that lay on top before it came.

    pile: the discard pile afterwards, where it is not just one card more. adjusted: the same once the card was moved
    once more. stock: the height of the draw pile afterwards, where it is not just some cards less. shown: the cards
    that lie open afterwards, where that changes.
    """

    pose: Pose
    below: Card | None
    pile: Pile | None = None
    adjusted: Pile | None = None
    stock: int | None = None
    shown: Pile | None = None

    def steps(self, visit: Visit) -> list[Step]:
        """The changes of the table, with their times."""
        steps: list[Step] = [(visit.change, lambda table: self._change(table, visit))]
        if self.adjusted is not None:
            pile = self.adjusted
            steps.append((visit.adjusted, lambda table: table.lay_anew(pile)))
        return steps

    def _change(self, table: VirtualTable, visit: Visit) -> None:
        if self.shown is not None:
            table.lay_open(self.shown)
        elif visit.kind == "take":
            table.take(visit.cards)
        elif self.pile is not None:
            table.lay_anew(self.pile)
        elif visit.kind == "lay" and visit.card is not None:
            table.lay(visit.card, self.pose)
        if self.stock is not None:
            table.refill(self.stock)


def plan(visits: Sequence[Visit], table: VirtualTable, mess: float, odd: np.random.Generator) -> list[Planned]:
    """What all visits do, in their order."""
    planner = _Planner(table, mess, odd)
    return [planner.visit(visit) for visit in visits]


class _Planner:
    """The discard pile as it will lie."""

    def __init__(self, table: VirtualTable, mess: float, odd: np.random.Generator) -> None:
        self._table, self._mess, self._odd = table, mess, odd
        self._pile: Pile = ()
        self._away = 0
        """Cards that are being shuffled."""
        self._shown: Pile = ()

    def visit(self, visit: Visit) -> Planned:
        """What one visit does."""
        below = self._pile[-1][0] if self._pile else None
        if visit.kind in ("open", "gather"):
            return self._show(visit, below)
        if visit.kind == "bring":
            return Planned(self._table.place_of_stock(), below, stock=self._away + STOCK_LEFT)
        if visit.at_draw_pile:
            return Planned(self._table.place_of_stock(), below)
        if visit.kind == "lay":
            return self._lay(visit, below)
        if visit.kind == "reshuffle":
            return self._reshuffle(below)
        top = self._pile[-1][1] if self._pile else self._table.loose_pose(0)
        pose = self._pose(visit) if visit.kind == "exchange" else top
        self._pile = self._after(visit, pose)
        return Planned(pose, below, self._pile)

    def _lay(self, visit: Visit, below: Card | None) -> Planned:
        assert visit.card is not None
        pose = self._pose(visit)
        while self._pile and self._pile[-1][0] == visit.card and _alike(self._pile[-1][1], pose):
            # No picture could tell it from a nudge.
            pose = self._pose(visit)
        laid = (*self._pile, (visit.card, pose))
        self._pile = (*self._pile, (visit.card, self._moved(pose, NUDGE))) if visit.adjusts else laid
        return Planned(pose, below, None, self._pile if visit.adjusts else None)

    def _reshuffle(self, below: Card | None) -> Planned:
        top, self._away = self._pile[-1], len(self._pile) - 1
        self._pile = (top,)
        return Planned(top[1], below, self._pile)

    def _show(self, visit: Visit, below: Card | None) -> Planned:
        """Cards are laid open, or those that lie so are taken up."""
        if visit.kind == "open":
            self._shown = tuple(zip(visit.shown, self._open_poses(visit), strict=True))
        middle = self._shown[len(self._shown) // 2][1]
        return Planned(middle, below, shown=self._shown if visit.kind == "open" else ())

    def _open_poses(self, visit: Visit) -> list[Pose]:
        if visit.spot == "draw":
            place = self._table.place_of_stock(0.3 * self._table.stock)
            return [replace(place, degrees=place.degrees + float(self._odd.normal(0, 15)))]
        if visit.spot == "beside":
            pose = self._beside(self._table.loose_pose(self._mess))
            far = np.array([pose.x, pose.y]) - self._table.discard
            x, y = self._table.discard + far / np.linalg.norm(far) * self._odd.uniform(*OFF)
            return [replace(pose, x=float(x), y=float(y))]
        return [
            replace(pose, degrees=pose.degrees + float(self._odd.normal(0, 3)))
            for pose in free_row(self._table, len(visit.shown))
        ]

    def _after(self, visit: Visit, pose: Pose) -> Pile:
        match visit.kind:
            case "lift":
                return self._pile[:-1]
            case "exchange":
                assert visit.card is not None
                return (*self._pile[:-1], (visit.card, pose))
            case "shift" | "drag":
                return (
                    *self._pile[:-1],
                    (self._pile[-1][0], self._moved(pose, NUDGE if visit.kind == "shift" else DRAG)),
                )
            case "straighten":
                return tuple((card, self._straighter(lying, 0.5)) for card, lying in self._pile)
            case "square":
                return tuple((card, self._straighter(lying, 0.06)) for card, lying in self._pile)
        return self._pile

    def _pose(self, visit: Visit) -> Pose:
        """Where the card of a visit comes to lie: about the pile, along it or across, or half beside it."""
        loose = self._table.loose_pose(self._mess)
        pose = replace(loose, degrees=loose.degrees + self._table.pile_degrees)
        return self._beside(pose) if visit.beside else pose

    def _beside(self, pose: Pose) -> Pose:
        """Half beside the pile, on the side away from the draw pile."""
        away = self._table.discard - self._table.draw
        angle = np.arctan2(away[1], away[0]) + self._odd.uniform(-1, 1)
        x, y = self._table.discard + self._odd.uniform(*BESIDE) * np.array([np.cos(angle), np.sin(angle)])
        return replace(pose, x=float(x), y=float(y))

    def _moved(self, pose: Pose, by: tuple[float, float]) -> Pose:
        way, angle = self._odd.uniform(*by), self._odd.uniform(0, 2 * np.pi)
        turn = float(self._odd.normal(0, 8))
        x, y = pose.x + way * np.cos(angle), pose.y + way * np.sin(angle)
        return replace(pose, x=float(x), y=float(y), degrees=pose.degrees + turn)

    def _straighter(self, pose: Pose, share: float) -> Pose:
        """Nearer to the pile's middle: `share` of the way that it lay away stays."""
        x, y = (
            self._table.discard + share * (np.array([pose.x, pose.y]) - self._table.discard) + self._odd.normal(0, 1, 2)
        )
        off = (pose.degrees - self._table.pile_degrees + 90) % 180 - 90
        return replace(pose, x=float(x), y=float(y), degrees=self._table.pile_degrees + share * off)


def _alike(one: Pose, other: Pose) -> bool:
    """Whether two cards of one face lie so that the upper hides the lower."""
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 9 and abs(one.degrees - other.degrees) < 9)
