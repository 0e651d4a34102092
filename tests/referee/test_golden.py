"""Whole matches: every ruling in order, the same from any beginning, and the same text back."""

from __future__ import annotations

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
    assert {path.stem for path in RECORDS} >= set(MATCHES)
