"""Counts sequences of lines that the referee allows, from hands that this side knows and the referee does not.

`python -m tests.referee.perft` prints them, one position a line, beside those of the naive game.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.cards import Card, Colour, Rank
from referee.events import Catch, Challenge, Draw, Event, Pass, Play, Uno
from referee.expectations import expected_events, legal_plays
from referee.judge import judge
from referee.record import line_for, replay_text
from referee.rulings import Penalty, Rotated, Ruling, Swapped
from referee.state import MatchState
from tests.referee.naive_moves import FILE

FAULTS = {"cannot_be_played", "census", "unexplained", "open_question", "late_catch", "false_catch", "implied_draw"}


@dataclass(frozen=True)
class Known:
    """A state, and what only the players know: hands by seat, the cards to come, whether the last wild was a bluff."""

    state: MatchState
    hands: tuple[tuple[Card, ...], ...]
    coming: tuple[Card, ...]
    guilty: bool = False

    def hand(self, seat: int) -> tuple[Card, ...]:
        return self.hands[seat - 1]

    def holding(self, seat: int, hand: tuple[Card, ...]) -> Known:
        return replace(self, hands=(*self.hands[: seat - 1], hand, *self.hands[seat:]))

    def drawing(self, seat: int, cards: int) -> Known:
        drawn = self.holding(seat, self.hand(seat) + self.coming[:cards])
        return replace(drawn, coming=self.coming[cards:])


def position(deal: dict[str, Any]) -> Known:
    """The beginning of a deal of perft.toml."""
    hands = tuple(tuple(map(Card.parse, hand.split())) for hand in deal["hands"])
    return Known(replay_text(deal["header"], deal["id"]).state, hands, tuple(map(Card.parse, deal["coming"].split())))


def events(known: Known) -> Iterator[Event]:
    """What the referee expects, as far as these hands allow it."""
    state = known.state
    if state.phase != "playing":
        return
    yield from (event for event in expected_events(state) if may_be(known, event))
    for seat in state.seats:
        for card in sorted(playable(known, seat), key=str):
            yield from ways(known, seat, card)


def may_be(known: Known, event: Event) -> bool:
    """Whether an expected event, not a play, is one of those that are counted."""
    state = known.state
    assert state.round is not None
    match event:
        case Uno():
            return event.seat in state.round.catchable
        case Catch():
            return True
        case Challenge():
            return event.verdict == ("guilty" if known.guilty else "innocent")
        case Draw():
            return event.seat == state.turn and (event.cards is not None or not state.round.drawn)
        case Pass():
            return event.seat == state.turn and state.round.drawn
    return False


def playable(known: Known, seat: int) -> set[Card]:
    """What `seat` may lay: from its hand, only the drawn card when it has drawn, out of turn only to jump in."""
    state, hand = known.state, known.hand(seat)
    assert state.round is not None
    if seat != state.turn:
        may_jump = state.settings.options.jump_in and state.top in hand
        return {card for card in hand if card == state.top} & legal_plays(state, seat) if may_jump else set()
    return set(hand[-1:] if state.round.drawn else hand) & legal_plays(state, seat)


def ways(known: Known, seat: int, card: Card) -> Iterator[Play]:
    """Every colour, swap partner and call that goes with a card."""
    left = len(known.hand(seat)) - 1
    if left == 0:
        yield Play(seat, card)
        return
    swaps = card.rank is Rank.SWAP_HANDS
    swaps |= card.rank is Rank.SEVEN and known.state.settings.options.seven_swap
    partners = [other for other in known.state.seats if other != seat] if swaps else [None]
    for colour in Colour if card.is_wild else [None]:
        for partner in partners:
            for called in (False, True)[: 2 if left == 1 else 1]:
                yield Play(seat, card, colour, partner, called)


def follow(known: Known, event: Event) -> Known:
    """The state after `event`, all penalties drawn at once."""
    state, rulings = judge(known.state, event)
    assert not {ruling.key for ruling in rulings} & FAULTS, (line_for(event), rulings)
    after = replace(known, state=state)
    if isinstance(event, Play):
        assert event.card is not None
        hand = list(known.hand(event.seat))
        hand.remove(event.card)
        bluff = any(card.colour is known.state.colour for card in hand)
        after = replace(after.holding(event.seat, tuple(hand)), guilty=bluff)
    if isinstance(event, Draw) and event.cards is None:
        after = after.drawing(event.seat, 1)
    for ruling in rulings:
        after = moved(after, ruling)
    assert tuple(map(len, after.hands)) == state.counts, line_for(event)
    return paid(after)


def moved(known: Known, ruling: Ruling) -> Known:
    """The hands after what was ruled."""
    if isinstance(ruling, Penalty):
        return known.drawing(ruling.seat, ruling.cards)
    if isinstance(ruling, Swapped):
        mine, theirs = known.hand(ruling.seat), known.hand(ruling.with_)
        return known.holding(ruling.seat, theirs).holding(ruling.with_, mine)
    if isinstance(ruling, Rotated):
        round = known.state.round
        assert round is not None
        before = known
        for seat in round.seats:
            known = known.holding(round.next_to(seat), before.hand(seat))
    return known


def paid(known: Known) -> Known:
    """Everybody was seen to draw what it owed."""
    round = known.state.round
    for seat, owed in enumerate(round.owed if round else (), start=1):
        if owed:
            state, rulings = judge(known.state, Draw(seat, owed))
            assert not rulings
            known = replace(known, state=state)
    return known


def count(known: Known, depth: int) -> tuple[list[int], int]:
    """How many sequences of 1, 2, ... `depth` lines there are, and how many of them end the round."""
    sequences, ended, level = [0] * depth, 0, [known]
    for ply in range(depth):
        level = [follow(before, event) for before in level for event in events(before)]
        sequences[ply] = len(level)
        ended += sum(after.state.phase != "playing" for after in level)
    return sequences, ended


def deals() -> list[dict[str, Any]]:
    """The positions of perft.toml with their numbers."""
    found: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["deal"]
    return found


def main() -> int:
    """Prints the numbers; 1 when the two games do not agree."""
    differ = 0
    for deal in deals():
        sequences, ended = count(position(deal), len(deal["sequences"]))
        same = (sequences, ended) == (deal["sequences"], deal["ended"])
        differ += not same
        sys.stdout.write(f"{deal['id']:<28} {' '.join(map(str, sequences))}, {ended} ended\n")
        if not same:
            sys.stdout.write(
                f"{'the naive game counts':>28} {' '.join(map(str, deal['sequences']))}, {deal['ended']}\n"
            )
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
