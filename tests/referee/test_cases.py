"""The rulebook as cases: what must come out of a short record, one case each (tests/games/*.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.expectations import expected_events, legal_plays
from referee.record import line_for, plain, replay_text

GAMES = Path(__file__).parents[1] / "games"
SHARED = Path(__file__).parents[3] / "shared" / "rules" / "cases.toml"
FILES = [*sorted(GAMES.glob("*.toml")), *([SHARED] if SHARED.exists() else [])]
RULES = {
    *(f"R2.{n}" for n in range(1, 5)),
    *(f"R3.{n}" for n in range(2, 6)),
    *(f"R4.{n}" for n in range(1, 8)),
    *(f"R5.{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9)),
    *(f"R6.{n}" for n in range(1, 6)),
    *(f"R7.{n}" for n in range(1, 6)),
    *(f"R8.{n}" for n in range(1, 5)),
    *(f"R9.{n}" for n in range(1, 5)),
    "R10",
}
"""R3.1 is a matter of settings, R5.7 one of the reading camera."""


def cases_in(file: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")).get("case", [])
    return cases


CASES = [pytest.param(case, id=f"{file.stem}:{case['id']}") for file in FILES for case in cases_in(file)]


def null(value: object) -> object:
    """TOML has no null: false stands for it."""
    return None if value is False else value


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    replayed = replay_text(case["record"], case["id"])
    state = replayed.public()
    expected = {key: null(value) for key, value in case.get("expect", {}).items()}
    assert {key: state[key] for key in expected} == expected
    for wanted in case.get("rulings", []):
        assert any(wanted.items() <= ruling.items() for ruling in state["rulings"]), (wanted, state["rulings"])
    assert not {ruling["key"] for ruling in state["rulings"]}.intersection(case.get("no_rulings", []))
    if "next" in case:
        assert [line_for(event) for event in expected_events(replayed.state)] == case["next"]
    if "plain" in case:
        assert list(plain(replayed.record)) == case["plain"]
    if "plays" in case:
        plays = {str(card) for card in legal_plays(replayed.state, case.get("seat"))}
        assert plays == set(case["plays"].split())


def test_every_rule_has_a_case() -> None:
    covered = {case["id"].split("-")[0] for file in FILES for case in cases_in(file)}
    assert covered >= RULES


def test_case_ids_are_unique() -> None:
    for file in FILES:
        ids = [case["id"] for case in cases_in(file)]
        assert len(ids) == len(set(ids)), file.name
