"""What the rules say to an event: `judge(state, event) -> (state, rulings)`, pure, for any event in any state.

Nothing that can happen at a table raises: what fits no rule is ruled `unexplained` and changes nothing (R9.4). The
rules themselves live in the modules named after them; this one only finds the one that is concerned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from referee import counting, leaving, openings
from referee.challenges import challenge
from referee.decisions import decisions
from referee.effects import name_colour, swap
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
    Void,
)
from referee.expectations import expected_events, legal_plays
from referee.houserules import choose_rule, discard
from referee.openings import new_match
from referee.piles import reshuffle
from referee.plays import play
from referee.rulings import Oddity, Unexplained
from referee.state import MatchOutcome, MatchState, Outcome, RoundState, replace
from referee.turns import draw, keep, may_play
from referee.uno import catch, uno

__all__ = ["expected_events", "judge", "legal_plays", "new_match"]


def judge(state: MatchState, event: Event) -> MatchOutcome:
    """The state after `event`, and what the referee says to it; never raises for an event of `events`."""
    outcome = _judge(state, event)
    said = decisions(outcome, event)
    if not said:
        return outcome
    decided = outcome.match.decided.union(ruling.option for ruling in said)
    return MatchOutcome(replace(outcome.match, decided=decided), outcome.rulings + said)


def _judge(state: MatchState, event: Event) -> MatchOutcome:
    kind = type(event)
    if state.winner is not None:
        return _odd(state, event, "match_over")
    if kind in IN_A_MATCH:
        return IN_A_MATCH[kind](state, event)
    if kind not in IN_A_ROUND:
        return _odd(state, event, "no_such_line")  # undo and amend belong to the record, not to the table
    round = state.round
    if round is None or state.phase != "playing":
        return _odd(state, event, "no_round")
    if not round.is_turned:
        return _odd(state, event, "no_card_turned")
    if getattr(event, "seat", None) not in (None, *round.seats):
        return _odd(state, event, "not_playing")
    outcome = IN_A_ROUND[kind](round, event)
    return MatchOutcome(replace(state, round=outcome.round), outcome.rulings)


def _odd(state: MatchState, event: Event, why: Oddity) -> MatchOutcome:
    return MatchOutcome(state, (Unexplained(WORDS[type(event)], getattr(event, "seat", None), why),))


def _uno(round: RoundState, event: Uno) -> Outcome:
    return uno(round, event, may_play(round))


def _reshuffle(round: RoundState, event: Reshuffle) -> Outcome:
    """A reshuffle is reported; one that was counted already is only confirmed (R4.7)."""
    return Outcome(replace(round, reshuffle_unseen=False)) if round.reshuffle_unseen else reshuffle(round)


# The tables are keyed by the class of the event, so each function meets only its own; a type cannot say that.
IN_A_MATCH: Final[dict[type[Event], Callable[[MatchState, Any], MatchOutcome]]] = {
    Deal: openings.deal,
    Start: openings.start,
    Hand: counting.hand,
    Points: counting.points,
    Leave: leaving.leave,
    Void: leaving.void,
}

IN_A_ROUND: Final[dict[type[Event], Callable[[RoundState, Any], Outcome]]] = {
    Play: play,
    Draw: draw,
    Pass: keep,
    Uno: _uno,
    Catch: catch,
    Challenge: challenge,
    NameColour: name_colour,
    Swap: swap,
    ChooseRule: choose_rule,
    Discard: discard,
    Reshuffle: _reshuffle,
}

WORDS: Final[dict[type[Event], str]] = {
    Deal: "deal",
    Start: "start",
    Play: "play",
    Draw: "draw",
    Pass: "pass",
    Uno: "uno",
    Catch: "catch",
    Challenge: "challenge",
    NameColour: "colour",
    Swap: "swap",
    ChooseRule: "rule",
    Discard: "discard",
    Hand: "hand",
    Points: "points",
    Reshuffle: "reshuffle",
    Leave: "leave",
    Void: "void",
    Undo: "undo",
    Amend: "amend",
}
"""The word of the record for each kind of event; `play` has none of its own there."""
