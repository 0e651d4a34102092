"""What the referee says to an event: one frozen class each, in the order of docs/rules.md.

Every ruling has a `key`, which never changes its meaning (docs/record.md), and the `rule` it rests on (docs/rules.md).
`fields()` gives both and its own fields as JSON. A ruling says what holds now; it never tells anybody to stop.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import ClassVar, Literal

from referee.cards import Card, Colour

Json = int | str | None
Unplayable = Literal["colour_and_symbol", "not_your_turn", "not_the_drawn_card", "no_action_finish"]
PenaltyReason = Literal[
    "draw_two",
    "wild_draw_four",
    "uno",
    "challenge_guilty",
    "challenge_innocent",
    "misplay",
    "house_rule",
    "false_catch",
]
Oddity = Literal[
    "draw_on",
    "match_over",
    "no_card_there",
    "no_cards",
    "no_card_turned",
    "no_question",
    "no_round",
    "no_such_line",
    "not_one_card",
    "not_playing",
    "not_your_turn",
    "nothing_to_undo",
    "one_card_only",
    "own_seat",
    "round_in_play",
    "too_many",
    "trading",
]


@dataclass(frozen=True)
class Ruling:
    """The root of all rulings."""

    key: ClassVar[str]

    def fields(self) -> dict[str, Json]:
        """The ruling as one flat JSON object, `key` and `rule` first."""
        own = {field.name.rstrip("_"): _json(getattr(self, field.name), field.name) for field in fields(self)}
        return {"key": self.key, "rule": own.pop("rule"), **own}


def _json(value: object, name: str) -> Json:
    if name == "card" and value is None:
        return "??"
    if isinstance(value, (Card, Enum)):
        return str(value)
    assert value is None or isinstance(value, (int, str))
    return value


@dataclass(frozen=True)
class Census(Ruling):
    """`card` was seen more often than the deck holds it: a misreading or a foreign card (R2.3)."""

    key: ClassVar[str] = "census"
    card: Card
    rule: str = "R2.3"


@dataclass(frozen=True)
class DealerDrawn(Ruling):
    """`seat` drew the highest number and deals (R3.2)."""

    key: ClassVar[str] = "dealer"
    seat: int
    rule: str = "R3.2"


@dataclass(frozen=True)
class DealerTied(Ruling):
    """Nobody or several drew the highest number; the question names who draws again (R3.2)."""

    key: ClassVar[str] = "dealer_tied"
    rule: str = "R3.2"


@dataclass(frozen=True)
class StartAgain(Ruling):
    """The turned `card` is put back, shuffled in, and another turned (R3.4)."""

    key: ClassVar[str] = "start_again"
    card: Card
    rule: str = "R3.4"


@dataclass(frozen=True)
class CannotBePlayed(Ruling):
    """`card` of `seat` goes back: `why`; `top` and `colour` are what it would have had to match (R9.1)."""

    key: ClassVar[str] = "cannot_be_played"
    seat: int
    card: Card | None
    why: Unplayable
    top: Card | None
    colour: Colour | None
    rule: str = "R9.1"


@dataclass(frozen=True)
class Skipped(Ruling):
    """`seat` loses its turn."""

    key: ClassVar[str] = "skipped"
    seat: int
    rule: str


@dataclass(frozen=True)
class Direction(Ruling):
    """Play now runs clockwise (1) or counter-clockwise (-1)."""

    key: ClassVar[str] = "direction"
    value: int
    rule: str = "R5.2"


@dataclass(frozen=True)
class Penalty(Ruling):
    """`seat` draws `cards`: as many as are due, or as there are (R4.7)."""

    key: ClassVar[str] = "penalty"
    seat: int
    cards: int
    why: PenaltyReason
    rule: str


@dataclass(frozen=True)
class ImpliedDraw(Ruling):
    """Play went on, so `seat` is taken to have drawn the `cards` that it had to."""

    key: ClassVar[str] = "implied_draw"
    seat: int
    cards: int
    rule: str


@dataclass(frozen=True)
class ColourNamed(Ruling):
    """The active colour is `value` by somebody's word."""

    key: ClassVar[str] = "colour"
    value: Colour
    rule: str = "R5.4"


@dataclass(frozen=True)
class Verdict(Ruling):
    """The challenged player is `value`: guilty or innocent (R5.6)."""

    key: ClassVar[str] = "verdict"
    value: Literal["guilty", "innocent"]
    seat: int
    rule: str = "R5.6"


@dataclass(frozen=True)
class Swapped(Ruling):
    """`seat` and `with_` swapped their hands."""

    key: ClassVar[str] = "swapped"
    seat: int
    with_: int
    rule: str = "R5.8"


@dataclass(frozen=True)
class Rotated(Ruling):
    """Every hand moved on one seat in the direction of play (R10, `zero_rotate`)."""

    key: ClassVar[str] = "rotated"
    rule: str = "R10"


@dataclass(frozen=True)
class HouseRule(Ruling):
    """The Customizable card's rule is carried out by `seat` (R5.9); `text` is its notation in the header."""

    key: ClassVar[str] = "house_rule"
    seat: int
    text: str
    rule: str = "R5.9"


@dataclass(frozen=True)
class UnoDue(Ruling):
    """`seat` holds one card and has not called; it can be caught now (R6.1)."""

    key: ClassVar[str] = "uno_due"
    seat: int
    rule: str = "R6.1"


@dataclass(frozen=True)
class UnoCalled(Ruling):
    """`seat` called uno (R6.1)."""

    key: ClassVar[str] = "uno_called"
    seat: int
    rule: str = "R6.1"


@dataclass(frozen=True)
class Caught(Ruling):
    """`seat` forgot to call and was caught in the window (R6.3)."""

    key: ClassVar[str] = "caught"
    seat: int
    by: int
    rule: str = "R6.3"


@dataclass(frozen=True)
class LateCatch(Ruling):
    """`seat` did forget, but its window has closed (R6.3)."""

    key: ClassVar[str] = "late_catch"
    by: int
    seat: int
    rule: str = "R6.3"


@dataclass(frozen=True)
class FalseCatch(Ruling):
    """`seat` forgot nothing (R6.4)."""

    key: ClassVar[str] = "false_catch"
    by: int
    seat: int
    rule: str = "R6.4"


@dataclass(frozen=True)
class Reshuffled(Ruling):
    """The discard pile but for its top card is the new draw pile (R4.7)."""

    key: ClassVar[str] = "reshuffled"
    rule: str = "R4.7"


@dataclass(frozen=True)
class NothingToDraw(Ruling):
    """No card is left on either pile, `seat` passes (R4.7)."""

    key: ClassVar[str] = "nothing_to_draw"
    seat: int
    rule: str = "R4.7"


@dataclass(frozen=True)
class Stalemate(Ruling):
    """Every seat in a row had to pass (R4.7)."""

    key: ClassVar[str] = "stalemate"
    rule: str = "R4.7"


@dataclass(frozen=True)
class Voided(Ruling):
    """The round is void: nobody scores."""

    key: ClassVar[str] = "voided"
    rule: str = "R4.7"


@dataclass(frozen=True)
class GoneOut(Ruling):
    """`seat` has no cards left; the hands of the others are counted (R7.1)."""

    key: ClassVar[str] = "gone_out"
    seat: int
    rule: str = "R7.1"


@dataclass(frozen=True)
class CountMismatch(Ruling):
    """`read` cards were read in the hand of `seat` that should hold `expected` (R7.5)."""

    key: ClassVar[str] = "count_mismatch"
    seat: int
    expected: int
    read: int
    rule: str = "R7.5"


@dataclass(frozen=True)
class RoundWon(Ruling):
    """The round is counted: `seat` won it and scores `points`."""

    key: ClassVar[str] = "round_won"
    seat: int
    points: int
    rule: str


@dataclass(frozen=True)
class Out(Ruling):
    """`seat` has reached the target and is out of the match (R7.3)."""

    key: ClassVar[str] = "out"
    seat: int
    rule: str = "R7.3"


@dataclass(frozen=True)
class Left(Ruling):
    """`seat` has left the match; its cards go under the draw pile."""

    key: ClassVar[str] = "left"
    seat: int
    rule: str = "R3.1"


@dataclass(frozen=True)
class MatchWon(Ruling):
    """`seat` (in teams the lower seat of the pair) has won the match."""

    key: ClassVar[str] = "match_won"
    seat: int
    rule: str


@dataclass(frozen=True)
class OpenQuestion(Ruling):
    """Something has still to be told by `seat`: said when play goes on over it, and asked again (R9.3)."""

    key: ClassVar[str] = "open_question"
    kind: str
    seat: int
    rule: str = "R9.3"


@dataclass(frozen=True)
class Unexplained(Ruling):
    """An observation that fits no rule: `what` happened (the word of the record) and `why` it does not fit (R9.4)."""

    key: ClassVar[str] = "unexplained"
    what: str
    seat: int | None
    why: Oddity
    rule: str = "R9.4"


@dataclass(frozen=True)
class Decided(Ruling):
    """A decision of this table that the rulebooks leave open, said the first time it applies: `option` = `value`."""

    key: ClassVar[str] = "decided"
    option: str
    value: str
    rule: str
