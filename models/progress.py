"""How a training comes along: a line for people, the same figures in `progress.jsonl` beside the checkpoint.

Each line of the file is one JSON object: `step`, `minutes` spent, `pictures` a second, minutes `left`, and the losses
and shares under their own names. A training that is taken up again writes on from its checkpoint, each step once. Lines
that older trainings printed are read, too, so that their curves can be drawn.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FILE: Final = "progress.jsonl"

OWN: Final = ("step", "minutes", "pictures", "left")
_PRINTED: Final = re.compile(
    r"step (?P<step>\d+)  (?P<figures>.+?)  (?:(?P<pictures>[\d.]+) a second  )?(?P<minutes>[\d.]+) min"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a training stood: minutes spent and left, pictures a second (NaN: not known), losses and shares by name."""

    step: int
    minutes: float
    pictures: float = math.nan
    left: float = math.nan
    figures: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        words = "  ".join(f"{name} {figure:.4f}" for name, figure in self.figures.items())
        return f"step {self.step}  {words}  {self.pictures:.1f} a second  {self.minutes:.1f} min, {self.left:.1f} left"

    def as_json(self) -> str:
        """One line of the file."""
        own = {name: round(getattr(self, name), 3) for name in OWN}
        return json.dumps(own | {name: round(figure, 5) for name, figure in self.figures.items()})


@dataclass(slots=True)
class Pace:
    """Pictures a second since the last mark, and the time left: to `steps` or to `minutes`, whichever comes first."""

    steps: int
    minutes: float | None
    step: int
    seconds: float
    pictures: int = 0

    def mark(self, step: int, seconds: float, figures: dict[str, float]) -> Mark:
        """The mark of now; counting begins anew."""
        took = max(seconds - self.seconds, 1e-9)
        left = (self.steps - step) * took / max(1, step - self.step)
        if self.minutes is not None:
            left = min(left, self.minutes * 60 - seconds)
        made = Mark(step, seconds / 60, self.pictures / took, max(0.0, left) / 60, figures)
        self.step, self.seconds, self.pictures = step, seconds, 0
        return made


class Book:
    """The file of a training that goes on at `step`; what a killed one had written beyond that is struck out."""

    def __init__(self, path: Path, step: int) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".part")
        aside.write_text("".join(f"{mark.as_json()}\n" for mark in read(path) if mark.step <= step), encoding="utf-8")
        aside.replace(path)

    def add(self, mark: Mark) -> str:
        """Appends one mark and gives it in words."""
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(f"{mark.as_json()}\n")
        return str(mark)


def read(path: Path) -> list[Mark]:
    """The marks of a file; none when there is no file. A line that a kill has cut off is left out."""
    if not path.is_file():
        return []
    return list(_parsed(path.read_text(encoding="utf-8").splitlines()))


def _parsed(lines: Iterable[str]) -> Iterator[Mark]:
    for line in lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        own = {name: row.pop(name) for name in OWN}
        yield Mark(**own, figures=row)


def read_printed(path: Path) -> list[Mark]:
    """The marks in what a training printed; other lines are passed over."""
    found = (_PRINTED.match(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [_printed(line) for line in found if line]


def _printed(line: re.Match[str]) -> Mark:
    pairs = (pair.rsplit(" ", 1) for pair in line["figures"].split("  "))
    figures = {name: float(figure) for name, figure in pairs}
    return Mark(int(line["step"]), float(line["minutes"]), float(line["pictures"] or "nan"), figures=figures)


def joined(parts: Iterable[list[Mark]]) -> list[Mark]:
    """One history of several, by step; where a step was done twice the later part counts."""
    steps = {mark.step: mark for marks in parts for mark in marks}
    return [steps[step] for step in sorted(steps)]
