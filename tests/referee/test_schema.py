"""The state as JSON: every golden game and every case keeps to the schema, and the schema lets nothing else pass."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib.resources import files
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator, ValidationError

from referee.cards import FACES
from referee.record import replay_text
from referee.rulings import PenaltyReason, Ruling, Unplayable
from referee.state import QuestionKind
from tests.referee.golden import GAMES
from tests.referee.test_cases import FILES, cases_in

SCHEMA: dict[str, Any] = json.loads((files("referee") / "state.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
STATE = replay_text('[Players "A;B;C"]\ndeal 1\nstart W>R\n2 W4>B\n3 challenge\n').public()


def kinds_of_rulings() -> dict[str, dict[str, Any]]:
    """The schema of each kind of ruling, by its key."""
    kinds: dict[str, dict[str, Any]] = {}
    for kind in SCHEMA["$defs"]["ruling"]["allOf"]:
        key = kind["if"]["properties"]["key"]
        kinds |= dict.fromkeys(key.get("enum") or [key["const"]], kind["then"])
    return kinds


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.trn")), ids=lambda path: path.stem)
def test_golden_games_keep_to_the_schema(path: Any) -> None:
    VALIDATOR.validate(replay_text(path.read_text(encoding="utf-8")).public())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_cases_keep_to_the_schema(file: Any) -> None:
    for case in cases_in(file):
        VALIDATOR.validate(replay_text(case["record"], case["id"]).public())


def test_every_ruling_has_exactly_the_fields_of_its_kind() -> None:
    expected = {
        kind.key: {field.name.rstrip("_") for field in fields(kind) if field.name != "rule"}
        for kind in Ruling.__subclasses__()
    }
    kinds = kinds_of_rulings()
    assert {key: set(kind.get("required", ())) for key, kind in kinds.items()} == expected
    assert all(kind["maxProperties"] == 3 + len(expected[key]) for key, kind in kinds.items())
    assert set(SCHEMA["$defs"]["ruling"]["properties"]["key"]["enum"]) == set(expected)


def test_the_words_are_those_of_the_referee() -> None:
    kinds = kinds_of_rulings()
    assert set(kinds["penalty"]["properties"]["why"]["enum"]) == set(get_args(PenaltyReason))
    assert set(kinds["cannot_be_played"]["properties"]["why"]["enum"]) == set(get_args(Unplayable))
    pending = SCHEMA["properties"]["pending"]["anyOf"][1]
    assert set(pending["properties"]["kind"]["enum"]) == set(get_args(QuestionKind))
    assert all(Draft202012Validator(SCHEMA["$defs"]["card"]).is_valid(str(card)) for card in FACES)


@pytest.mark.parametrize(
    "change",
    [
        {"hands": [["R5"]]},
        {"turn": 0},
        {"turn": 11},
        {"direction": 0},
        {"top": "X5"},
        {"top": "RW"},
        {"colour": "red"},
        {"counts": [-1, 7, 7]},
        {"scores": [0]},
        {"pending": {"kind": "colour"}},
        {"pending": {"kind": "weather", "seat": 1}},
        {"out": [2, 2]},
        {"rulings": [{"line": 1, "rule": "R9.1"}]},
        {"rulings": [{"line": 0, "rule": "R5.1", "key": "skipped", "seat": 1}]},
        {"rulings": [{"line": 1, "rule": "R11", "key": "skipped", "seat": 1}]},
        {"rulings": [{"line": 1, "rule": "R5.1", "key": "skipped"}]},
        {"rulings": [{"line": 1, "rule": "R5.1", "key": "skipped", "seat": 1, "card": "R5"}]},
        {"rulings": [{"line": 1, "rule": "R5.1", "key": "applauded", "seat": 1}]},
    ],
)
def test_nothing_else_is_a_state(change: dict[str, Any]) -> None:
    VALIDATOR.validate(STATE)
    with pytest.raises(ValidationError):
        VALIDATOR.validate(STATE | change)
