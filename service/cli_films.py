"""`tableref watch` and `simulate`: films of games into records, and records of games into films."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from referee.options import MatchSettings
from referee.record import replay
from service import films
from service.sentences import Refusal


def watch(options: argparse.Namespace) -> int:
    """Watch a film and print, or write, the record of what was played."""
    from vision.eyes import Eyes
    from vision.frames import open_source

    settings = MatchSettings(names(options.players), dealer=1)
    if options.record:
        write_text(options.record, "")
    with open_source(options.video) as source:
        record = films.watch(source, Eyes.load(), settings)
    if options.record:
        write_text(options.record, str(record))
    if options.json:
        print(json.dumps(replay(record).public()))
    elif not options.record:
        print(record, end="")
    return 0


def simulate(options: argparse.Namespace) -> int:
    """Film a random game."""
    films.simulate(options.seed, options.players, options.video, options.record)
    return 0


def names(players: str | None) -> tuple[str, ...]:
    """The players that `--players` means: names by comma, or a number of them."""
    text = players or "2"
    if text.isdecimal():
        return tuple(f"Seat {seat}" for seat in range(1, int(text) + 1))
    return tuple(name.strip() for name in text.split(","))


def write_text(path: Path, text: str) -> None:
    """`text` into the file `path`; Refusal says why not."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None
