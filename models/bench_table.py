"""How many filmed games are watched without a mistake: `python -m models.bench_table [--oracle] [--players 2 4 6] ...`.

Films each game, watches it with the shipped models (or an oracle that reads the film's truth with seeded faults), and
compares the record with the truth. What cannot be seen is told from the truth, as people at the table would say it.
With `--answers` what the referee asks is answered from the truth, too, and the last line says how often.

`--held [50]` and `--half-light [20]` are the games in typefaces and on table tops that training never saw; `--each`
films every game once with each trouble alone and ends with a table of them. With `--results FOLDER` what came of each
game is kept in a file, and a run that was stopped goes on. Films are deleted once they are watched, unless `--keep`
says where they stay. The last line is the figure. Exit code 1 when a game differs.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from datasets.film import Conditions
from datasets.simulate import PLAYS, Film
from datasets.troubles import NAMES, Troubles
from datasets.virtual_table import Placed
from models.answers import TrueAnswers
from models.games import Game, Result, Results, half_light, held, ordinary
from models.latency import latencies
from models.oracle import Oracle
from models.stages import Stages
from referee.cards import Card
from referee.events import Play
from referee.record import event_of, plain
from service.films import watch, words_of
from vision.changes import TableChange
from vision.detections import Detections, Image, Quads
from vision.frames import Glimpse, open_source
from vision.prints import Print
from vision.sight import Lying, PlacingSight, PrintingSight, Sight, closely

SHOWN: Final = 8.0
"""Seconds for which the camera may look at a hand laid open before somebody tells of it."""


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

    def see_closely(self, image: Image) -> Detections:
        """As the sight."""
        began = time.perf_counter()
        seen = closely(self._sight, image)
        self.seconds += time.perf_counter() - began
        return seen

    def places(self, image: Image) -> Sequence[Lying]:
        """As the sight; nowhere where it cannot tell."""
        return self._sight.places(image) if isinstance(self._sight, PlacingSight) else ()

    def print_of(self, image: Image, quad: Quads) -> Print | None:
        """As the sight, counted as part of the looks; None where it cannot tell."""
        began = time.perf_counter()
        seen = self._sight.print_of(image, quad) if isinstance(self._sight, PrintingSight) else None
        self.seconds += time.perf_counter() - began
        return seen


def bench(whole: Film, sight: Sight | None, seed: int, video: Path, answers: bool = False) -> Result:
    """Watches one film, shot unless it lies there; with the oracle when there is no `sight`.

    answers: what the referee asks is answered from the truth.
    """
    truth = shot(whole, video)
    changes: list[TableChange] = []
    stages, began = Stages(), time.perf_counter()
    timed, glimpses = _watched(sight, truth, seed, video)
    with stages.measured():
        words = words_of(whole.script.events, SHOWN if whole.conditions.troubles.counting else 0.0)
        true = TrueAnswers(whole.settings, whole.script.events)
        answer = true if answers else None
        record = watch(stages.decoded(glimpses), timed, whole.settings, words, tell=changes.append, answer=answer)
    watched = time.perf_counter() - began
    want, got = plain(whole.record), plain(record)
    right, plays = plays_right(want, got)
    waits = tuple(latencies(truth, whole.conditions.rate, changes))
    seconds = whole.script.seconds
    return Result(
        tuple(differences(want, got)), right, plays, seconds, watched, timed.seconds, waits, stages, true.asked
    )


def shot(whole: Film, video: Path) -> list[tuple[Placed, ...]]:
    """The truth of every frame of a film, which is shot unless it lies there with its truth."""
    truth = video.with_suffix(".jsonl")
    if not (video.is_file() and truth.is_file()):
        whole.write(video, truth)
    return [_placed(line) for line in truth.read_text(encoding="utf-8").splitlines()]


def _placed(line: str) -> tuple[Placed, ...]:
    return tuple(
        Placed(
            None if card["card"] == "back" else Card.parse(card["card"]),
            np.array(card["quad"], np.float32),
            card["visible"],
        )
        for card in json.loads(line)["cards"]
    )


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
    given = _parser().parse_args(arguments)
    results = Results(given.results, "oracle " * given.oracle + "answers" * given.answers)
    played: dict[str, list[Result]] = {}
    for game in _games(given):
        known = results.of(game)
        # Each game has eyes of its own: what they learn of the light must not depend on which games went before.
        result = known or _played(game, None if given.oracle else _eyes(), given.keep, given.answers)
        results.keep(game, result)
        _report(game.name, result, again=known is not None)
        played.setdefault(game.kind, []).append(result)
    return _figures(played, given.answers)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", action="store_true", help="read the truth of the films instead of the pictures")
    parser.add_argument("--held", type=int, nargs="?", const=50, default=0, metavar="N", help="N held-out games")
    parser.add_argument("--half-light", type=int, nargs="?", const=20, default=0, metavar="N", help="N in half light")
    parser.add_argument("--each", action="store_true", help="games without trouble, and with each trouble alone")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="games for each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--size", default="1280x720", help="of the pictures, px")
    parser.add_argument("--rate", type=float, default=12.0, help="frames a second")
    parser.add_argument("--light", type=float, default=1.0, help="of the room: 0.5 is half light")
    parser.add_argument("--plays", type=int, nargs=2, default=PLAYS, help="how many a game has, from and to")
    parser.add_argument("--troubles", nargs="+", default=["none"], help="kinds of games by name")
    parser.add_argument("--answers", action="store_true", help="answer what the referee asks, as a player would")
    parser.add_argument("--results", type=Path, help="keep what came of each game in this folder, and go on from there")
    parser.add_argument("--keep", type=Path, help="keep films and records in this folder, and use those that lie there")
    return parser


def _games(given: argparse.Namespace) -> Iterator[Game]:
    """Those that were asked for, one after the other."""
    if given.held or given.half_light:
        return chain(held(given.held, Troubles.parse(given.troubles[0])), half_light(given.half_light))
    width, height = (int(part) for part in given.size.split("x"))
    conditions = Conditions(size=(width, height), rate=given.rate, light=given.light)
    kinds = ["none", *NAMES] if given.each or given.troubles == ["each"] else given.troubles
    return chain(*(ordinary(kind, given.seeds, given.players, conditions, given.plays) for kind in kinds))


def _played(game: Game, sight: Sight | None, keep: Path | None, answers: bool) -> Result:
    """Films a game and watches it; the film is deleted unless it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        home = keep or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        whole = game.film()
        (home / f"{game.name}.trn").write_text(str(whole.record), encoding="utf-8")
        return bench(whole, sight, game.seed, home / f"{game.name}-{game.mark}.mp4", answers)


def _eyes() -> Sight:
    from vision.eyes import Eyes

    return Eyes.for_table()


def _report(name: str, result: Result, again: bool) -> None:
    verdict = "equal" if not result.differences else "differs"
    print(f"{name}: {verdict}, {result.right} of {result.plays} plays right, {result.seconds:.0f} s of film", end=" ")
    speed, seeing = result.seconds / result.watched, 100 * result.seeing / result.watched
    print("watched before" if again else f"watched {speed:.1f} times as fast ({seeing:.0f} % of it seeing)", flush=True)
    for line in result.differences:
        print(f"    {line}", flush=True)


def _figures(results: dict[str, list[Result]], answers: bool) -> int:
    """The tables and, last, the figure."""
    every = [result for games in results.values() for result in games]
    if len(results) > 1:
        for kind, games in results.items():
            equal = sum(not game.differences for game in games)
            right, plays = sum(game.right for game in games), sum(game.plays for game in games)
            odd = sum(len(game.differences) for game in games)
            print(f"{kind:12} {equal} of {len(games)} equal, {right} of {plays} plays right, {odd} lines differ")
    stages, waits = Stages(), [wait for result in every for wait in result.waits]
    for result in every:
        stages.add(result.stages)
    print("\n".join(stages.rows()))
    if waits:
        middle, late = np.percentile(waits, [50, 95])
        print(f"card at rest to the frame that settles it: p50 {middle:.2f} s, p95 {late:.2f} s of film ({len(waits)})")
    equal = sum(not result.differences for result in every)
    right, plays = sum(result.right for result in every), sum(result.plays for result in every)
    asked = sum(result.asked for result in every)
    helped = f", {asked} questions of the referee answered from the truth" if answers else ""
    print(f"{equal} of {len(every)} games equal, {right} of {plays} plays right{helped}")
    return int(equal < len(every))


if __name__ == "__main__":
    sys.exit(main())
