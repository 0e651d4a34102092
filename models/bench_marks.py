"""How surely command cards are seen: `python -m models.bench_marks [--shots 60] [--films FILE...]`.

Hits: photographs of one mark each, at stated measures (side, distance, lens); a hit is one look that finds it, and
wrong is any other number. False alarms: pictures without any mark (drawn tables, rooms and piles of cards, and the
frames of the films given), and whole films watched as the pipeline watches them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets import interiors, textures
from datasets.marks import Shooting, photographed
from datasets.textures import Image
from datasets.virtual_table import TABLE_TOPS
from vision.frames import Frame, open_source
from vision.marks import MarkFinder, MarkSettings, MarkWatch
from vision.motion import MotionWatch

CASES: Sequence[tuple[str, Shooting]] = (
    ("36 mm (as printed), 1 m, 720p", Shooting(blur=0.9)),
    ("36 mm, 1 m, 720p, moving 8 px a frame", Shooting(blur=0.8, shake=8)),
    ("36 mm, 1 m, 640x480", Shooting(size=(640, 480), blur=0.7)),
    ("36 mm, 1 m, 720p, tilted to 55 degrees", Shooting(tilt=55, blur=0.9)),
    ("20 mm, 1 m, 720p", Shooting(side=20, blur=0.8)),
    ("16 mm, 1 m, 720p", Shooting(side=16, blur=0.8)),
    ("12 mm, 1 m, 720p, sharp", Shooting(side=12, blur=0.6)),
    ("12 mm, 1 m, 720p, soft lens", Shooting(side=12, blur=0.9)),
    ("12 mm, 1 m, 1080p", Shooting(side=12, size=(1920, 1080), blur=0.9)),
)


def tables(seed: int, size: tuple[int, int]) -> list[Image]:
    """Table tops without cards, (H, W, 3)."""
    rng = np.random.default_rng(seed)
    return [np.asarray(top(rng, size[1], size[0]), np.uint8) for top in dict.fromkeys(TABLE_TOPS)]


def hits(shooting: Shooting, shots: int) -> tuple[float, int, float]:
    """Share of the looks that find the mark, wrong numbers, and milliseconds a look."""
    rng, finder, grounds = np.random.default_rng(7), MarkFinder(), tables(1, shooting.size)
    found = wrong = 0
    spent = 0.0
    for shot in range(shots):
        mark = int(rng.integers(MarkSettings().count))
        picture, _ = photographed(rng, grounds[shot % len(grounds)], mark, shooting)
        began = time.process_time()
        seen = finder.find(picture)
        spent += time.process_time() - began
        found += mark in seen
        wrong += len(seen.keys() - {mark})
    return found / shots, wrong, 1000 * spent / shots


def rooms(count: int) -> Iterator[Image]:
    """Pictures without marks: patterned table tops and drawn rooms."""
    rng = np.random.default_rng(3)
    for number in range(count):
        draw = (interiors.room, textures.ornament, interiors.boxes, interiors.posters)[number % 4]
        yield np.asarray(draw(rng, 720, 1280), np.uint8)


def watched(path: Path) -> tuple[int, int, float]:
    """Commands that a film without command cards gives: looks that saw a mark, commands, and its seconds."""
    motion, watch, finder = MotionWatch(), MarkWatch(), MarkFinder()
    alarms = commands = 0
    seconds = 0.0
    with open_source(str(path)) as source:
        for glimpse in source:
            if isinstance(glimpse, Frame):
                commands += len(watch.follow(motion.see(glimpse)))
                alarms += bool(finder.find(glimpse.image)) if glimpse.index % 5 == 0 else 0
                seconds = glimpse.seconds
    return alarms, commands, seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shots", type=int, default=60, help="photographs of each case")
    parser.add_argument("--films", type=Path, nargs="*", default=[], help="films without command cards")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name, shooting in CASES:
        share, wrong, milliseconds = hits(shooting, options.shots)
        print(f"{name}: {shooting.pixels:.0f} px, found {share:.1%} of looks, wrong {wrong}, {milliseconds:.0f} ms")
    finder = MarkFinder()
    seen = sum(bool(finder.find(picture)) for picture in rooms(options.shots))
    print(f"pictures without a mark: {seen} of {options.shots} with a false one")
    for film in options.films:
        alarms, commands, seconds = watched(film)
        print(f"{film.name}: {seconds:.0f} s, {alarms} looks with a false mark, {commands} false commands")


if __name__ == "__main__":
    main()
