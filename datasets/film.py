"""Films a game on the virtual table: arms come from their seats, cover, lay, draw and withdraw, under a changing lamp.

`script` gives every event of a game its time and every visible one an arm; `film` renders the frames with their truth;
`write_video` puts them into a file. The same seed gives the same film.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np

from datasets import arms, hands, warp
from datasets.arms import Arm, Gesture, Point
from datasets.textures import Image
from datasets.virtual_table import Placed, Pose, VirtualTable
from datasets.warp import Quad
from referee.cards import Card
from referee.events import Deal, Draw, Event, Pass, Play, Start

WORD_AFTER: Final = (1.0, 1.5)
"""Seconds from what happened on the table to what is said about it."""
ACT_AFTER_WORD: Final = 0.6
"""Seconds from the last word to the next arm that sets out."""
TWIST: Final = 5.0
"""Degrees that a carried card is turned for each card height that it still has to go."""
LEAD_IN: Final = 2.0
"""Seconds of an untouched table before the first card, and after the last word."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One arm that comes to a pile and goes again; times in seconds since the film began."""

    seat: int
    kind: Literal["lay", "take"]
    card: Card | None
    start: float
    reach: float
    hold: float
    leave: float
    gesture: Gesture

    @property
    def change(self) -> float:
        """When the card is let go, or taken up."""
        return self.start + self.reach + 0.6 * self.hold

    @property
    def end(self) -> float:
        """When the arm has left."""
        return self.start + self.reach + self.hold + self.leave


@dataclass(frozen=True, slots=True)
class Script:
    """A game with times: what is seen (`visits`), and all that happens, as the record tells it (`events`)."""

    visits: tuple[Visit, ...]
    events: tuple[Event, ...]
    seconds: float
    seats: int


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the film is shot.

    size: (width, height) px. rate: frames a second. noise: of the sensor, grey levels. drift: how far the light
    wanders, 0.1 is ten per cent. switches: how often somebody turns a lamp up or down. mess: 0 (a squared pile) to 1.
    card: between which shares of the picture's height a card is high.
    """

    size: tuple[int, int] = (1280, 720)
    rate: float = 12.0
    noise: float = 2.0
    drift: float = 0.04
    switches: int = 2
    mess: float = 0.6
    card: tuple[float, float] = (0.16, 0.24)


STANDARD: Final = Conditions()


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One frame of a film: the picture, its time, the cards that can be seen in it (top of the discard pile last)."""

    image: Image
    seconds: float
    cards: tuple[Placed, ...]


@dataclass(slots=True)
class _Writer:
    """Lays the visits and events of a script out in time."""

    rng: np.random.Generator
    dealer: int
    now: float = LEAD_IN
    spoken: float = 0.0
    visits: list[Visit] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def visit(self, seat: int, kind: Literal["lay", "take"], card: Card | None = None, gap: float = 0.0) -> float:
        """An arm comes after `gap` seconds; returns the moment at which the card changes hands."""
        rng = self.rng
        start = max(self.now + gap, self.spoken + ACT_AFTER_WORD)
        gesture: Gesture = "flat" if rng.random() < 0.6 else "pinch"
        visit = Visit(
            seat, kind, card, start, rng.uniform(0.45, 0.7), rng.uniform(0.3, 0.5), rng.uniform(0.4, 0.6), gesture
        )
        self.visits.append(visit)
        self.now = visit.end
        return visit.change

    def add(self, event: Event, seconds: float) -> None:
        """Puts an event into the record, to the tenth of a second."""
        self.events.append(replace(event, seconds=round(seconds, 1)))

    def say(self, event: Event) -> None:
        """Something is said about what just happened."""
        last = self.visits[-1].change if self.visits else 0.0
        self.spoken = max(last, self.spoken) + self.rng.uniform(*WORD_AFTER)
        self.add(event, self.spoken)

    def act(self, event: Event) -> None:
        """One event of the game."""
        pause = self.rng.uniform(0.45, 1.0)
        match event:
            case Deal():
                self.add(event, 0.0)
            case Start(card=card):
                self.add(event, self.visit(self.dealer, "lay", card))
            case Play(seat=seat, card=card):
                self.add(event, self.visit(seat, "lay", card, gap=pause))
            case Draw(seat=seat, cards=None):
                self.add(event, self.visit(seat, "take", gap=pause))
            case Draw(seat=seat, cards=int(count)):
                times = [self.visit(seat, "take", gap=self.rng.uniform(0.1, 0.3)) for _ in range(count)]
                self.add(event, times[0])
            case Pass():
                self.add(event, self.now)
            case _:
                self.say(event)


def script(rng: np.random.Generator, events: Iterable[Event], seats: int, dealer: int = 1) -> Script:
    """The film script of a game. Events that can be seen get an arm; all get their `seconds`."""
    writer = _Writer(rng, dealer)
    for event in events:
        writer.act(event)
    return Script(tuple(writer.visits), tuple(writer.events), max(writer.now, writer.spoken) + LEAD_IN, seats)


class _Light:
    """The lamp: wanders slowly, and jumps when somebody switches one."""

    def __init__(self, rng: np.random.Generator, seconds: float, conditions: Conditions) -> None:
        self._phase, self._period = rng.uniform(0, 6.28), rng.uniform(15, 40)
        self._drift = conditions.drift
        times = np.sort(rng.uniform(0, seconds, conditions.switches))
        self._jumps = [(float(at), float(rng.uniform(0.82, 1.15))) for at in times]

    def at(self, seconds: float) -> float:
        """The brightness, 1 on the whole."""
        gain = 1 + self._drift * float(np.sin(self._phase + 6.28 * seconds / self._period))
        for at, factor in self._jumps:
            share = min(1.0, max(0.0, (seconds - at) / 0.25))
            gain *= 1 + (factor - 1) * share
        return float(np.clip(gain, 0.6, 1.35))


class Studio:
    """Renders a script on a table."""

    def __init__(self, rng: np.random.Generator, table: VirtualTable, script: Script, conditions: Conditions) -> None:
        self._rng, self._table, self._script, self._conditions = rng, table, script, conditions
        self._light = _Light(rng, script.seconds, conditions)
        self._looks = {seat: hands.Look.random(rng) for seat in range(1, script.seats + 1)}
        self._turn = rng.uniform(0, 360)
        self._arms: dict[tuple[int, str], Arm] = {}
        self._grain = [self._noise() for _ in range(4)]

    def shots(self) -> Iterator[Shot]:
        """Every frame of the film."""
        waiting = list(self._script.visits)
        poses = self._poses(waiting)
        undone = list(waiting)
        active: list[Visit] = []
        for index in range(int(self._script.seconds * self._conditions.rate)):
            now = index / self._conditions.rate
            active = [visit for visit in active if visit.end > now]
            while waiting and waiting[0].start <= now:
                active.append(waiting.pop(0))
            while undone and undone[0].change <= now:
                self._change(undone[0], poses[undone.pop(0)])
            yield self._shot(now, [(visit, poses[visit]) for visit in active])

    def _poses(self, visits: Sequence[Visit]) -> dict[Visit, Pose]:
        """Where the cards of all visits come to lie.

        A card like the one below it is not laid exactly on it: no picture of the pile could tell that from a nudge.
        """
        poses: dict[Visit, Pose] = {}
        top: Visit | None = None
        for visit in visits:
            pose = self._pose(visit)
            if visit.kind == "lay":
                while top is not None and top.card == visit.card and _alike(poses[top], pose):
                    pose = self._pose(visit)
                top = visit
            poses[visit] = pose
        return poses

    def _pose(self, visit: Visit) -> Pose:
        """Where the card of a visit comes to lie: about the pile, along it or across."""
        if visit.kind == "take":
            return self._table.place_of_stock()
        loose = self._table.loose_pose(self._conditions.mess)
        return replace(loose, degrees=loose.degrees + self._table.pile_degrees)

    def _change(self, visit: Visit, pose: Pose) -> None:
        if visit.kind == "take":
            self._table.take()
        elif visit.card is not None:
            self._table.lay(visit.card, pose)

    def _shot(self, now: float, active: Sequence[tuple[Visit, Pose]]) -> Shot:
        layer: Image | None = None
        held: list[Placed] = []
        for visit, pose in active:
            layer = np.zeros((*self._table.picture.shape[:2], 4), np.uint8) if layer is None else layer
            held += self._reach(layer, visit, pose, now)
        picture = self._table.picture.copy()
        if layer is None:
            return Shot(self._exposed(picture, now), now, self._table.seen())
        where = arms.drawn_part(layer)
        if layer[where].size:
            warp.blend(picture, np.ascontiguousarray(layer[where]), where)
        return Shot(self._exposed(picture, now), now, (*held, *self._table.seen(layer[:, :, 3] > 127)))

    def _reach(self, layer: Image, visit: Visit, pose: Pose, now: float) -> list[Placed]:
        """Draws one arm, and what it holds, into the layer; returns the card that it holds."""
        arm = self._arm(visit)
        quad = self._table.camera.quad(pose)
        target = quad.mean(0).astype(np.float64)
        offset = self._offset(visit, arm, now)
        step = offset - self._offset(visit, arm, now - 1 / 30)
        own = np.zeros_like(layer)
        carries = (now < visit.change) == (visit.kind == "lay")
        held: list[Placed] = []
        if carries:
            card = visit.card if visit.kind == "lay" else None
            turned = _turned(quad, TWIST * float(np.linalg.norm(offset)) / arm.unit) + offset.astype(np.float32)
            if visit.gesture == "pinch":
                arms.put(own, arm.pinch_behind, target + offset)
            arms.put_card(own, self._table.sprite(card), turned.astype(np.float32))
            held = [Placed(card, turned.astype(np.float32), 0.6)]
        if carries and visit.gesture == "pinch":
            arms.put(own, arm.thumb, target + offset)
        else:
            arms.put(own, arm.flat, target + offset + 0.12 * arm.unit * arm.away)
        moved = arms.smeared(own, step)
        where = arms.drawn_part(moved)
        arms.over(layer, moved[where], where)
        return held

    def _offset(self, visit: Visit, arm: Arm, now: float) -> Point:
        """How far the hand is from its place, px."""
        into = _eased((now - visit.start) / visit.reach)
        out = _eased((now - visit.start - visit.reach - visit.hold) / visit.leave)
        away = arm.reach * (1 - into + out)
        side = np.array([-arm.away[1], arm.away[0]])
        sway = 0.25 * arm.unit * np.sin(np.pi * into) * (1 if visit.seat % 2 else -1)
        tremble = 0.012 * arm.unit * np.array([np.sin(now * 23), np.cos(now * 17)])
        return np.asarray(away * arm.away + sway * side + tremble)

    def _arm(self, visit: Visit) -> Arm:
        key = (visit.seat, visit.kind)
        if key not in self._arms:
            place = self._table.discard if visit.kind == "lay" else self._table.draw
            home = self._table.seat_place(visit.seat, self._script.seats)
            ends = self._table.camera.project(np.stack([place, home])).astype(np.float64)
            away = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
            reach = _to_the_edge(ends[0], away, self._table.size) + 1.1 * self._table.card_px
            self._arms[key] = Arm(self._rng, self._looks[visit.seat], away, self._table.card_px, reach)
        return self._arms[key]

    def _noise(self) -> Image:
        width, height = self._conditions.size
        sigma = self._conditions.noise
        fine = self._rng.normal(0, sigma, (height + 64, width + 64, 1)) + self._rng.normal(
            0, 0.5 * sigma, (height + 64, width + 64, 3)
        )
        return np.asarray((fine + 128).clip(0, 255).astype(np.uint8))

    def _exposed(self, picture: Image, now: float) -> Image:
        """What the sensor makes of the picture in the light of the moment."""
        bright = cv2.convertScaleAbs(picture, alpha=self._light.at(now))
        if self._conditions.noise <= 0:
            return np.asarray(bright, np.uint8)
        grain = self._grain[int(self._rng.integers(len(self._grain)))]
        x, y = self._rng.integers(0, 64, 2)
        tile = np.ascontiguousarray(grain[y : y + picture.shape[0], x : x + picture.shape[1]])
        return np.asarray(cv2.addWeighted(bright, 1.0, tile, 1.0, -128.0), np.uint8)


def _alike(one: Pose, other: Pose) -> bool:
    """Whether two cards of one face lie so that the upper hides the lower."""
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 9 and abs(one.degrees - other.degrees) < 9)


def _eased(share: float) -> float:
    """0 to 1 as a hand moves: slow, fast, slow (minimum jerk)."""
    s = min(1.0, max(0.0, share))
    return s**3 * (10 - 15 * s + 6 * s * s)


def _turned(quad: Quad, degrees: float) -> Quad:
    middle = quad.mean(0)
    turn = np.radians(degrees)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray((quad - middle) @ spin + middle, np.float32)


def _to_the_edge(place: Point, away: Point, size: tuple[int, int]) -> float:
    """The way from a place in the picture to its edge, px."""
    ways = [(size[axis] * (away[axis] > 0) - place[axis]) / away[axis] for axis in (0, 1) if abs(away[axis]) > 1e-6]
    return float(min(way for way in ways if way >= 0)) if any(way >= 0 for way in ways) else 0.0


def write_video(path: Path, shots: Iterable[Shot], rate: float) -> list[tuple[Placed, ...]]:
    """Writes the pictures as an MP4; returns the cards of every frame. Raises OSError when it cannot be written."""
    writer: cv2.VideoWriter | None = None
    truth = []
    for shot in shots:
        if writer is None:
            size = (shot.image.shape[1], shot.image.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
            if not writer.isOpened():
                raise OSError(f"{path} cannot be written as a video")
        writer.write(shot.image)
        truth.append(shot.cards)
    if writer is not None:
        writer.release()
    return truth
