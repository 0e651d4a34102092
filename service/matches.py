"""The stored matches as people see them: which there are, and their records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.record import RecordError, parse
from service import settings as configuration
from service.store import Store


def open_store(settings_file: Path | None = None) -> Store:
    """The stored matches of this computer, for looking only; SettingsError or StoreError when there are none."""
    return Store.read(configuration.load(file=settings_file).database)


def listed(store: Store) -> list[dict[str, Any]]:
    """Every match with its number, beginning, players and number of lines, the oldest first.

    A header that cannot be read any more has no players; the others are listed all the same.
    """
    return [
        {
            "id": match.id,
            "began": match.began,
            "players": _players(match.header),
            "lines": match.lines,
        }
        for match in store.matches()
    ]


def _players(header: str) -> list[str]:
    try:
        return list(parse(header).settings.players)
    except RecordError:
        return []
