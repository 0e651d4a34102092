"""Decisions of the table that the rulebooks leave open (docs/rules.md), said aloud the first time each one applies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.cards import Rank
from referee.events import Event, Pass, Start
from referee.rulings import CannotBePlayed, Decided, FalseCatch, GoneOut, Stalemate, Swapped
from referee.state import MatchOutcome


def decisions(outcome: MatchOutcome, event: Event) -> tuple[Decided, ...]:
    """The decisions that `event` was judged by and that nobody has been told yet."""
    if not outcome.rulings and not isinstance(event, (Start, Pass)):
        return ()
    match = outcome.match
    return tuple(
        Decided(option, match.settings.options.word(option), rule)
        for option, (rule, applies) in APPLIES.items()
        if option not in match.decided and applies(outcome, event)
    )


def _a_wild_is_turned(outcome: MatchOutcome, event: Event) -> bool:
    return isinstance(event, Start) and event.card is not None and event.card.rank is Rank.WILD


def _a_swap_leaves_one_card(outcome: MatchOutcome, event: Event) -> bool:
    counts = outcome.match.counts
    swaps = (ruling for ruling in outcome.rulings if isinstance(ruling, Swapped))
    return any(1 in (counts[ruling.seat - 1], counts[ruling.with_ - 1]) for ruling in swaps)


def _a_wild_draw_four_goes_out(outcome: MatchOutcome, event: Event) -> bool:
    top = outcome.match.top
    goes_out = any(isinstance(ruling, GoneOut) for ruling in outcome.rulings)
    return goes_out and top is not None and top.rank is Rank.WILD_DRAW_FOUR


def _a_card_goes_back(outcome: MatchOutcome, event: Event) -> bool:
    faults = (ruling for ruling in outcome.rulings if isinstance(ruling, CannotBePlayed))
    return any(ruling.why != "not_your_turn" for ruling in faults)


def _a_drawn_card_is_kept(outcome: MatchOutcome, event: Event) -> bool:
    return isinstance(event, Pass) and outcome.match.settings.options.must_play_drawn


def _a_catch_is_false(outcome: MatchOutcome, event: Event) -> bool:
    return any(isinstance(ruling, FalseCatch) for ruling in outcome.rulings)


def _nobody_can_draw(outcome: MatchOutcome, event: Event) -> bool:
    return any(isinstance(ruling, Stalemate) for ruling in outcome.rulings)


APPLIES: Final[dict[str, tuple[str, Callable[[MatchOutcome, Event], bool]]]] = {
    "first_wild": ("R3.4", _a_wild_is_turned),
    "stalemate": ("R4.7", _nobody_can_draw),
    "uno_after_swap": ("R5.8", _a_swap_leaves_one_card),
    "false_catch": ("R6.4", _a_catch_is_false),
    "last_card_challenge": ("R7.1", _a_wild_draw_four_goes_out),
    "misplay": ("R9.1", _a_card_goes_back),
    "must_play_drawn": ("R10", _a_drawn_card_is_kept),
}
