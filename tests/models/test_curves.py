"""Curves of trainings: drawn where something is told, open where nothing is."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.curves import HIGH, LEFT, WIDE, histories, picture
from models.progress import FILE, Book, Mark


def test_a_curve_joins_what_was_printed_and_what_was_kept_and_leaves_gaps_open(tmp_path: Path) -> None:
    (tmp_path / "old.log").write_text(
        "".join(f"step {i}  box {5 - i / 100:.4f}  1.0 min\n" for i in range(50, 201, 50))
    )
    run = tmp_path / "finder"
    book = Book(run / FILE, 0)
    for step in range(400, 601, 50):
        book.add(Mark(step, step / 60, 16.0, 1.0, {"box": 5 - step / 100}))
    told = histories([f"finder={tmp_path / 'old.log'}", str(run), str(tmp_path)])
    assert list(told) == ["finder"] and [mark.step for mark in told["finder"]][3:5] == [200, 400]
    drawn = (picture(told)[30 : 20 + HIGH] != 255).any(axis=(0, 2))
    inside = np.flatnonzero(drawn[LEFT + 4 : LEFT + WIDE - 4]) / WIDE
    first, last = (200 - 50) / 550, (400 - 50) / 550
    assert not ((inside > first) & (inside < last - 0.03)).any()
    assert (inside < first).any() and (inside > last).any()


def test_a_training_that_has_just_begun_is_drawn() -> None:
    assert picture({"reader": [Mark(3, 0.1, figures={"rank": 0.5})]}).shape == (HIGH + 50, LEFT + WIDE + 14, 3)
