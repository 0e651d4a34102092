"""From nothing to weights, in one command.

    python -m models.make                          # about twelve hours on two processor cores
    python -m models.make --minutes-scale 0.1      # the same in a tenth of the time, for a try; worse, of course

Decks, finder, aligner and reader, reader of corner indices, release: one after another, seeded, each its own command,
told before it begins. What is done is remembered in the folder of the runs; after a stop the same command goes on where
it was, and a stage that is asked for anew makes those after it anew, too.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DONE: Final = "done.json"
STYLES: Final = 420
HELD: Final = 40
SCENES: Final = 1500
"""Drawn scenes on which the confidences are fitted."""


@dataclass(frozen=True, slots=True)
class Given:
    """Where everything lies, and how much of it is asked for."""

    runs: Path
    workshop: Path
    shelf: Path
    seed: int
    scale: float = 1.0
    options: tuple[str, ...] = ()
    """Options for every training: where it computes, or what makes a try short."""

    def minutes(self, whole: float) -> list[str]:
        """The options of a training of `whole` minutes."""
        return ["--minutes", f"{whole * self.scale:g}", "--seed", str(self.seed), *self.options]

    def count(self, whole: int) -> str:
        """A number of decks or scenes, at least three."""
        return str(max(3, round(whole * min(1.0, self.scale))))


@dataclass(frozen=True, slots=True)
class Stage:
    """One command: `module` with its options; `minutes` as measured on two processor cores."""

    name: str
    minutes: float
    module: str
    options: tuple[str, ...]

    @property
    def command(self) -> str:
        """What could be typed instead."""
        return shlex.join(["python", "-m", self.module, *self.options])


def stages(given: Given) -> Iterator[Stage]:
    """What is to be done, in order."""
    cards, held, networks = given.workshop / "cards", given.workshop / "held", given.runs / "networks"
    finder, reader, later, indices = (given.runs / name for name in ("finder", "reader", "reader-later", "indices"))
    taught = ("--bank", str(cards))
    found, pair = str(finder / "finder.pt"), str(reader / "checkpoint.pt")

    def stage(name: str, minutes: float, module: str, *options: str) -> Stage:
        return Stage(name, minutes * given.scale, module, options)

    yield stage("decks", 4, "datasets.bank", str(cards), "--styles", given.count(STYLES), "--seed", str(6 + given.seed))
    yield stage(
        "decks to measure on",
        0.4,
        "datasets.bank",
        str(held),
        "--styles",
        given.count(HELD),
        "--seed",
        "2",
        "--held-out",
    )
    yield stage(
        "finder", 188, "models.train_finder", *taught, "--run", str(finder), *given.minutes(188), "--rate", "0.004"
    )
    yield stage("reader", 233, "models.train_reader", *taught, "--run", str(reader), *given.minutes(233))
    exported = ("--finder", found, "--pair", pair, "--out", str(networks))
    yield stage("what they read so far", 0.5, "models.export", *exported)
    crowded = ("--finder", str(networks / "finder.onnx"), "--replay", "3", "--run")
    yield stage("reader in a crowd", 46, "models.train_reader", *taught, *crowded, str(reader), *given.minutes(279))
    on = (*crowded, str(later), "--begin", pair)
    yield stage("reader once more", 66, "models.train_reader", *taught, *on, *given.minutes(345))
    corners = ("--networks", str(networks), "--pair", pair, "--replay", "4", "--run", str(indices))
    yield stage("index reader", 168, "models.train_indices", *taught, *corners, *given.minutes(168))
    shelf = ("--held", str(held), "--shelf", str(given.shelf), "--scenes", given.count(SCENES))
    read = ("--indices", str(indices / "checkpoint.pt"))
    yield stage(
        "release",
        6,
        "models.release",
        "--finder",
        found,
        "--pair",
        pair,
        str(later / "checkpoint.pt"),
        *read,
        *taught,
        *shelf,
    )


def told(steps: list[Stage]) -> Iterator[str]:
    """The plan in words, with its times on two processor cores."""
    for step in steps:
        yield f"{step.name:<22} {step.minutes:6.1f} minutes"
    yield f"{'in all':<22} {sum(step.minutes for step in steps) / 60:6.1f} hours on two processor cores"
    yield "Trainings end by the clock, the rest is measured. With a graphics card (--device cuda) it was not tried."


def outcome(stage: Stage) -> int:
    """Runs a stage as a process of its own; its exit status, 130 when it was interrupted."""
    try:
        return subprocess.run([sys.executable, "-m", stage.module, *stage.options], check=False).returncode
    except KeyboardInterrupt:
        return 130


def remembered(runs: Path) -> list[str]:
    """The commands that were done, in order."""
    path = runs / DONE
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def make(given: Given, report: Callable[[str], None] = print, run: Callable[[Stage], int] = outcome) -> int:
    """Does what is not done yet; the exit status of the stage that failed, else 0."""
    steps = list(stages(given))
    for line in told(steps):
        report(line)
    done = remembered(given.runs)
    for folder in (given.runs, given.shelf):
        folder.mkdir(parents=True, exist_ok=True)
    for number, step in enumerate(steps):
        if done[number : number + 1] == [step.command]:
            report(f"{step.name}: done")
            continue
        report(f"{step.name}: {step.command}")
        done = done[:number]
        if status := run(step):
            report(f"{step.name} ended with {status}. The same command goes on from here.")
            return status
        done.append(step.command)
        (given.runs / DONE).write_text(json.dumps(done, indent=1), encoding="utf-8")
    report(f"Weights: {given.shelf}. `python -m models.card` measures them.")
    return 0


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Draw, train, release: from nothing to weights.")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--workshop", type=Path, default=Path("workshop"), help="where the drawn decks lie")
    parser.add_argument("--shelf", type=Path, default=Path("models/weights"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes-scale", type=float, default=1.0, help="share of the time, of the decks, of the scenes"
    )
    parser.add_argument("--steps", type=int, help="at most so many steps of each training, for a try")
    parser.add_argument("--plan", action="store_true", help="tell what would be done, and in what time")
    parser.add_argument("--device", help="where PyTorch computes (cpu, cuda, mps); cpu when left out")
    parser.add_argument("--workers", type=int, help="processes that draw pictures, up to 1.5 GB each; 1 when left out")
    asked = parser.parse_args()
    wanted = ((f"--{name}", getattr(asked, name)) for name in ("steps", "device", "workers"))
    options = tuple(str(part) for pair in wanted if pair[1] is not None for part in pair)
    given = Given(asked.runs, asked.workshop, asked.shelf, asked.seed, asked.minutes_scale, options)
    if asked.plan:
        print("\n".join([*told(list(stages(given))), *(step.command for step in stages(given))]))
        return
    sys.exit(make(given, lambda text: print(text, flush=True)))


if __name__ == "__main__":
    main()
