"""How many filmed games are watched without a mistake: `python -m models.bench_table [--oracle] [--players 2 4 6] ...`.

Films each game, watches it with the shipped models (or an oracle that reads the film's truth with seeded faults), and
compares the record with the truth. What cannot be seen is told from the truth, as people at the table would say it. The
last line is the figure. Exit code 1 when a game differs.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.film import Conditions
from datasets.simulate import Film, film
from datasets.virtual_table import Placed
from models.oracle import Oracle
from referee.events import Play
from referee.record import event_of, plain
from service.films import watch, words_of
from vision.detections import Detections, Image, Quads
from vision.frames import Glimpse, open_source
from vision.sight import Sight


@dataclass(frozen=True, slots=True)
class Result:
    """One game: the differences (as a diff), how many plays were right, and how long the parts took, seconds."""

    differences: tuple[str, ...]
    right: int
    plays: int
    seconds: float
    watched: float
    seeing: float


class Timed:
    """A sight that is timed."""

    def __init__(self, sight: Sight) -> None:
        self._sight, self.seconds, self.looks = sight, 0.0, 0

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        """As the sight, counted."""
        began = time.perf_counter()
        seen = self._sight.see(image, near=near)
        self.seconds += time.perf_counter() - began
        self.looks += 1
        return seen


def bench(whole: Film, sight: Sight | None, seed: int, video: Path) -> Result:
    """Shoots and watches one film; with the oracle when there is no `sight`."""
    truth = whole.write(video)
    began = time.perf_counter()
    timed, glimpses = _watched(sight, truth, seed, video)
    record = watch(glimpses, timed, whole.settings, words_of(whole.script.events))
    watched = time.perf_counter() - began
    want, got = plain(whole.record), plain(record)
    right, plays = plays_right(want, got)
    return Result(tuple(differences(want, got)), right, plays, whole.script.seconds, watched, timed.seconds)


def _watched(
    sight: Sight | None, truth: Sequence[tuple[Placed, ...]], seed: int, video: Path
) -> tuple[Timed, Iterable[Glimpse]]:
    source = open_source(str(video))
    if sight is not None:
        return Timed(sight), source
    oracle = Oracle(truth, seed)
    return Timed(oracle), oracle.follow(source)


def differences(want: Sequence[str], got: Sequence[str]) -> Iterator[str]:
    """The lines that only one of two records has: `- ` those missing, `+ ` those too many."""
    return (line for line in difflib.ndiff(want, got) if line[0] in "+-")


def plays_right(want: Sequence[str], got: Sequence[str]) -> tuple[int, int]:
    """Plays of the truth that the record has in the same order, and all of them."""
    plays = [place for place, line in enumerate(want) if isinstance(event_of(line), Play)]
    same = difflib.SequenceMatcher(None, want, got, autojunk=False).get_matching_blocks()
    found = {block.a + step for block in same for step in range(block.size)}
    return sum(place in found for place in plays), len(plays)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oracle", action="store_true", help="read the truth of the films instead of the pictures")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="games for each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--size", default="1280x720", help="of the pictures, px")
    parser.add_argument("--rate", type=float, default=12.0, help="frames a second")
    parser.add_argument("--keep", type=Path, help="keep films and records in this folder")
    given = parser.parse_args(arguments)
    width, height = (int(part) for part in given.size.split("x"))
    conditions = Conditions(size=(width, height), rate=given.rate)
    results = list(_all(given, conditions))
    equal = sum(not result.differences for result in results)
    right, plays = sum(result.right for result in results), sum(result.plays for result in results)
    print(f"{equal} of {len(results)} games equal, {right} of {plays} plays right")
    return int(equal < len(results))


def _all(given: argparse.Namespace, conditions: Conditions) -> Iterator[Result]:
    sight = None if given.oracle else _eyes()
    with tempfile.TemporaryDirectory() as folder:
        home = given.keep or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        for seed in given.seeds:
            for players in given.players:
                name = f"{players}-players-{seed}"
                whole = film(seed, players, conditions)
                (home / f"{name}.trn").write_text(str(whole.record), encoding="utf-8")
                result = bench(whole, sight, seed, home / f"{name}.mp4")
                _report(name, result)
                yield result


def _eyes() -> Sight:
    from vision.eyes import Eyes

    return Eyes.load()


def _report(name: str, result: Result) -> None:
    verdict = "equal" if not result.differences else "differs"
    speed = result.seconds / result.watched
    print(f"{name}: {verdict}, {result.right} of {result.plays} plays right, {result.seconds:.0f} s of film", end=" ")
    print(f"watched {speed:.1f} times as fast ({100 * result.seeing / result.watched:.0f} % of it seeing)")
    for line in result.differences:
        print(f"    {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
