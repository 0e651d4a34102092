"""One line of a record for one event, and back (docs/record.md, Lines): `event_of(line_for(event)) == event`.

A `NotationError` says what was expected; the record adds where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, cast

from referee.cards import Card, Colour
from referee.events import (
    Amend,
    Catch,
    Challenge,
    ChooseRule,
    Deal,
    Discard,
    Draw,
    Event,
    Hand,
    Leave,
    NameColour,
    Pass,
    Play,
    Points,
    Reshuffle,
    Start,
    Swap,
    Undo,
    Uno,
    Verdict,
    Void,
)

UNSEEN: Final = "??"
Words = Sequence[str]


class NotationError(ValueError):
    """A line that notes no event; the message is what was expected."""


class Laid(NamedTuple):
    """A card as it is noted: with the colour named and the number behind it."""

    card: Card | None
    colour: Colour | None = None
    number: int | None = None

    def __str__(self) -> str:
        colour = f">{self.colour}" if self.colour else ""
        number = f"={self.number}" if self.number is not None else ""
        return f"{self.card or UNSEEN}{colour}{number}"


_LAID: Final = re.compile(r"(\?\?|[A-Z0-9]+)(?:>([RYGB]))?(?:=([1-9][0-9]*))?", re.ASCII)
_MARKS: Final = re.compile(r"(?:(?:@(?P<seconds>\d+(?:\.\d+)?)|~(?P<confidence>[01](?:\.\d+)?))\s*){0,2}", re.ASCII)
"""What stands from the first `@` or `~` of a line on."""


def event_of(line: str) -> Event | None:
    """The event that `line` notes; None when it is empty or only a comment."""
    text = line.partition(";")[0]
    end = next((place for place, letter in enumerate(text) if letter in "@~"), len(text))
    found, words = _MARKS.fullmatch(text, end), text[:end].split()
    if found is None:
        raise NotationError("a line such as `2 R7`, perhaps with `@12.4` (seconds) and `~0.93` (confidence) at the end")
    marks = {name: _number(mark) for name, mark in found.groupdict().items()}
    if marks["confidence"] is not None and marks["confidence"] > 1:
        raise NotationError("a confidence from 0 to 1")
    if marks["seconds"] == math.inf:
        raise NotationError("a time in seconds that can be")
    if words:
        return _event(words, marks)
    if end < len(text):
        raise NotationError("an event before the time or confidence")
    return None


def line_for(event: Event) -> str:
    """The line that notes `event`."""
    words = _WRITERS[type(event)](event)
    if event.seconds is not None:
        words += f" @{_plain(event.seconds)}"
    if event.confidence is not None:
        words += f" ~{_plain(event.confidence)}"
    return words


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _plain(value: float) -> str:
    """`value` in digits, never with an exponent."""
    return format(Decimal(repr(value)), "f").removesuffix(".0")


@lru_cache(maxsize=1024)
def read_laid(word: str) -> Laid:
    """The card that `word` notes, with what is written behind it."""
    found = _LAID.fullmatch(word)
    try:
        if found is None:
            raise ValueError
        face, colour, number = found.groups()
        card = None if face == UNSEEN else Card.parse(face)
    except ValueError:
        raise NotationError(f"a card such as R7, BS, W>B or ??, not {word!r}") from None
    return Laid(card, Colour(colour) if colour else None, int(number) if number else None)


def _face(word: str) -> Card | None:
    laid = read_laid(word)
    if laid.colour or laid.number:
        raise NotationError(f"only the card in {word!r}")
    return laid.card


def _seat(word: str) -> int:
    return _count(word, "a seat")


def _count(word: str, what: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 6:
        raise NotationError(f"{what}, not {word!r}")
    return int(word)


def _event(words: list[str], marks: dict[str, float | None]) -> Event:
    try:
        if not words[0].isdigit():
            return _table_event(words, marks)
        seat, rest = _seat(words[0]), words[1:]
        if rest and rest[0] in _OF_A_SEAT:
            return _OF_A_SEAT[rest[0]](seat, rest[1:], marks)
        return _play(seat, rest, marks)
    except IndexError:
        raise NotationError("more: the line breaks off") from None


def _table_event(words: list[str], marks: dict[str, float | None]) -> Event:
    if words[0] not in _OF_THE_TABLE:
        raise NotationError(f"a seat, or one of {', '.join(_OF_THE_TABLE)}, not {words[0]!r}")
    return _OF_THE_TABLE[words[0]](words[1:], marks)


def _no_more(words: Words, wanted: int) -> None:
    if len(words) > wanted:
        raise NotationError(f"the end of the line, not {words[wanted]!r}")


def _read_start(words: Words, marks: Any) -> Start:
    _no_more(words, 1)
    return Start(*read_laid(words[0]), **marks)


def _read_amend(words: Words, marks: Any) -> Amend:
    _no_more(words, 2)
    laid = read_laid(words[1])
    if laid.card is None:
        raise NotationError("the card that it was")
    return Amend(_count(words[0], "the number of a line"), laid.card, laid.colour, laid.number, **marks)


def _play(seat: int, words: Words, marks: Any) -> Play:
    if len(words) > 1 and words[1] != "uno":
        raise NotationError(f"`uno` or the end of the line, not {words[1]!r}")
    _no_more(words, 2)
    return Play(seat, *read_laid(words[0]), uno=len(words) > 1, **marks)


def _read_draw(seat: int, words: Words, marks: Any) -> Draw:
    _no_more(words, 1)
    return Draw(seat, _count(words[0], "how many cards") if words else None, **marks)


def _read_challenge(seat: int, words: Words, marks: Any) -> Challenge:
    _no_more(words, 1)
    if words and words[0] not in ("guilty", "innocent"):
        raise NotationError(f"guilty, innocent or the end of the line, not {words[0]!r}")
    return Challenge(seat, cast(Verdict, words[0]) if words else None, **marks)


def _read_colour(seat: int, words: Words, marks: Any) -> NameColour:
    _no_more(words, 1)
    if words[0] not in tuple("RYGB"):
        raise NotationError(f"R, Y, G or B, not {words[0]!r}")
    return NameColour(seat, Colour(words[0]), **marks)


def _alone(kind: Callable[..., Event], words: Words, marks: Any) -> Event:
    """An event of the table with nothing more to say."""
    _no_more(words, 0)
    return kind(**marks)


def _with_seat(kind: Callable[..., Event], words: Words, marks: Any) -> Event:
    """An event of the table that names one seat."""
    _no_more(words, 1)
    return kind(_seat(words[0]), **marks)


def _bare(kind: Callable[..., Event], seat: int, words: Words, marks: Any) -> Event:
    """An event of a seat with nothing more to say."""
    _no_more(words, 0)
    return kind(seat, **marks)


def _with_number(kind: Callable[..., Event], what: str, seat: int, words: Words, marks: Any) -> Event:
    """An event of a seat with one number; `what` it is."""
    _no_more(words, 1)
    return kind(seat, _count(words[0], what), **marks)


def _with_cards(kind: Callable[..., Event], seat: int, words: Words, marks: Any) -> Event:
    """An event of a seat with any number of cards."""
    return kind(seat, tuple(_face(word) for word in words), **marks)


_OF_THE_TABLE: Final[dict[str, Callable[[Words, Any], Event]]] = {
    "deal": partial(_with_seat, Deal),
    "start": _read_start,
    "reshuffle": partial(_alone, Reshuffle),
    "leave": partial(_with_seat, Leave),
    "void": partial(_alone, Void),
    "undo": partial(_alone, Undo),
    "amend": _read_amend,
}

_OF_A_SEAT: Final[dict[str, Callable[[int, Words, Any], Event]]] = {
    "draw": _read_draw,
    "pass": partial(_bare, Pass),
    "uno": partial(_bare, Uno),
    "catch": partial(_with_number, Catch, "the seat that was caught"),
    "challenge": _read_challenge,
    "colour": _read_colour,
    "swap": partial(_with_number, Swap, "the seat to swap with"),
    "rule": partial(_with_number, ChooseRule, "the number of the rule"),
    "discard": partial(_with_cards, Discard),
    "hand": partial(_with_cards, Hand),
    "points": partial(_with_number, Points, "the points"),
}


def _cards(cards: tuple[Card | None, ...]) -> str:
    return "".join(f" {card or UNSEEN}" for card in cards)


_WRITERS: Final[dict[type[Event], Callable[[Any], str]]] = {
    Deal: lambda e: f"deal {e.seat}",
    Start: lambda e: f"start {Laid(e.card, e.colour, e.partner)}",
    Play: lambda e: f"{e.seat} {Laid(e.card, e.colour, e.partner)}{' uno' if e.uno else ''}",
    Draw: lambda e: f"{e.seat} draw{'' if e.cards is None else f' {e.cards}'}",
    Pass: lambda e: f"{e.seat} pass",
    Uno: lambda e: f"{e.seat} uno",
    Catch: lambda e: f"{e.seat} catch {e.target}",
    Challenge: lambda e: f"{e.seat} challenge{f' {e.verdict}' if e.verdict else ''}",
    NameColour: lambda e: f"{e.seat} colour {e.colour}",
    Swap: lambda e: f"{e.seat} swap {e.partner}",
    ChooseRule: lambda e: f"{e.seat} rule {e.number}",
    Discard: lambda e: f"{e.seat} discard{_cards(e.cards)}",
    Hand: lambda e: f"{e.seat} hand{_cards(e.cards)}",
    Points: lambda e: f"{e.seat} points {e.points}",
    Reshuffle: lambda e: "reshuffle",
    Leave: lambda e: f"leave {e.seat}",
    Void: lambda e: "void",
    Undo: lambda e: "undo",
    Amend: lambda e: f"amend {e.line} {Laid(e.card, e.colour, e.partner)}",
}
