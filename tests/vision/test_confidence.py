"""What the networks say, weighed to a probability."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.confidence import PARTS, Confidence, Floats, evidence
from vision.networks import WeightsError


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


def test_doubt_anywhere_makes_a_reading_less_sure() -> None:
    confidence = Confidence.load()
    strong = np.full((5, 160), 4, np.float32)
    strong[4] /= 4
    rows = evidence(
        column(0.999, 0.6, 0.999, 0.999, 0.999),
        column(0.99, 0.2, 0.3, 0.99, 0.99),
        np.full(5, 0.99, np.float32),
        column(1, 1, 1, 0.1, 1),
        strong,
    )
    for part in PARTS:
        sure, unsure, turned, unseen, weak = confidence.of(part, rows)
        assert 0.9 < sure <= 1 and max(unsure, turned, unseen, weak) < sure


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    plain = Confidence.plain()
    weights = {part: plain.weights[part] * (2 + i) for i, part in enumerate(PARTS)}
    curves = {part: plain.curves[part] ** (1 + i) for i, part in enumerate(PARTS)}
    written = Confidence(weights, curves, (1.25, 0.9))
    written.save(tmp_path)
    read = Confidence.load(tmp_path)
    assert read.temperatures == written.temperatures
    for part in PARTS:
        assert read.weights[part] == pytest.approx(written.weights[part], abs=1e-3)
        assert read.curves[part] == pytest.approx(written.curves[part], abs=1e-3)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "confidence.json").write_text('{"face": 3}', encoding="utf-8")
    with pytest.raises(WeightsError, match=r"confidence\.json is damaged"):
        Confidence.load(tmp_path)
