"""The stored matches as people see them: which there are, how they ended, and their records."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from referee.record import Record, RecordError, parse
from referee.record import ledger as judged_record
from referee.record import replay as judged
from service import settings as configuration
from service.match import Match
from service.steps import steps
from service.store import NoSuchMatchError, Store, StoredMatch, StoreError


def open_store(settings_file: Path | None = None) -> Store:
    """The stored matches of this computer, for looking only; SettingsError or StoreError when there are none."""
    return Store.read(configuration.load(file=settings_file).database)


def listed(store: Store) -> list[dict[str, Any]]:
    """Every match with its number, beginning, players, number of lines and outcome, the oldest first.

    One that cannot be read any more is `damaged` and has no scores; the others are listed all the same.
    """
    return [
        {
            "id": match.id,
            "began": match.began,
            "players": _players(match.header),
            "lines": match.lines,
            **_outcome(store, match),
        }
        for match in store.matches()
    ]


def stepwise(store: Store, number: int) -> dict[str, Any]:
    """A stored match step by step. Raises NoSuchMatchError, StoreError, RecordError."""
    stored = next((match for match in store.matches() if match.id == number), None)
    if stored is None:
        raise NoSuchMatchError(f"there is no match {number}")
    return steps(Match.resumed(store, stored, 0.0))


def write_csv(record: Record, out: TextIO) -> None:
    """The lines of a record as a table, one row each."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("line", "seconds", "confidence", "text"))
    for number, event in judged(record).numbered:
        writer.writerow((number, event.seconds, event.confidence, record.text_at(number)))


def _players(header: str) -> list[str]:
    try:
        return list(parse(header).settings.players)
    except RecordError:
        return []


def _outcome(store: Store, match: StoredMatch) -> dict[str, Any]:
    try:
        mode, winner, scores = _judged(store, match)
    except (StoreError, RecordError):
        return {"mode": None, "winner": None, "scores": [], "damaged": True}
    return {"mode": mode, "winner": winner, "scores": list(scores), "damaged": False}


@lru_cache(maxsize=1024)
def _judged(store: Store, match: StoredMatch) -> tuple[str, int | None, tuple[int, ...]]:
    """How a match stands; remembered while no line comes to it."""
    state = judged_record(parse(store.load(match.id).rstrip("\n"), f"match {match.id}")).state
    return state.settings.mode, state.winner, tuple(state.scores)
