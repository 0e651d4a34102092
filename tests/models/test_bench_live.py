from pathlib import Path

import numpy as np
import pytest

from datasets.film import Conditions
from datasets.simulate import film
from models.bench_live import read_along, slope, still
from tests.models.test_bench_table import Blind
from vision.pipeline import TableWatch


def test_the_slope_is_told_with_its_interval() -> None:
    hours = np.linspace(0, 4, 40)
    growing, half = slope([(hour, 100 + 3 * hour) for hour in hours])
    assert growing == pytest.approx(3) and half == pytest.approx(0, abs=1e-6)
    noise = np.random.default_rng(1).normal(0, 2, 40)
    flat, half = slope(list(zip(hours, 100 + noise, strict=True)))
    assert abs(flat) < half < 1.5
    with pytest.raises(ValueError, match="three samples"):
        slope([(0, 1), (1, 1)])


def test_a_film_gives_figures(tmp_path: Path) -> None:
    video = tmp_path / "film.mp4"
    film(1, 2, Conditions(size=(160, 90), rate=4), plays=(8, 20)).write(video)
    assert 0 < still(video, 2, TableWatch(Blind())) < 1
    if not Path("/proc/self/statm").is_file():
        pytest.skip("what a process holds is read as Linux tells it")
    samples = read_along(0.001)
    assert samples and samples[0][0] > 0 and samples[0][1] > 20
