"""The match in play: its ledger, its lines, which requests brought them, and how it comes back from the store.

TableError
├── Conflict        the table has moved on since; `snapshot` says where it stands
├── NoMatch         no match has been begun
└── NotStored       the disk refused; the event does not count
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from referee import events as ev
from referee.header import header_lines
from referee.ledger import Judged, Ledger, Step
from referee.notation import event_of
from referee.options import MatchSettings
from referee.record import ledger as judged_record
from referee.record import parse
from referee.rulings import Ruling
from referee.state import MatchState
from service.onlooker import Onlooker
from service.revisions import Revision
from service.snapshot import Snapshot
from service.store import Store, StoredMatch
from vision.changes import CardLaid, CardsDrawn, TableChange

log = logging.getLogger(__name__)

OUT_OF_STEP: Final = "  ; out of step"
"""Marks the lines of a record that were written while nobody knew whose turn it was."""


class TableError(Exception):
    """The table cannot do that; the message is one sentence."""


class Conflict(TableError):  # noqa: N818 - an answer, not a fault
    """The table has moved on since; `snapshot` is the state now."""

    def __init__(self, state: Snapshot) -> None:
        super().__init__("The table has moved on since.")
        self.snapshot = state


class NoMatch(TableError):  # noqa: N818 - an answer, not a fault
    """No match has been begun."""

    def __init__(self) -> None:
        super().__init__("No match has been begun.")


class NotStored(TableError):  # noqa: N818 - an answer, not a fault
    """The event could not be stored, so it does not count."""


@dataclass(frozen=True, slots=True)
class Applied:
    """An event that counts: the version that it made, what was ruled, the match after it, its line of the record.

    `repeated` when the same request had been applied before; then nothing happened now.
    """

    version: int
    rulings: tuple[Ruling, ...]
    state: MatchState
    repeated: bool = False
    line: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that counts, the version that it made, and who told it."""

    version: int
    source: str
    judged: Judged


@dataclass
class Match:
    """One match. `version` is that of its header; each line after it makes one more."""

    id: int
    version: int
    ledger: Ledger
    onlooker: Onlooker
    began: float
    """The table's clock at the start of the record."""
    begun_at: str | None = None
    """When it was begun, ISO 8601, as the store has it."""
    lines: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    keys: dict[str, Applied] = field(default_factory=dict)
    last: ev.Event | None = None
    laid_by_word: float = float("-inf")
    drawn_by_word: float = float("-inf")
    """When somebody told the table of a card laid or drawn: what the camera saw before that is the same card."""

    @classmethod
    def begun(cls, number: int, version: int, settings: MatchSettings, now: float) -> Match:
        """A new match that the store knows by `number`."""
        lines = list(header_lines(settings))
        ledger = Ledger(settings, len(lines) + 1)
        began = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(number, version, ledger, Onlooker(len(settings.players)), now, began, lines)

    @classmethod
    def resumed(cls, store: Store, stored: StoredMatch, now: float) -> Match:
        """A stored match as it was left. Raises StoreError, RecordError when it cannot be read."""
        told = store.lines(stored.id)
        record = parse(store.load(stored.id).rstrip("\n"), f"match {stored.id}")
        ledger, onlooker = judged_record(record), Onlooker(len(record.settings.players))
        events = [event for event in record.events if event]
        for event in events:
            onlooker.noted(event)
        last = max((event.seconds or 0.0 for event in events), default=0.0)
        match = cls(stored.id, stored.version, ledger, onlooker, now - last, stored.began, list(record.lines))
        match.sources = [line.source for line in told]
        match.keys = {
            line.key: Applied(line.version, (), ledger.state, line=line.line) for line in told if line.key is not None
        }
        match.last = event_of(told[-1].line) if told else None
        return match

    @classmethod
    def newest(cls, store: Store, now: float) -> Match | None:
        """The newest match as it was left, unless it is over. Raises StoreError, RecordError when it cannot be read."""
        stored = store.matches()
        match = cls.resumed(store, stored[-1], now) if stored else None
        return match if match is not None and match.ledger.state.winner is None else None

    @property
    def header(self) -> int:
        """How many lines of the record come before the first event."""
        return len(self.lines) - len(self.sources)

    def seconds(self, now: float) -> float:
        """Seconds since the record began."""
        return max(0.0, now - self.began)

    def revision(self) -> Revision | None:
        """What hindsight says of the record; a fault in it never stops the game."""
        try:
            return self.onlooker.hindsight.revision(self.ledger)
        except Exception:
            log.exception("looking back failed")
            self.onlooker.hindsight.forget()
            return None

    def mark(self, source: str = "camera") -> str:
        """What is put behind a line that `source` tells: a mark while the thread is lost."""
        return OUT_OF_STEP if source == "camera" and self.onlooker.hindsight.is_lost else ""

    def judge(self, event: ev.Event, line: str, source: str) -> Step:
        """Take in an event that is stored as `line`."""
        step = self.ledger.add(event)
        self.lines.append(line)
        self.sources.append(source)
        self.onlooker.noted(event, step.line)
        self.last = event
        return step

    def note_words(self, event: ev.Event, source: str, now: float) -> None:
        """Remember when somebody told of a card that the camera may see as well."""
        if source == "camera":
            return
        if isinstance(event, (ev.Play, ev.Start, ev.Pass)):
            self.laid_by_word = now
        if isinstance(event, (ev.Draw, ev.Pass)):
            self.drawn_by_word = now

    def is_late(self, change: TableChange, now: float) -> bool:
        """Whether the hand of what the camera saw came before somebody told of a card: it is that card."""
        if not isinstance(change, (CardLaid, CardsDrawn)):
            return False
        came = now - max(0.0, change.seconds - change.since)
        return came < (self.laid_by_word if isinstance(change, CardLaid) else self.drawn_by_word)

    def entries(self) -> Iterator[Entry]:
        """The lines that count, in order."""
        header = self.header
        for judged in self.ledger.history:
            place = judged.line - header
            yield Entry(self.version + place, self.sources[place - 1], judged)
