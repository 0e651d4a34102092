"""What a training tells of itself: pace, time left, the file that it keeps, what older ones printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.progress import Book, Mark, Pace, joined, read, read_printed


def test_time_left_ends_with_the_steps_or_the_minutes_whichever_come_first() -> None:
    pace = Pace(steps=300, minutes=10, step=100, seconds=60, pictures=800)
    by_steps = pace.mark(150, 110, {})
    assert (by_steps.pictures, by_steps.left) == (16, 150 / 60)
    pace.minutes, pace.pictures = 2, 160
    by_minutes = pace.mark(160, 115, {})
    assert by_minutes.pictures == 32 and by_minutes.left == pytest.approx(5 / 60)


def test_a_training_taken_up_again_keeps_each_step_once(tmp_path: Path) -> None:
    path = tmp_path / "run" / "progress.jsonl"
    first = Book(path, 0)
    for step in (50, 100, 150):
        first.add(Mark(step, step / 60, 16.0, 3.0, {"box": 2 / step}))
    with path.open("a") as lines:
        lines.write('{"step": 200, "minu')
    again = Book(path, 125)
    again.add(Mark(150, 2.5, 20.0, 1.0, {"box": 0.5}))
    assert [(mark.step, mark.pictures) for mark in read(path)] == [(50, 16), (100, 16), (150, 20)]
    assert read(path)[0].figures == {"box": 0.04}


def test_what_older_trainings_printed_is_read(tmp_path: Path) -> None:
    log, now = tmp_path / "finder.log", Mark(3600, 109.5, 14.0, 8.0, {"box": 1.0, "cls": 0.8})
    log.write_text(
        "Overriding model.yaml nc=80 with nc=1\ngoes on at step 3500 after 107.9 minutes\n"
        f"step 3550  box 1.0787  cls 0.8473  108.6 min\n{now}\n"
    )
    old, new = read_printed(log)
    assert (old.step, old.minutes, old.figures) == (3550, 108.6, {"box": 1.0787, "cls": 0.8473})
    assert (new.step, new.minutes, new.pictures, new.figures) == (3600, 109.5, 14.0, now.figures)
    better = Mark(3550, 1.0, figures={"box": 0.5})
    assert [mark.minutes for mark in joined([[old, new], [better]])] == [1.0, 109.5]
