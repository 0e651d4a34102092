"""`tableref replay`, `matches` and `export`: records of games, judged, listed and handed out."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.record import Record, RecordError, parse
from referee.record import replay as judged
from service.cli import complain, language_of
from service.sentences import Refusal


def replay(options: argparse.Namespace) -> int:
    """Judge every record; 2 when one of them could not be read."""
    code = 0
    for path in options.records:
        try:
            result = judged(read_record(path)).public()
        except (RecordError, Refusal) as error:
            complain(str(error), language_of(options))
            code = 2
            continue
        print(json.dumps(result) if options.json else f"{path}: {sentence(result)}")
        if not options.json:
            for ruling in result["rulings"]:
                print(f"  {ruling_line(ruling)}")
    return code


def read_record(path: Path) -> Record:
    """The record in a file; RecordError or Refusal when there is none."""
    return parse(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a record file; Refusal when it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Refusal(f"{path} is no record: expected text in UTF-8.") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror or error}.") from None


def sentence(result: Mapping[str, Any]) -> str:
    """Where a record ends, for people."""
    scores = ", ".join(map(str, result["scores"]))
    if result["match_winner"]:
        return f"seat {result['match_winner']} has won the match; scores {scores}"
    if not result["turn"]:
        return f"between two rounds, {result['round']} begun; scores {scores}"
    colour, way = result["colour"] or "not named", "clockwise" if result["direction"] == 1 else "counter-clockwise"
    counts = ", ".join(map(str, result["counts"]))
    top = f"top {result['top']}, colour {colour}, {way}"
    return f"round {result['round']}, seat {result['turn']} to act; {top}; cards {counts}; scores {scores}"


def ruling_line(ruling: Mapping[str, Any]) -> str:
    """One ruling, for people."""
    rest = " ".join(f"{name} {value}" for name, value in ruling.items() if name not in ("line", "rule", "key"))
    return f"line {ruling['line']}: {ruling['key']} ({ruling['rule']}) {rest}".rstrip()


def matches(options: argparse.Namespace) -> int:
    """List the stored matches."""
    from service.matches import listed, open_store
    from service.store import NothingStoredError

    try:
        with open_store(options.settings) as store:
            found = listed(store)
    except NothingStoredError:
        if not options.json:
            raise
        found = []
    if options.json:
        print(json.dumps(found))
        return 0
    for match in found:
        print(f"{match['id']:>4}  {match['began']}  {match['lines']:>4} lines  {', '.join(match['players'])}")
    return 0


def export(options: argparse.Namespace) -> int:
    """Print a stored match in the format asked for."""
    from service.matches import open_store

    if not re.fullmatch("[0-9]{1,18}", options.match):
        raise Refusal(f"{options.match!r} is no match: give a number that `tableref matches` lists.")
    with open_store(options.settings) as store:
        text = store.load(int(options.match))
    if options.format == "trn":
        sys.stdout.write(text)
    elif options.format == "json":
        print(json.dumps(judged(parse(text, f"match {options.match}")).public()))
    else:
        from service.matches import write_csv

        write_csv(parse(text, f"match {options.match}"), sys.stdout)
    return 0
