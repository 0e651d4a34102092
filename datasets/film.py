"""Films a script on the virtual table: arms come from their seats, cover, lay, draw and go, under a changing lamp.

`Studio` renders the frames with their truth, `write_video` puts them into a file. The same seed gives the same film.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets import arms, hands, warp
from datasets.arms import Arm, Point
from datasets.lens import Lens
from datasets.plan import Planned, plan
from datasets.script import Script, Visit
from datasets.textures import Image
from datasets.troubles import NONE, Troubles
from datasets.virtual_table import Placed, VirtualTable
from datasets.warp import Quad

TWIST: Final = 5.0
"""Degrees that a carried card is turned for each card height that it still has to go."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the film is shot.

    size: (width, height) px. rate: frames a second. noise: of the sensor, grey levels. drift: how far the light
    wanders, 0.1 is ten per cent. switches: how often somebody turns a lamp up or down. mess: 0 (a squared pile) to 1.
    card: between which shares of the picture's height a card is high. light: of the whole room, 1 by day, 0.5 in half
    light. troubles: what goes wrong.
    """

    size: tuple[int, int] = (1280, 720)
    rate: float = 12.0
    noise: float = 2.0
    drift: float = 0.04
    switches: int = 2
    mess: float = 0.6
    card: tuple[float, float] = (0.16, 0.24)
    light: float = 1.0
    troubles: Troubles = NONE


STANDARD: Final = Conditions()


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One frame of a film: the picture, its time, the cards that can be seen in it (top of the discard pile last).

    seats: whose arms are over the table.
    """

    image: Image
    seconds: float
    cards: tuple[Placed, ...]
    seats: tuple[int, ...] = ()

    def truth(self, index: int) -> dict[str, Any]:
        """What is true of this frame, for a line of JSON."""
        cards = [
            {"card": str(c.face or "back"), "visible": round(c.visible, 2), "quad": c.quad.round(1).tolist()}
            for c in self.cards
        ]
        return {"frame": index, "seconds": round(self.seconds, 3), "arms": list(self.seats), "cards": cards}


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
    """Renders a script on a table. `odd` draws what only troubles need."""

    def __init__(
        self,
        rng: np.random.Generator,
        table: VirtualTable,
        script: Script,
        conditions: Conditions,
        odd: np.random.Generator | None = None,
    ) -> None:
        self._rng, self._table, self._script, self._conditions = rng, table, script, conditions
        self._odd = odd or np.random.default_rng(0)
        self._light = _Light(rng, script.seconds, conditions)
        self._looks = {seat: hands.Look.random(rng) for seat in range(1, script.seats + 1)}
        self._turn = rng.uniform(0, 360)
        self._arms: dict[tuple[int, str], Arm] = {}
        self._grain = [self._noise() for _ in range(4)]
        moments = [visit.start for visit in script.visits]
        self._lens = Lens(self._odd, conditions.troubles, conditions.size, table.card_px, script.seconds, moments)

    def shots(self) -> Iterator[Shot]:
        """Every frame of the film."""
        last: Shot | None = None
        frozen, latest = 0, 0.0
        changes = plan(self._script.visits, self._table, self._conditions.mess, self._odd)
        reels = _Reels(self._script.visits, changes)
        for index in range(int(self._script.seconds * self._conditions.rate)):
            seconds = index / self._conditions.rate
            frozen = int(self._odd.integers(1, 4)) if not frozen and self._lens.stutters() else max(0, frozen - 1)
            if last is not None and frozen:
                yield replace(last, seconds=seconds)
                continue
            latest = max(latest, seconds - self._lens.late())
            active = reels.until(latest, self._table)
            last = replace(self._shot(latest, active), seconds=seconds)
            yield last

    def _shot(self, now: float, active: Sequence[tuple[Visit, Planned]]) -> Shot:
        layer: Image | None = None
        held: list[Placed] = []
        for visit, planned in active:
            layer = np.zeros((*self._table.picture.shape[:2], 4), np.uint8) if layer is None else layer
            held += self._reach(layer, visit, planned, now)
        picture = self._table.picture.copy()
        if layer is None:
            return Shot(self._exposed(picture, now), now, self._lens.placed(self._table.seen(), now))
        where = arms.drawn_part(layer)
        if layer[where].size:
            warp.blend(picture, np.ascontiguousarray(layer[where]), where)
        cards = (*held, *self._table.seen(layer[:, :, 3] > 127))
        seats = tuple(visit.seat for visit, _ in active)
        return Shot(self._exposed(picture, now), now, self._lens.placed(cards, now), seats)

    def _reach(self, layer: Image, visit: Visit, planned: Planned, now: float) -> list[Placed]:
        """Draws one arm, and what it holds, into the layer; returns the card that it holds."""
        arm = self._arm(visit, planned)
        quad = self._table.camera.quad(planned.pose)
        target = quad.mean(0).astype(np.float64)
        offset = self._offset(visit, arm, now)
        step = offset - self._offset(visit, arm, now - 1 / 30)
        own = np.zeros_like(layer)
        carries, card = visit.carries(now, planned.below)
        held: list[Placed] = []
        if carries:
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

    def _arm(self, visit: Visit, planned: Planned) -> Arm:
        elsewhere = visit.kind in ("open", "gather") and not visit.at_draw_pile
        key = (visit.seat, str(planned.pose) if elsewhere else str(visit.at_draw_pile))
        if key not in self._arms:
            place = self._table.draw if visit.at_draw_pile else self._table.discard
            place = np.array([planned.pose.x, planned.pose.y]) if elsewhere else place
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
        shaded = self._lens.seen(self._lens.shaded(picture, now), now)
        gain = self._light.at(now) * self._lens.gain(now) * self._conditions.light
        bright = cv2.convertScaleAbs(shaded, alpha=gain)
        if self._conditions.noise <= 0:
            return self._lens.compressed(np.asarray(bright, np.uint8))
        grain = self._grain[int(self._rng.integers(len(self._grain)))]
        x, y = self._rng.integers(0, 64, 2)
        tile = np.ascontiguousarray(grain[y : y + picture.shape[0], x : x + picture.shape[1]])
        return self._lens.compressed(np.asarray(cv2.addWeighted(bright, 1.0, tile, 1.0, -128.0), np.uint8))


class _Reels:
    """The visits of a film as its time goes on."""

    def __init__(self, visits: Sequence[Visit], changes: Sequence[Planned]) -> None:
        self._waiting = list(zip(visits, changes, strict=True))
        steps = [step for visit, planned in self._waiting for step in planned.steps(visit)]
        self._steps = sorted(steps, key=lambda step: step[0])
        self._active: list[tuple[Visit, Planned]] = []

    def until(self, now: float, table: VirtualTable) -> list[tuple[Visit, Planned]]:
        """Changes the table as it is at `now`; the arms that are over it."""
        self._active = [entry for entry in self._active if entry[0].end > now]
        while self._waiting and self._waiting[0][0].start <= now:
            self._active.append(self._waiting.pop(0))
        while self._steps and self._steps[0][0] <= now:
            self._steps.pop(0)[1](table)
        return self._active


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


def write_video(path: Path, shots: Iterable[Shot], rate: float, truth: Path | None = None) -> list[tuple[Placed, ...]]:
    """Writes the pictures as an MP4, and what is true of each into the JSON lines `truth`; returns the cards of all.

    Raises OSError when a file cannot be written.
    """
    writer: cv2.VideoWriter | None = None
    cards, lines = [], []
    for index, shot in enumerate(shots):
        if writer is None:
            size = (shot.image.shape[1], shot.image.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
            if not writer.isOpened():
                raise OSError(f"{path} cannot be written as a video")
        writer.write(shot.image)
        cards.append(shot.cards)
        lines += [json.dumps(shot.truth(index))] if truth is not None else []
    if writer is not None:
        writer.release()
    if truth is not None:
        truth.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return cards
