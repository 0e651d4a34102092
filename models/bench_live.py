"""What watching costs at the pace of life: `python -m models.bench_live still|memory|pace`.

still: a table on which nothing happens, at 10 frames a second: share of one core. memory: a film watched over and over,
by film time as many hours as wanted: how much memory grows in an hour, with its 95 % interval (`--oracle`: without the
networks, many times faster). pace: a film as it would
come from a camera, frames that come too late left out: from a card at rest to its ruling, by the clock on the wall.
The last line is the figure. Exit code 1 when it is not met.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from datasets.film import Conditions
from datasets.simulate import film
from models.bench_table import shot
from models.latency import latencies
from models.oracle import Oracle
from service import films
from vision.changes import TableChange
from vision.eyes import Eyes
from vision.frames import Frame, open_source
from vision.pipeline import TableWatch

DEMO: Final = Path(films.__file__).parent / "demo" / "demo.mp4"
RATE: Final = 10.0
"""Frames a second of the still table."""
LOAD: Final = 0.1
"""Share of one core that a still table may take."""
P50, P95 = 0.25, 0.4
"""Seconds from rest to ruling, at most."""
GROWTH: Final = 1.0
"""Megabytes an hour from which memory is not flat."""
SMALL: Final = Conditions(size=(320, 240), rate=6.0)
"""The film of `--oracle`."""
Following = Callable[[Iterable[Frame]], Iterable[Frame]]
WARM: Final = 0.2
"""Share of the samples of memory that is left out: caches fill at first."""


def frames_of(video: Path) -> Iterator[Frame]:
    """The frames of a film."""
    with open_source(str(video)) as source:
        yield from (glimpse for glimpse in source if isinstance(glimpse, Frame))


def still(video: Path, seconds: float, watch: TableWatch) -> float:
    """The share of one core that goes into a table left alone after `video`, with a camera's noise."""
    last = Frame(np.zeros((1, 1, 3), np.uint8), 0.0, 0)
    for last in frames_of(video):
        watch.step(last)
    views, rng = [], np.random.default_rng(1)
    for _ in range(8):
        views.append(np.asarray((last.image + rng.normal(0, 1.5, last.image.shape)).clip(0, 255), np.uint8))
    began, settled = 0.0, int(5 * RATE)
    for index in range(settled + int(seconds * RATE)):
        began = time.process_time() if index == settled else began
        watch.step(Frame(views[index % len(views)], last.seconds + (index + 1) / RATE, last.index + index))
    return (time.process_time() - began) / seconds


def resident() -> float:
    """Megabytes that this process holds now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def memory(video: Path, hours: float, watch: TableWatch, follow: Following = iter) -> list[tuple[float, float]]:
    """Hours of film, watched over and over, and the megabytes held after each time. follow: who reads along."""
    samples, offset, now, index = [], 0.0, 0.0, 0
    while offset < 3600 * hours:
        for frame in follow(frames_of(video)):
            now, index = offset + frame.seconds, index + 1
            watch.step(replace(frame, seconds=now, index=index))
        offset = now + 1 / RATE
        samples.append((offset / 3600, resident()))
    return samples


def read_along(hours: float) -> list[tuple[float, float]]:
    """The same of a short film in small pictures whose truth is read in place of the pictures: many times faster."""
    with tempfile.TemporaryDirectory() as folder:
        video = Path(folder) / "small.mp4"
        oracle = Oracle(shot(film(1, 2, SMALL, plays=(8, 20)), video))

        def follow(frames: Iterable[Frame]) -> Iterator[Frame]:
            return (frame for frame in oracle.follow(frames) if isinstance(frame, Frame))

        return memory(video, hours, TableWatch(oracle), follow)


def slope(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Growth an hour by least squares, and half of its 95 % interval; ValueError with fewer than three samples."""
    if len(samples) < 3:
        raise ValueError("three samples are needed at least")
    hours, held = np.array(samples).T
    away = hours - hours.mean()
    growth = float((away @ held) / (away @ away))
    rest = held - held.mean() - growth * away
    return growth, float(1.96 * np.sqrt((rest @ rest) / (len(held) - 2) / (away @ away)))


def pace(seed: int, players: int, plays: tuple[int, int], rate: float, home: Path, watch: TableWatch) -> list[float]:
    """Seconds on the wall's clock from each card at rest to its ruling, of a film watched live at 720p.

    rate: pictures a second.
    """
    whole = film(seed, players, Conditions(size=(1280, 720), rate=rate), plays=plays)
    video = home / f"{players}-players-{seed}-live-{rate:.0f}.mp4"
    truth, told = shot(whole, video), list[TableChange]()
    with open_source(str(video), pace="live") as source:
        began: float | None = None
        for glimpse in source:
            if not isinstance(glimpse, Frame):
                continue
            began = time.monotonic() - glimpse.seconds if began is None else began
            changes = watch.step(glimpse)
            now = time.monotonic() - began
            told += [replace(change, seconds=now) for change in changes]
    return list(latencies(truth, whole.conditions.rate, told))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    given = _parser().parse_args(arguments)
    sight = Oracle([]) if given.oracle else Eyes.for_table()
    match given.what:
        case "still":
            load = still(given.video, given.seconds, TableWatch(sight))
            print(f"a still table takes {100 * load:.1f} % of one core at {RATE:.0f} frames a second")
            return int(load > LOAD)
        case "memory":
            samples = read_along(given.hours) if given.oracle else memory(given.video, given.hours, TableWatch(sight))
            growth, half = slope(samples[int(WARM * len(samples)) :])
            print(f"{samples[0][1]:.0f} MB at first, {samples[-1][1]:.0f} MB after {samples[-1][0]:.2f} hours of film")
            print(f"memory grows by {growth:.2f} MB an hour (95 %: {growth - half:.2f} to {growth + half:.2f})")
            return int(growth - half > GROWTH)
    with tempfile.TemporaryDirectory() as folder:
        home, waits = given.keep or Path(folder), list[float]()
        for seed in range(given.seed, given.seed + given.games):
            waits += pace(seed, given.players, tuple(given.plays), given.rate, home, TableWatch(sight))
            print(f"game {seed}: {len(waits)} cards so far", flush=True)
    middle, late = np.percentile(waits, [50, 95])
    at = f"live at 720p, {given.rate:.0f} pictures a second"
    print(f"card at rest to ruling, {at}: p50 {middle:.2f} s, p95 {late:.2f} s ({len(waits)} cards)")
    return int(middle > P50 or late > P95)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["still", "memory", "pace"])
    parser.add_argument("--video", type=Path, default=DEMO, help="film for still and memory")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the still table")
    parser.add_argument("--hours", type=float, default=4.0, help="of film for memory")
    parser.add_argument("--oracle", action="store_true", help="memory without the networks, many times faster")
    parser.add_argument("--seed", type=int, default=1, help="of the first film for pace")
    parser.add_argument("--games", type=int, default=1, help="films for pace, of seeds that follow each other")
    parser.add_argument("--rate", type=float, default=30.0, help="pictures a second for pace")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--plays", type=int, nargs=2, default=(12, 24))
    parser.add_argument("--keep", type=Path, help="keep the film for pace in this folder, or use the one there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
