"""Every engine that is installed gives the same answer, and each platform has one."""

from __future__ import annotations

import importlib.util
import time

import numpy as np
import pytest

from vision import engines
from vision.engines import Batch
from vision.networks import Network, find

INSTALLED = [name for name, (module, _) in engines.ENGINES.items() if importlib.util.find_spec(module)]


@pytest.mark.parametrize("engine", INSTALLED)
@pytest.mark.parametrize(("name", "shape"), [("finder", (1, 3, 192, 320)), ("reader", (3, 120, 80, 3))])
def test_engines_agree(engine: str, name: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    batch = rng.integers(0, 255, shape, np.uint8)
    given: Batch = (batch / 255).astype(np.float32) if name == "finder" else batch
    expected = Network(find(f"{name}.onnx"), engine="onnxruntime").outputs(given)
    got = Network(find(f"{name}.onnx"), engine=engine).outputs(given)
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert one.shape == other.shape and np.abs(one - other).max() < 2e-2


@pytest.mark.parametrize(
    ("system", "machine"), [("Linux", "x86_64"), ("Linux", "aarch64"), ("Windows", "AMD64"), ("Darwin", "arm64")]
)
def test_every_platform_has_an_engine(system: str, machine: str) -> None:
    backend = engines.backend(system, machine)
    assert backend.engine in INSTALLED
    assert set(backend.engines) <= set(engines.ENGINES) and backend.quantised <= {"aligner", "reader", "indices"}


def test_no_core_is_busy_between_two_pictures() -> None:
    network, idle = Network(find("aligner.onnx"), engine="onnxruntime", threads=2), 0.0
    for _ in range(20):
        network.run(np.zeros((4, 96, 96, 3), np.uint8))
        began = time.process_time()
        time.sleep(0.02)
        idle += time.process_time() - began
    assert idle < 0.1 * 20 * 0.02
