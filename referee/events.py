"""What can happen at the table: one frozen class each, in the words of docs/rules.md.

An event says what was seen or said, never whether it was right: that is `judge`'s to rule. Seats count from 1.
`seconds` is the time since the start of the record, `confidence` (0 to 1) that of the camera; both may be unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.cards import Card, Colour

Verdict = Literal["guilty", "innocent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The root of all events."""

    seconds: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Deal(Event):
    """A round begins; `seat` deals."""

    seat: int


@dataclass(frozen=True, slots=True)
class Start(Event):
    """The turned card (None: nobody saw which); for a wild the colour and swap partner named with it (R3.4)."""

    card: Card | None
    colour: Colour | None = None
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class Play(Event):
    """`seat` lays `card` (None: nobody saw which) on the discard pile, and perhaps calls uno with it.

    `partner` is a swap partner (R5.8, R10 `seven_swap`); with a Customizable card the number of its rule (R5.9).
    """

    seat: int
    card: Card | None
    colour: Colour | None = None
    partner: int | None = None
    uno: bool = False


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """`seat` draws: by choice when `cards` is None (R4.3), else that many as a penalty."""

    seat: int
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class Pass(Event):
    """`seat` keeps the card it drew (R4.4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Uno(Event):
    """`seat` calls uno apart from a play (R6.1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Catch(Event):
    """`seat` says that `target` forgot to call uno (R6.4)."""

    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Challenge(Event):
    """`seat` challenges the Wild Draw Four on the pile; `verdict` is None while it is open (R5.6)."""

    seat: int
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class NameColour(Event):
    """`seat` names the active colour for the wild on the pile."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Swap(Event):
    """`seat` swaps hands with `partner` (R5.8)."""

    seat: int
    partner: int


@dataclass(frozen=True, slots=True)
class ChooseRule(Event):
    """`seat` says that its Customizable card carries rule `number` of the agreed ones, from 1 (R5.9)."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Discard(Event):
    """`seat` lays off `cards` (perhaps none) because a house rule says so (R10)."""

    seat: int
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Hand(Event):
    """What `seat` was left with at the end of a round; None stands for a card nobody could read (R7.5)."""

    seat: int
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Points(Event):
    """The points that `seat` was left with, typed instead of shown (R7.5)."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Reshuffle(Event):
    """The discard pile, but for its top card, became the draw pile (R4.7)."""


@dataclass(frozen=True, slots=True)
class Leave(Event):
    """`seat` leaves the match."""

    seat: int


@dataclass(frozen=True, slots=True)
class Void(Event):
    """The round is void."""


@dataclass(frozen=True, slots=True)
class Undo(Event):
    """Takes back the last line that is not itself an undo."""


@dataclass(frozen=True, slots=True)
class Amend(Event):
    """Line `line` of the record was a misreading: it was `card`. Everything after it is judged again."""

    line: int
    card: Card
    colour: Colour | None = None
    partner: int | None = None
