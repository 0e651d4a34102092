"""What the referee says: keys that never change, fields that a program can read, one sentence's worth of why."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from referee import rulings
from referee.cards import Card, Colour
from referee.decisions import APPLIES
from referee.ledger import Ledger
from referee.options import OPTION_VALUES
from referee.public import public
from referee.rulings import Ruling
from tests.referee.table import played, random_settings, sensible_event

# docs/record.md, Ruling keys: a key is never removed, its fields neither.
RECORDED = {
    "cannot_be_played": {"seat", "card", "why"},
    "skipped": {"seat"},
    "direction": {"value"},
    "penalty": {"seat", "cards", "why"},
    "implied_draw": {"seat"},
    "uno_due": {"seat"},
    "uno_called": {"seat"},
    "caught": {"seat", "by"},
    "late_catch": {"by"},
    "false_catch": {"by"},
    "verdict": {"value"},
    "start_again": {"card"},
    "colour": {"value"},
    "swapped": {"seat", "with"},
    "census": {"card"},
    "open_question": {"kind"},
    "count_mismatch": {"seat", "expected", "read"},
    "reshuffled": set(),
    "stalemate": set(),
    "round_won": {"seat", "points"},
    "out": {"seat"},
    "match_won": {"seat"},
}
KINDS: list[type[Ruling]] = Ruling.__subclasses__()


def fields_of(kind: type[Ruling]) -> set[str]:
    return {name.rstrip("_") for name in kind.__dataclass_fields__ if name not in ("key", "rule")}


def test_keys_are_unique_and_those_of_the_record_are_all_there() -> None:
    by_key = {kind.key: fields_of(kind) for kind in KINDS}
    assert len(by_key) == len(KINDS)
    for key, fields in RECORDED.items():
        assert fields <= by_key[key]


def test_fields_are_json() -> None:
    back = rulings.CannotBePlayed(2, None, "not_your_turn", None, Colour.RED)
    assert json.loads(json.dumps(back.fields())) == {
        "key": "cannot_be_played",
        "rule": "R9.1",
        "seat": 2,
        "card": "??",
        "why": "not_your_turn",
        "top": None,
        "colour": "R",
    }
    assert rulings.Swapped(1, 3).fields() == {"key": "swapped", "rule": "R5.8", "seat": 1, "with": 3}
    assert rulings.Census(Card.parse("W4")).fields()["card"] == "W4"


@pytest.mark.parametrize("seed", range(25))
def test_every_ruling_of_a_match_names_its_rule_and_is_json(seed: int) -> None:
    random = Random(seed)
    ledger = Ledger(random_settings(random))
    while len(ledger.history) < 60 and ledger.state.phase != "over":
        ledger.add(sensible_event(random, ledger.state))
    state = json.loads(json.dumps(public(ledger.state, ledger.rulings)))
    for ruling in state["rulings"]:
        assert re.fullmatch(r"R(10|[2-9]\.\d)", ruling["rule"]), ruling
        assert ruling["line"] >= 1


def test_every_decision_is_an_option() -> None:
    assert set(APPLIES) <= set(OPTION_VALUES)


def test_the_shape_of_the_public_state() -> None:
    state = played("1 B4", Players="A;B;C", Top="R7").public()
    assert list(state) == [
        "round",
        "turn",
        "direction",
        "top",
        "colour",
        "counts",
        "scores",
        "pending",
        "catchable",
        "round_winner",
        "match_winner",
        "out",
        "rulings",
    ]
    assert state["rulings"][0] == {
        "line": 3,
        "key": "cannot_be_played",
        "rule": "R9.1",
        "seat": 1,
        "card": "B4",
        "why": "colour_and_symbol",
        "top": "R7",
        "colour": "R",
    }
