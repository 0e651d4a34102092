"""From nothing to weights: the whole recipe in small, and a stop in the middle."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from models.make import DONE, Given, Stage, make, stages, told


def given(folder: Path, scale: float = 1.0) -> Given:
    return Given(
        folder / "runs",
        folder / "workshop",
        folder / "shelf",
        seed=1,
        scale=scale,
        options=("--steps", "2", "--batch", "4"),
    )


class Noted:
    """Stages that are done by writing down their names; one of them may be stopped."""

    def __init__(self, stopped_at: str = "") -> None:
        self.names: list[str] = []
        self.stopped_at = stopped_at

    def __call__(self, stage: Stage) -> int:
        self.names.append(stage.name)
        return 130 if stage.name == self.stopped_at else 0


def test_the_plan_tells_its_time_before_anything_begins(tmp_path: Path) -> None:
    *each, whole, graphics = told(list(stages(given(tmp_path))))
    minutes = sum(float(line.split()[-2]) for line in each)
    assert float(whole.split()[2]) == pytest.approx(minutes / 60, abs=0.06)
    assert "was not tried" in graphics


def test_a_stopped_recipe_goes_on_where_it_was(tmp_path: Path) -> None:
    names = [stage.name for stage in stages(given(tmp_path))]
    reader, finder = names.index("reader"), names.index("finder")
    for scale, noted, expected in (
        (1, Noted(stopped_at="reader"), names[: reader + 1]),
        (1, Noted(), names[reader:]),
        (1, Noted(), []),
        (2, Noted(), names[finder:]),
    ):
        assert make(given(tmp_path, scale), lambda text: None, noted) == (130 if noted.stopped_at else 0)
        assert noted.names == expected


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # the exporters' own
def test_the_recipe_makes_weights_that_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(stage: Stage) -> int:
        monkeypatch.setattr(sys, "argv", [stage.module, *stage.options])
        runpy.run_module(stage.module, run_name="__main__")
        return 0

    assert make(given(tmp_path, scale=0.01), run=here) == 0
    assert len(json.loads((tmp_path / "runs" / DONE).read_text())) == len(list(stages(given(tmp_path))))
    from models.evaluate import eyes_from
    from vision.networks import SUMS

    eyes = eyes_from(tmp_path / "shelf")
    assert eyes.indices is not None and (tmp_path / "shelf" / SUMS).is_file()
