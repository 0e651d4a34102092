"""Films of games: watched into records without people, and shot on the virtual table.

`watch` is the whole way from a video to a judged record, faster than real time. What cannot be seen (named colours,
calls of uno, verdicts, the hands at the end) may be given as `words`: events with their seconds, as somebody at the
table would say them; `words_of` takes them from a film's true record.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from referee.events import Draw, Event, Hand, NameColour, Pass, Play, Reshuffle, Start, Swap, Undo, Uno
from referee.options import MatchSettings
from referee.record import Record
from referee.state import MatchState
from service.doubts import Doubt
from service.filmed import Answer, FilmedTable
from service.sentences import Refusal
from vision.changes import CardLaid, CardsDrawn, CardTaken, PileReshuffled, TableChange
from vision.frames import Glimpse
from vision.pipeline import STANDARD, WatchSettings
from vision.pipeline import watch as look_at
from vision.sight import Sight

SEEN: Final = (Start, Play, Draw, Pass, Reshuffle, Undo)
"""Events that the camera tells of; of all others people do."""

Question = Doubt
"""What the referee asks; see `service.doubts`."""

Looking = Callable[[Iterable[Glimpse], Sight, WatchSettings], Iterable[TableChange]]
"""Who watches the pictures: `vision.pipeline.watch`, or another who does the same and more."""

NO_PAINTER: Final = "Films are drawn with packages that are not installed ({}): pip install --group dev brings them."
NO_WORKSHOP: Final = "Films are made in a checkout of the source, where the workshop rooms are: clone it and try there."


def watch(
    glimpses: Iterable[Glimpse],
    sight: Sight,
    settings: MatchSettings,
    words: Iterable[Event] = (),
    watching: WatchSettings = STANDARD,
    tell: Callable[[TableChange], object] = lambda change: None,
    look: Looking = look_at,
    answer: Answer | None = None,
) -> Record:
    """The record of the game that the pictures show; `tell` hears every change of the table as soon as it is certain.

    answer: answers what the referee asks when it is not certain; without it nothing is asked.
    Raises SourceError when the pictures cannot be read.
    """
    table, changes = FilmedTable(settings, answer), []
    for change in look(glimpses, sight, watching):
        tell(change)
        changes.append(change)
    for happened in _in_order(changes, words):
        if not isinstance(happened, Event):
            table.see(happened)
        elif not _is_counted(happened, table.state):
            table.hear(happened)
    return table.record


def words_of(truth: Iterable[Event], hands_after: float = 0.0) -> list[Event]:
    """What people say in a game, in order; a colour, partner or call joined to a play becomes a word of its own.

    hands_after: seconds for which the camera may look at each hand that is counted before somebody tells of it.
    """
    words: list[Event] = []
    for event in truth:
        if isinstance(event, Hand):
            words.append(replace(event, seconds=(event.seconds or 0.0) + hands_after))
        elif not isinstance(event, SEEN):
            words.append(event)
        if isinstance(event, (Play, Start)):
            words += _joined_to(event)
    return sorted(words, key=lambda word: word.seconds or 0.0)


def simulate(
    seed: int,
    players: int,
    video: Path,
    record: Path,
    conditions: Mapping[str, Any] | None = None,
    **choices: Any,
) -> str:
    """Shoots a legal random game and writes the film and its true record; one line that says what was written.

    conditions: fields of `datasets.film.Conditions`. choices: `troubles` by name, `mode`, `truth`.
    Raises Refusal outside a checkout, and when the game or the files cannot be made.
    """
    workshop = _workshop()
    if not 2 <= players <= 10:
        raise Refusal(f"A game has 2 to 10 players, not {players}.")
    try:
        return str(workshop.simulate(seed, players, video, record, conditions or {}, **choices))
    except (OSError, ValueError) as error:
        raise Refusal(f"The film cannot be made: {error}.") from None


def _workshop() -> Any:
    """The room where films are made; Refusal where it is not."""
    try:
        return importlib.import_module("datasets.simulate")
    except ModuleNotFoundError as error:
        missing = str(error.name)
        raise Refusal(NO_WORKSHOP if missing.startswith("datasets") else NO_PAINTER.format(missing)) from None


def _joined_to(event: Play | Start) -> Iterable[Event]:
    if isinstance(event, Start):
        return
    if event.colour is not None:
        yield NameColour(event.seat, event.colour, seconds=event.seconds)
    if event.partner is not None:
        yield Swap(event.seat, event.partner, seconds=event.seconds)
    if event.uno:
        yield Uno(event.seat, seconds=event.seconds)


def _is_counted(word: Event, state: MatchState) -> bool:
    """Whether somebody tells of a hand that the camera has seen and counted already."""
    if not isinstance(word, Hand) or state.round is None or word.seat > len(state.round.points):
        return False
    return state.round.points[word.seat - 1] is not None


def _in_order(changes: Iterable[TableChange], words: Iterable[Event]) -> list[TableChange | Event]:
    """Changes and words as they happened: a change counts from when the hand came, not from when it was believed."""
    happened: list[TableChange | Event] = [*changes, *words]
    return sorted(happened, key=_when)


def _when(happened: TableChange | Event) -> float:
    if isinstance(happened, (CardLaid, CardsDrawn, CardTaken, PileReshuffled)):
        return happened.since
    return happened.seconds or 0.0
