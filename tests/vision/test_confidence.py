"""What the networks say, weighed to a probability."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.confidence import PARTS, Confidence, evidence
from vision.networks import WeightsError


def test_doubt_anywhere_makes_a_reading_less_sure() -> None:
    confidence = Confidence.load()
    best = {"sure": 0.999, "turned": 0.99, "there": 0.999, "scores": 1, "again": 0.999, "overlap": 0.98}
    doubts = {"sure": 0.6, "turned": 0.3, "scores": 0.1, "again": 0.5, "overlap": 0.7}
    table = {name: np.full(len(doubts) + 2, value, np.float32) for name, value in best.items()}
    for row, (name, value) in enumerate(doubts.items(), 1):
        table[name][row] = value
    features = np.full((len(doubts) + 2, 160), 4, np.float32)
    features[-1] /= 4
    rows = evidence(**table, features=features)
    for part in PARTS:
        chances = confidence.of(part, rows)
        assert 0.9 < chances[0] <= 1
        assert (chances[1:] <= chances[0]).all() and (chances[1:3] < chances[0]).all()


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    plain = Confidence.plain()
    weights = {part: plain.weights[part] * (2 + i) for i, part in enumerate(PARTS)}
    curves = {part: plain.curves[part] ** (1 + i) for i, part in enumerate(PARTS)}
    both = {part: plain.curves[part] ** (2 + i) for i, part in enumerate(PARTS)}
    bare = {part: plain.curves[part] ** (3 + i) for i, part in enumerate(PARTS)}
    written = Confidence(weights, curves, (1.25, 0.9), both, bare)
    written.save(tmp_path)
    read = Confidence.load(tmp_path)
    assert read.temperatures == written.temperatures
    for part in PARTS:
        assert read.weights[part] == pytest.approx(written.weights[part], abs=1e-3)
        assert read.curves[part] == pytest.approx(written.curves[part], abs=1e-3)
        assert read.both[part] == pytest.approx(written.both[part], abs=1e-3)
        assert read.bare[part] == pytest.approx(written.bare[part], abs=1e-3)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "confidence.json").write_text('{"face": 3}', encoding="utf-8")
    with pytest.raises(WeightsError, match=r"confidence\.json is damaged"):
        Confidence.load(tmp_path)
