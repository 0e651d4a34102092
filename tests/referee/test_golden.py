"""Whole matches: every ruling in order, the same from any beginning, and the same text back."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest

from referee.record import ledger, parse, replay
from tests.referee.golden import GAMES, MATCHES, verdicts

RECORDS = sorted(GAMES.glob("*.trn"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert str(parse(text)) == text
    assert verdicts(text) == path.with_suffix(".jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_match_may_be_taken_up_anywhere(path: Path) -> None:
    record = parse(path.read_text(encoding="utf-8"))
    middle = len(record.lines) // 2
    taken_up = ledger(parse("\n".join(record.lines[:middle]) + "\n"))
    for event in record.events[middle:-1]:
        assert event is not None
        taken_up.add(event)
    assert taken_up.state == replay(record).state
    assert taken_up.rulings == replay(record).rulings


def test_all_golden_games_are_there() -> None:
    assert {path.stem for path in RECORDS} == set(MATCHES)
    played = [parse(path.read_text(encoding="utf-8")).settings for path in RECORDS]
    assert {len(settings.players) for settings in played} == set(range(2, 11))
    assert {(settings.mode, settings.deck) for settings in played} == {
        (mode, deck) for mode in ("points", "elimination", "teams") for deck in ("108", "112")
    }


@pytest.mark.parametrize("name", MATCHES)
def test_the_naive_game_ends_where_the_golden_game_does(name: str) -> None:
    game = deepcopy(MATCHES[name])
    game.play()
    assert "\n".join((*game.header(), *game.lines)) + "\n" == (GAMES / f"{name}.trn").read_text(encoding="utf-8")
    end = json.loads((GAMES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert {key: end[key] for key in game.truths[-1]} == game.truths[-1]
    assert end["match_winner"] is not None
