"""The public state as one JSON object of a stable shape (docs/record.md, Replay): nothing in it hints at a hand.

| field | |
|---|---|
| `round` | rounds begun |
| `turn` | the seat to act, null when nobody plays |
| `direction` | 1 or -1 |
| `top`, `colour` | notation; null when there is none, `"??"` for a top card that nobody saw |
| `counts`, `scores` | by seat |
| `pending` | null, or `kind` and `seat` of the first question not answered |
| `catchable` | the seat that can be caught, or null |
| `round_winner`, `match_winner` | a seat, or null |
| `out` | the seats that are out of the match, rising |
| `rulings` | each with `line`, `key`, `rule` and its own fields |

`state.schema.json`, beside this file, says the same to a program.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.notation import UNSEEN
from referee.rulings import Ruling
from referee.state import MatchState


def public(state: MatchState, rulings: Iterable[tuple[int, Ruling]] = ()) -> dict[str, Any]:
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
