"""Where the match at a table stands, for whoever asks: from any thread, one moment at a time, nothing changed by it."""

from __future__ import annotations

import threading
from typing import Any

from referee.ledger import Judged
from referee.state import MatchState
from service.match import Entry, Match
from service.possible import Possible, possible
from service.steps import steps
from service.store import Store


class Standing:
    """What a table tells of its match."""

    _lock: threading.RLock
    _match: Match | None
    _version: int
    _store: Store

    @property
    def version(self) -> int:
        """Rises by one with each event and each new match."""
        return self._version

    @property
    def match(self) -> int | None:
        """The number of the match in play, as the store has it."""
        with self._lock:
            return self._match.id if self._match else None

    @property
    def state(self) -> MatchState | None:
        """Where the match stands; None while none was begun."""
        with self._lock:
            return self._match.ledger.state if self._match else None

    def record(self) -> str:
        """The record of the match in play, as text; empty while none was begun."""
        with self._lock:
            return "".join(f"{line}\n" for line in self._match.lines) if self._match else ""

    def history(self) -> tuple[Judged, ...]:
        """The events that count, in order: what was undone is gone, what was amended is as it really was."""
        with self._lock:
            return self._match.ledger.history if self._match else ()

    def entries(self) -> tuple[Entry, ...]:
        """The same with the version that each made and who told it."""
        with self._lock:
            return tuple(self._match.entries()) if self._match else ()

    def steps(self) -> dict[str, Any]:
        """The match in play, step by step; empty while none was begun."""
        with self._lock:
            return steps(self._match) if self._match else {"match": None, "players": [], "steps": []}

    def possible(self, seat: int) -> tuple[Possible, ...]:
        """What a seat may do now."""
        with self._lock:
            found = possible(self._match.ledger.state, self._match.last) if self._match else ()
            return found[seat - 1] if seat <= len(found) else ()

    def has_applied(self, key: str) -> bool:
        """Whether the request with this key was applied already."""
        with self._lock:
            return (self._match is not None and key in self._match.keys) or self._store.told_with(key) is not None
