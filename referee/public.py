"""The public state as one JSON object of a stable shape (RECORD.md, Replay): nothing in it hints at a hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from referee.notation import UNSEEN
from referee.rulings import Json, Ruling
from referee.state import MatchState


class PublicQuestion(TypedDict):
    """What is asked, and of which seat."""

    kind: str
    seat: int


class PublicState(TypedDict):
    """The object that `tableref replay --json` prints."""

    round: int
    turn: int | None
    direction: int
    top: str | None
    colour: str | None
    counts: list[int]
    scores: list[int]
    pending: PublicQuestion | None
    catchable: int | None
    round_winner: int | None
    match_winner: int | None
    out: list[int]
    rulings: list[dict[str, Json]]


def public(state: MatchState, rulings: Iterable[tuple[int, Ruling]] = ()) -> PublicState:
    """`state` for everybody's eyes, with `rulings` and the lines of the record that they are about."""
    question = state.pending
    return {
        "round": state.number,
        "turn": state.turn,
        "direction": state.direction,
        "top": UNSEEN if state.top_unknown else _word(state.top),
        "colour": _word(state.colour),
        "counts": list(state.counts),
        "scores": list(state.scores),
        "pending": None if question is None else {"kind": question.kind, "seat": question.seat},
        "catchable": state.catchable,
        "round_winner": state.round_winner,
        "match_winner": state.winner,
        "out": list(state.out),
        "rulings": [{"line": line, **ruling.fields()} for line, ruling in rulings],
    }


def _word(value: object) -> str | None:
    return None if value is None else str(value)
