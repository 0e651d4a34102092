"""The rulebook as cases: what must come out of a short record, one case each (tests/games/*.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.expectations import expected_events, legal_plays
from referee.options import DEFAULTS, OPTION_VALUES, EffectKind, MatchSettings
from referee.record import RecordError, line_for, parse, plain, replay_text

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


@cache
def own_cases() -> list[tuple[dict[str, Any], MatchSettings]]:
    """The cases of this repository, each with what its header agrees on."""
    cases = [case for file in sorted(GAMES.glob("*.toml")) for case in cases_in(file)]
    return [(case, parse(case["record"]).settings) for case in cases]


def fails_with(case: dict[str, Any], key: str, value: str) -> bool:
    """Whether the case no longer comes out when its header says `value` for `key`."""
    record = re.sub(rf'\[{key} "[^"]*"\]', f'[{key} "{value}"]', case["record"])
    try:
        test_case(case | {"record": record})
    except (AssertionError, RecordError):
        return True
    return False


CHOICES = [(name, word) for name in OPTION_VALUES for word in OPTION_VALUES[name] if word != DEFAULTS.word(name)]


@pytest.mark.parametrize(("name", "word"), CHOICES)
def test_every_value_of_an_option_has_a_case_that_fails_without_it(name: str, word: str) -> None:
    usual = {name: getattr(DEFAULTS, name)}
    assert any(
        fails_with(case, "Options", str(replace(agreed.options, **usual)))
        for case, agreed in own_cases()
        if agreed.options.word(name) == word
    )


@pytest.mark.parametrize("kind", get_args(EffectKind))
def test_every_rule_of_a_blank_card_has_a_case_that_fails_without_it(kind: EffectKind) -> None:
    assert any(
        fails_with(case, "Custom", "")
        for case, agreed in own_cases()
        if {rule.kind for rule in agreed.custom} == {kind}
    )


@pytest.mark.parametrize(
    ("key", "word", "other"),
    [("Deck", "112", "108"), ("Mode", "elimination", "points"), ("Mode", "teams", "points")],
)
def test_every_deck_and_mode_has_a_case_that_fails_without_it(key: str, word: str, other: str) -> None:
    assert any(fails_with(case, key, other) for case, agreed in own_cases() if getattr(agreed, key.lower()) == word)
