"""What may be asked at any moment, answered: from where a match stands to sentences, pure.

A `Query` is a word for one question; the state of the match answers most of them, `Memory` the rest (what was said,
what happened, for how long). Who asked, how, and whether the answer is spoken or shown is no matter of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from referee.state import MatchState
from service.telling import Sentence

if TYPE_CHECKING:
    from service.phrases import Phrases

Query = Literal["repeat", "top", "colour", "turn", "direction", "counts", "scores", "pending", "last", "elapsed"]
QUERIES: Final[tuple[Query, ...]] = get_args(Query)
REMEMBERED: Final = 5
"""How many events `last` tells."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What the table knows besides its state.

    said: the sentences that were said last, without answers. happened: the last events, the oldest first, each as
    `Phrases.recalled` gives it. seconds: since the match began.
    """

    said: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One question being answered."""

    phrases: Phrases
    state: MatchState
    memory: Memory

    def answer(self, query: Query) -> str:
        """The answer, in whole sentences."""
        return " ".join(self.phrases.sentence(key, fields) for key, fields in _ANSWERS[query](self))

    def turn(self) -> Iterator[Sentence]:
        """Whose turn it is, and who is next."""
        phrases, state = self.phrases, self.state
        if state.turn is None or state.round is None:
            yield "answer.turn_none", {}
            return
        following = phrases.seat_fields(state, state.round.next_to(state.turn), "next")
        yield "answer.turn", {**phrases.seat_fields(state, state.turn), **following}

    def top(self) -> Iterator[Sentence]:
        """The top card, and the active colour where the card does not say it."""
        state = self.state
        if state.round is None or not state.round.is_turned:
            yield "answer.top_none", {}
            return
        card = {"card": self.phrases.card(state.top)}
        if state.top is not None and not state.top.is_wild:
            yield "answer.top", card
        elif state.colour is None:
            yield "answer.top", card
            yield "answer.colour_none", {}
        else:
            yield "answer.top_colour", {**card, "colour": self.phrases.language.colour(state.colour)}

    def colour(self) -> Iterator[Sentence]:
        """The active colour."""
        if self.state.colour is None:
            yield "answer.colour_none", {}
        else:
            yield "answer.colour", {"colour": self.phrases.language.colour(self.state.colour)}

    def direction(self) -> Iterator[Sentence]:
        """The direction of play."""
        yield "answer.direction", {"direction": self.phrases.direction(self.state.direction)}

    def counts(self) -> Iterator[Sentence]:
        """The hand counts of all seats."""
        yield "answer.counts", {"all_counts": self.phrases.all_counts(self.state)}

    def scores(self) -> Iterator[Sentence]:
        """The scores of all seats."""
        yield "answer.scores", {"all_scores": self.phrases.all_scores(self.state)}

    def pending(self) -> Iterator[Sentence]:
        """What the table waits for: an answer, cards to be drawn, hands to be counted, the first card."""
        phrases, state = self.phrases, self.state
        waits: list[Sentence] = [phrases.asked(state, state.pending)] if state.pending else []
        for seat, owed in enumerate(state.round.owed if state.round else (), start=1):
            if owed and state.phase == "playing":
                fields = phrases.seat_fields(state, seat)
                waits.append(("answer.pending_owed", {"cards": phrases.cards(owed), **fields}))
        if state.uncounted:
            names = [phrases.name(state, seat) for seat in state.uncounted]
            waits.append(("answer.pending_uncounted", {"names": phrases.language.listed(names)}))
        if (
            not waits
            and state.dealer is not None
            and (state.phase == "between" or not (state.round and state.round.is_turned))
        ):
            waits.append(("answer.pending_first", phrases.seat_fields(state, state.dealer)))
        yield from waits or [("answer.pending_none", {})]

    def last(self) -> Iterator[Sentence]:
        """The last events, in order."""
        events = " ".join(self.memory.happened[-REMEMBERED:])
        yield ("answer.last", {"events": events}) if events else ("answer.last_none", {})

    def elapsed(self) -> Iterator[Sentence]:
        """For how long the match has been going."""
        duration = self.phrases.language.duration(self.memory.seconds)
        yield ("answer.elapsed", {"duration": duration}) if duration else ("answer.elapsed_none", {})

    def repeat(self) -> Iterator[Sentence]:
        """What was said last."""
        said = " ".join(self.memory.said)
        yield ("answer.repeat", {"said": said}) if said else ("answer.repeat_none", {})


_ANSWERS: Final[Mapping[Query, Callable[[Asked], Iterator[Sentence]]]] = {
    "repeat": Asked.repeat,
    "top": Asked.top,
    "colour": Asked.colour,
    "turn": Asked.turn,
    "direction": Asked.direction,
    "counts": Asked.counts,
    "scores": Asked.scores,
    "pending": Asked.pending,
    "last": Asked.last,
    "elapsed": Asked.elapsed,
}
