"""`tableref watch` and `simulate`: films of games into records, and records of games into films."""

from __future__ import annotations

import argparse
import json
import re

from referee.events import Event
from referee.options import MatchSettings
from referee.record import replay
from service import films
from service import settings as configuration
from service.cli_records import read_record
from service.outputs import may_become_a_record, write_text
from service.sentences import Refusal


def watch(options: argparse.Namespace) -> int:
    """Watch a film and print, or write, the record of what was played."""
    from service.cli_decks import remembered
    from service.debug_film import DebugFilm
    from vision import pipeline
    from vision.eyes import Eyes
    from vision.frames import open_source

    settings, words = agreed(options)
    deck = remembered(configuration.load({"deck": options.deck}, file=options.settings))
    if options.record is not None:
        may_become_a_record(options.record)
    look = DebugFilm(options.debug).watch if options.debug is not None else pipeline.watch
    with open_source(options.video) as source:
        record = films.watch(source, Eyes.for_table(deck), settings, words, look=look)
    if options.record is not None:
        write_text(options.record, str(record))
    if options.json:
        print(json.dumps(replay(record).public()))
    elif options.record is None:
        print(record, end="")
    return 0


def agreed(options: argparse.Namespace) -> tuple[MatchSettings, list[Event]]:
    """The settings of the match and what is said in it: from the record of `--words`, or the players and nothing."""
    if options.words is None:
        return MatchSettings(names(options.players), dealer=options.dealer), []
    truth = read_record(options.words)
    return truth.settings, films.words_of(replay(truth).events)


def simulate(options: argparse.Namespace) -> int:
    """Film a random game; one line says what was written."""
    if not 1 <= options.rate <= 60 or not 0.2 <= options.light <= 1.5:
        raise Refusal("A film has 1 to 60 frames a second (--rate) in a light of 0.2 to 1.5 (--light).")
    conditions = {"size": size(options.size), "rate": options.rate, "light": options.light}
    print(
        films.simulate(
            options.seed,
            options.players,
            options.video,
            options.record,
            conditions,
            troubles=options.troubles,
            mode=options.mode,
            truth=options.truth,
        )
    )
    return 0


def size(text: str) -> tuple[int, int]:
    """Width and height that `--size` means, px."""
    found = re.fullmatch("([0-9]{2,4})x([0-9]{2,4})", text)
    if not found or not (64 <= int(found[1]) <= 3840 and 64 <= int(found[2]) <= 2160):
        raise Refusal(f"--size: expected WIDTHxHEIGHT such as 1280x720, 64x64 to 3840x2160, not {text}.")
    return int(found[1]), int(found[2])


def names(players: str | None) -> tuple[str, ...]:
    """The players that `--players` means: names by comma, or a number of them."""
    text = players or "2"
    if re.fullmatch("[0-9]+", text):
        if len(text) > 2:  # before a name is made for each
            raise Refusal(f"Players: expected 2 to 10 names, not {text}.")
        return tuple(f"Seat {seat}" for seat in range(1, int(text) + 1))
    return tuple(name.strip() for name in text.split(","))
