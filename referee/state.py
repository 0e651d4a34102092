"""Where a match stands: frozen values and the questions one may ask them.

A `RoundState` knows what the referee can know: how many cards each seat and pile holds, which faces were seen since
the last reshuffle, never what is in a hand. Counts and piles always add up to the deck. An `Outcome` is a round with
what was ruled on the way to it; rules are functions from a round to an outcome, and `then` puts one behind the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, Literal, NamedTuple, ParamSpec

from referee.cards import Card, Colour
from referee.options import MatchSettings
from referee.rulings import Ruling

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """`dataclasses.replace` for values without checks of their own: several times as fast."""
        copy = object.__new__(type(value))
        copy.__dict__.update(value.__dict__, **changes)
        return copy


Rules = ParamSpec("Rules")
QuestionKind = Literal["colour", "challenge", "swap", "house_rule", "verdict", "dealer"]
HouseQuestion = Literal["stack", "which", "dare", "discard_wilds", "discard_colour"]
Phase = Literal["between", "playing", "counting", "over"]
Ending = Literal["gone_out", "stalemate", "void"]


@dataclass(frozen=True)
class Question:
    """What the table must answer before play goes on: `seat` is asked.

    `late` once play went on over it (R9.3): then it is still asked but holds up nobody. `target` is the player of a
    challenged card, `cards` what rides on the answer, `house` which house rule asks, `counts` the hands when it was
    asked (a late swap exchanges those).
    """

    kind: QuestionKind
    seat: int
    late: bool = False
    target: int = 0
    cards: int = 0
    house: HouseQuestion | None = None
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundState:
    """One round from the deal until it is counted; seats index the tuples from 1."""

    settings: MatchSettings
    seats: tuple[int, ...]
    """The seats still in the match, clockwise."""
    dealer: int | None
    counts: tuple[int, ...]
    draw_pile: int
    discards: int
    """Cards on the discard pile, the top card included; 0 until one is turned."""
    seen: tuple[int, ...]
    """How often each of `cards.FACES` was seen since the last reshuffle (R2.3)."""
    owed: tuple[int, ...]
    """Penalty cards already counted to a seat that nobody has yet seen it draw."""
    top: Card | None = None
    colour: Colour | None = None
    """The active colour; None while nobody named it or saw the card."""
    direction: Literal[1, -1] = 1
    turn: int | None = None
    """The seat whose turn is next once the questions are answered."""
    player: int | None = None
    """Who laid the top card; None for the turned card."""
    questions: tuple[Question, ...] = ()
    drawn: bool = False
    """Whether `turn` has drawn by choice and may only play that card (R4.4)."""
    drawn_card: Card | None = None
    """The first card that it laid as the drawn one, when that went back."""
    catchable: tuple[int, ...] = ()
    """Seats in their catch window (R6.2)."""
    missed: frozenset[int] = frozenset()
    """Seats that never called for the one card they hold, and were not caught in time."""
    early_call: int | None = None
    """The seat that called uno just before laying its next-to-last card."""
    stacked: int = 0
    """Cards passed on with the card being laid (R10, `stack`)."""
    stalled: int = 0
    """How many turns in a row ended without a card to draw (R4.7)."""
    reshuffle_unseen: bool = False
    """Whether the referee counted a reshuffle that nobody has reported yet."""
    ending: Ending | None = None
    winner: int | None = None
    points: tuple[int | None, ...] = ()
    """What each seat was left with, once its hand is counted (R7.5)."""
    scored: bool = False

    @property
    def is_turned(self) -> bool:
        """Whether there is a top card to play on."""
        return self.discards > 0

    @property
    def is_two_handed(self) -> bool:
        """Whether the rules for two seats hold (R8, R8.4)."""
        return len(self.seats) == 2

    @property
    def question(self) -> Question | None:
        """The question that holds up play, if any."""
        return next((question for question in self.questions if not question.late), None)

    def next_to(self, seat: int) -> int:
        """The seat after `seat` in the direction of play; `seat` itself may have left."""
        return self._neighbour(seat, self.direction)

    def left_of(self, seat: int) -> int:
        """The seat after `seat` clockwise."""
        return self._neighbour(seat, 1)

    def _neighbour(self, seat: int, step: int) -> int:
        places = len(self.counts)
        for _ in range(places):
            seat = (seat - 1 + step) % places + 1
            if seat in self.seats:
                return seat
        raise AssertionError("a round has seats")

    def count(self, seat: int) -> int:
        """The hand count of `seat`."""
        return self.counts[seat - 1]


class Outcome(NamedTuple):
    """A round and what was ruled on the way to it."""

    round: RoundState
    rulings: tuple[Ruling, ...] = ()

    def then(
        self,
        rule: Callable[Concatenate[RoundState, Rules], Outcome],
        *args: Rules.args,
        **kwargs: Rules.kwargs,
    ) -> Outcome:
        """What `rule` makes of this round, with the rulings of both."""
        after = rule(self.round, *args, **kwargs)
        return Outcome(after.round, self.rulings + after.rulings)


@dataclass(frozen=True)
class MatchState:
    """The whole contest; the round in play, or the last one, is `round`."""

    settings: MatchSettings
    scores: tuple[int, ...]
    out: tuple[int, ...] = ()
    number: int = 0
    """Rounds begun."""
    dealer: int | None = None
    """Who deals next, when that is known."""
    round: RoundState | None = None
    winner: int | None = None
    drawn_for_deal: tuple[tuple[int, Card | None], ...] = ()
    """Seats and the cards they drew for the deal (R3.2)."""
    drawing_for_deal: tuple[int, ...] = ()
    """Seats that still have to draw for the deal."""
    decided: frozenset[str] = frozenset()
    """Options already said aloud (docs/rules.md)."""

    @property
    def phase(self) -> Phase:
        """`between` rounds, `playing` from the deal on, `counting` hands, or `over`."""
        if self.winner is not None:
            return "over"
        if self.round is None or self.round.scored:
            return "between"
        return "playing" if self.round.ending is None else "counting"

    @property
    def seats(self) -> tuple[int, ...]:
        """Seats still in the match, clockwise."""
        return tuple(seat for seat in self.settings.seats if seat not in self.out)

    @property
    def uncounted(self) -> tuple[int, ...]:
        """The seats whose hands the score still waits for (R7.2 to R7.4)."""
        if self.phase != "counting" or self.round is None:
            return ()
        winner, points = self.round.winner, self.round.points
        spared = {winner}
        if self.settings.mode == "teams" and winner is not None:
            spared.add(partner_of(winner))
        return tuple(seat for seat in self.round.seats if seat not in spared and points[seat - 1] is None)

    @property
    def turn(self) -> int | None:
        """The seat to act: who is asked, else whose turn it is; None when nobody plays."""
        if self.round is None or self.phase != "playing":
            return None
        return self.round.question.seat if self.round.question else self.round.turn

    @property
    def pending(self) -> Question | None:
        """The first question not answered yet, also one that play has gone on over."""
        if self.phase == "between" and self.drawing_for_deal:
            return Question("dealer", self.drawing_for_deal[0])
        if self.round is None or self.phase != "playing":
            return None
        return self.round.question or next(iter(self.round.questions), None)

    @property
    def top(self) -> Card | None:
        """The last face-up card; None also when nobody saw which it is (`top_unknown`)."""
        return self.round.top if self.round else None

    @property
    def top_unknown(self) -> bool:
        """Whether there is a top card that nobody saw."""
        return self.round is not None and self.round.is_turned and self.round.top is None

    @property
    def colour(self) -> Colour | None:
        """The active colour; None when it is not known."""
        return self.round.colour if self.round else None

    @property
    def direction(self) -> Literal[1, -1]:
        """1 clockwise, -1 counter-clockwise."""
        return self.round.direction if self.round else 1

    @property
    def counts(self) -> tuple[int, ...]:
        """Hand counts by seat."""
        return self.round.counts if self.round else (0,) * len(self.settings.players)

    @property
    def catchable(self) -> int | None:
        """The seat that can be caught; `round.catchable` has all of them, there may be several after a swap."""
        return next(iter(self.round.catchable), None) if self.round else None

    @property
    def round_winner(self) -> int | None:
        """Who won the round that is being or was last played."""
        return self.round.winner if self.round else None


def partner_of(seat: int) -> int:
    """The partner sits opposite (R7.4)."""
    return (seat + 1) % 4 + 1


class MatchOutcome(NamedTuple):
    """A match and what was ruled on the way to it."""

    match: MatchState
    rulings: tuple[Ruling, ...] = ()
