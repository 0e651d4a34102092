"""Draws how trainings came along, from what they kept or printed.

    python -m models.curves runs/finder runs/reader runs/indices --out docs/curves.png

A source is a run's folder (its `progress.jsonl`), or a file of what a training printed; `NAME=SOURCE` names the
training, else the folder or the file does. Sources of one name are joined by their steps; of two that tell of the same
step the later one counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.progress import FILE, Mark, joined, read, read_printed

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

WIDE: Final = 300
HIGH: Final = 150
LEFT: Final = 46
"""Room for the scale."""

INKS: Final = ((150, 90, 20), (40, 130, 60), (40, 40, 200), (150, 40, 140), (20, 120, 180))
_GREY: Final = (110, 110, 110)


def write(page: Picture, text: str, x: int, y: int, ink: tuple[int, int, int] = (0, 0, 0), size: float = 0.4) -> None:
    """Small print, its left end at (x, y)."""
    cv2.putText(page, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def history(sources: Iterable[Path]) -> list[Mark]:
    """What folders and printed files tell of one training."""
    return joined(read(source / FILE) if source.is_dir() else read_printed(source) for source in sources)


def histories(sources: Iterable[str]) -> dict[str, list[Mark]]:
    """The marks of each training by its name; one of which nothing is known is left out."""
    parts: dict[str, list[Path]] = {}
    for source in sources:
        name, _, path = source.rpartition("=")
        parts.setdefault(name or Path(path).stem, []).append(Path(path))
    told = {name: history(paths) for name, paths in parts.items()}
    return {name: marks for name, marks in told.items() if marks}


def series(marks: list[Mark], name: str) -> tuple[Floats, Floats]:
    """Steps and figures (n,) of one name."""
    rows = [(mark.step, mark.figures[name]) for mark in marks if name in mark.figures]
    table = np.array(rows, np.float64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def panel(marks: list[Mark], training: str, name: str, ink: tuple[int, int, int]) -> Picture:
    """One figure over the steps (HIGH + 50, LEFT + WIDE + 14, 3); steps of which nothing is told are left open."""
    page = np.full((HIGH + 50, LEFT + WIDE + 14, 3), 255, np.uint8)
    steps, values = series(marks, name)
    low, high, first, last = float(values.min()), float(values.max()), steps[0], steps[-1]
    across = LEFT + WIDE * (steps - first) / max(last - first, 1)
    points = np.stack([across, 26 + HIGH * (1 - (values - low) / max(high - low, 1e-9))], axis=1)
    apart = np.diff(steps, prepend=first)
    gaps = np.flatnonzero(apart > 3 * np.median(apart))
    cv2.rectangle(page, (LEFT, 26), (LEFT + WIDE, 26 + HIGH), (200, 200, 200), 1)
    lines = [np.rint(part * 16).astype(np.int32) for part in np.split(points, gaps)]
    cv2.polylines(page, lines, False, ink, 1, cv2.LINE_AA, 4)
    write(page, f"{training}, {name}: {values[-1]:.3f}", LEFT, 18)
    for value, y in ((high, 32), (low, 26 + HIGH)):
        write(page, f"{value:.3f}", 6, y, _GREY, 0.35)
    write(page, f"step {first:.0f}", LEFT, HIGH + 42, _GREY, 0.35)
    end = f"{last:.0f}, {marks[-1].minutes:.0f} minutes"
    write(page, end, LEFT + WIDE - round(5.3 * len(end)), HIGH + 42, _GREY, 0.35)
    return page


def picture(told: dict[str, list[Mark]]) -> Picture:
    """A row of panels for each training."""
    rows = []
    for training, marks in told.items():
        names = dict.fromkeys(name for mark in marks for name in mark.figures)
        rows.append(np.hstack([panel(marks, training, name, INKS[i % len(INKS)]) for i, name in enumerate(names)]))
    widest = max(row.shape[1] for row in rows)
    return np.vstack([np.pad(row, ((0, 0), (0, widest - row.shape[1]), (0, 0)), constant_values=255) for row in rows])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Draw how trainings came along.")
    parser.add_argument("runs", nargs="+", metavar="[NAME=]RUN", help="a run's folder, or what a training printed")
    parser.add_argument("--out", type=Path, default=Path("docs/curves.png"))
    given = parser.parse_args()
    told = histories(given.runs)
    if not told:
        raise SystemExit(f"None of {', '.join(given.runs)} tells how a training came along.")
    cv2.imwrite(str(given.out), picture(told))
    print(f"{given.out} written: {', '.join(f'{name} to step {marks[-1].step}' for name, marks in told.items())}")


if __name__ == "__main__":
    main()
