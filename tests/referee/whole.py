"""What a mutation run asks: all cases and some golden games in a few tests, the quick ones first (MUTANTS.md).

A test of its own for every case costs more to collect than to run, and there are thousands of mutants.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.golden import verdicts
from tests.referee.test_cases import GAMES, cases_in, test_case

CASES = sorted(GAMES.glob("*.toml"))


ORDER = ("test_settings", "test_all_cases", "test_record", "test_expectations", "test_rulings", "test_notation")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The quick tests first, the golden games last, the drawn ones not at all (this file is its own plugin)."""
    items[:] = [item for item in items if not getattr(getattr(item, "function", None), "is_hypothesis_test", False)]
    items.sort(key=lambda item: next((at for at, part in enumerate(ORDER) if part in item.nodeid), len(ORDER)))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_all_cases(file: Path) -> None:
    for case in cases_in(file):
        test_case(case)


def test_the_short_golden_games() -> None:
    for path in sorted(GAMES.glob("*.trn"), key=lambda path: path.stat().st_size)[:8]:
        assert verdicts(path.read_text("utf-8")) == path.with_suffix(".jsonl").read_text("utf-8")
