"""The game record (docs/record.md): parse, print, replay, undo, amend.

    >>> record = parse('[Players "A;B"]\\ndeal 1\\nstart R5\\n2 R7')
    >>> replay(record).state.turn
    1
    >>> str(append(record, event_of("1 draw")))
    '[Players "A;B"]\\ndeal 1\\nstart R5\\n2 R7\\n1 draw\\n'

A `Record` is text whose every line was understood; printing it gives the same text back. Judging it is the `Ledger`'s
work: `replay` feeds it a whole record, `ledger` also leaves it open for more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.events import Event
from referee.header import READERS, header_lines, settings_of
from referee.ledger import Judged, Ledger, Step
from referee.notation import NotationError, event_of, line_for
from referee.options import MatchSettings, SettingsError, nearest
from referee.plain import normal_form
from referee.public import public
from referee.rulings import Ruling
from referee.state import MatchState

__all__ = [
    "Judged",
    "Ledger",
    "Record",
    "RecordError",
    "Replay",
    "Step",
    "append",
    "event_of",
    "ledger",
    "line_for",
    "new_record",
    "parse",
    "parse_rules",
    "plain",
    "public",
    "replay",
    "replay_text",
]


class RecordError(ValueError):
    """A record that cannot be read: the file, the line (from 1) and what was expected there."""

    def __init__(self, name: str, line: int, expected: str) -> None:
        super().__init__(f"{name}, line {line}: {expected}")
        self.name, self.line, self.expected = name, line, expected


@dataclass(frozen=True, slots=True)
class Record:
    """A record as text that was understood: `str(parse(text)) == text`.

    `lines` are all its lines as written, `events` the event on each (None for the header, comments and empty lines).
    """

    settings: MatchSettings
    header: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    events: tuple[Event | None, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def text_at(self, line: int) -> str:
        """Line `line` (from 1) as written."""
        return self.lines[line - 1]


@dataclass(frozen=True, slots=True)
class Replay:
    """A judged record."""

    record: Record
    state: MatchState
    history: tuple[Judged, ...]

    @property
    def rulings(self) -> tuple[tuple[int, Ruling], ...]:
        """All rulings that hold, in order, each with the line of the record it is about."""
        return tuple((judged.line, ruling) for judged in self.history for ruling in judged.rulings)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that count: what was undone is gone, what was amended is as it really was."""
        return tuple(judged.event for judged in self.history)

    @property
    def numbered(self) -> tuple[tuple[int, Event], ...]:
        """The same, each with its line of the record."""
        return tuple((judged.line, judged.event) for judged in self.history)

    def public(self) -> dict[str, Any]:
        """The JSON object of `tableref replay --json`."""
        return public(self.state, self.rulings)


_HEADER_LINE: Final = re.compile(r'\ufeff?\s*\[\s*(?P<key>[A-Za-z]\w*)\s+"(?P<value>[^"]*)"\s*\]\s*(?:;.*)?')


def parse(text: str, name: str = "record") -> Record:
    """The record that `text` is; RecordError says where `name` is no record and what was expected."""
    lines = tuple(text.split("\n"))
    header: dict[str, tuple[int, str]] = {}
    events: list[Event | None] = []
    started = False
    for number, line in enumerate(lines, start=1):
        if line.lstrip("\ufeff \t").startswith("["):
            key, value = _header_entry(name, number, line, started)
            if key in header:
                raise RecordError(name, number, f"{key} only once; it is on line {header[key][0]} already")
            header[key] = number, value
            events.append(None)
        else:
            events.append(_event_on(name, number, line))
            started = started or events[-1] is not None
    return Record(_settings(name, header), tuple((k, v) for k, (_, v) in header.items()), lines, tuple(events))


def parse_rules(text: str, name: str = "rules") -> Record:
    """The same for a file of settings: its keys were written to be obeyed, so one that is not known is refused."""
    record = parse(text, name)
    for number, line in enumerate(record.lines, start=1):
        found = _HEADER_LINE.fullmatch(line)
        if found is not None and found["key"] not in READERS:
            raise RecordError(name, number, f"no setting {found['key']!r}{nearest(found['key'], READERS)}")
    return record


def _header_entry(name: str, number: int, line: str, started: bool) -> tuple[str, str]:
    found = _HEADER_LINE.fullmatch(line)
    if found is None:
        raise RecordError(name, number, f'expected a header such as [Players "Anna;Bram"], not {line.strip()!r}')
    if started:
        raise RecordError(name, number, "expected the header before the first event")
    return found["key"], found["value"]


def _event_on(name: str, number: int, line: str) -> Event | None:
    try:
        return event_of(line.lstrip("\ufeff") if number == 1 else line)
    except NotationError as error:
        raise RecordError(name, number, f"expected {error}") from None


def _settings(name: str, header: dict[str, tuple[int, str]]) -> MatchSettings:
    try:
        return settings_of({key: value for key, (_, value) in header.items()})
    except SettingsError as error:
        line = header[error.key][0] if error.key in header else 1
        raise RecordError(name, line, str(error)) from None


def new_record(settings: MatchSettings) -> Record:
    """The record of a match before its first event."""
    return parse("".join(f"{line}\n" for line in header_lines(settings)))


def append(record: Record, event: Event) -> Record:
    """The record with one more line; for many, keep a `Ledger` and the lines."""
    last = record.lines[-1]
    kept, known = (record.lines[:-1], record.events[:-1]) if not last.strip() else (record.lines, record.events)
    return replace(record, lines=(*kept, line_for(event), ""), events=(*known, event, None))


def ledger(record: Record) -> Ledger:
    """The match as far as `record` goes; `add` what happens next."""
    opened = Ledger(record.settings)
    known = record.events if record.lines[-1].strip() else record.events[:-1]
    for event in known:
        if event is None:
            opened.skip_line()
        else:
            opened.add(event)
    return opened


def replay(record: Record) -> Replay:
    """The whole record judged."""
    judged = ledger(record)
    return Replay(record, judged.state, judged.history)


def replay_text(text: str, name: str = "record") -> Replay:
    """The record that `text` is, judged; RecordError when it is none."""
    return replay(parse(text, name))


def plain(record: Record) -> tuple[str, ...]:
    """The one form that all records of the same game share: what may be left out is, what is split is joined."""
    return tuple(line_for(event) for event in normal_form(replay(record).history))
