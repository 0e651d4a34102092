"""What can run a network on this computer: ONNX Runtime, OpenCV's dnn module.

`backends.toml` says, by platform, in which order they are taken and which form of each network they run; the order is
that of the table of `python -m models.bench_eyes`. An engine is a function from a batch to the network's outputs; it
may be called from one thread at a time.
"""

from __future__ import annotations

import importlib.util
import platform
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Batch = npt.NDArray[np.uint8] | npt.NDArray[np.float32]
Outputs = list[npt.NDArray[np.float32]]
Engine = Callable[[Batch], Outputs]


_SPINNING: Final = {"intra_op.spin_duration_us": "50", "force_spinning_stop": "1"}
"""ONNX Runtime's threads wait awake for the next layer, which saves a third of the time: for the length of a small
layer, so that a busy computer does not lose much by it, and never between two pictures."""


def on_onnxruntime(path: Path, threads: int) -> Engine:
    """The network in ONNX Runtime."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # Windows listens to this, other systems to the variable of `vision`
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    for key, value in _SPINNING.items():
        options.add_session_config_entry(f"session.{key}", value)
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda batch: list(session.run(None, {name: batch}))


def on_opencv(path: Path, threads: int) -> Engine:
    """The network in OpenCV's dnn module, which uses the threads that OpenCV has."""
    network = cv2.dnn.readNetFromONNX(str(path))
    names = network.getUnconnectedOutLayersNames()

    def run(batch: Batch) -> Outputs:
        network.setInput(batch)
        return [np.asarray(out, np.float32) for out in network.forward(names)]

    return run


ENGINES: Final[dict[str, tuple[str, Callable[[Path, int], Engine]]]] = {
    "onnxruntime": ("onnxruntime", on_onnxruntime),
    "opencv": ("cv2", on_opencv),
}
"""By name: the module that must be installed, and how a network is loaded."""


@dataclass(frozen=True, slots=True)
class Backend:
    """What one platform uses: engines in order of preference, and the networks that run in eight bits."""

    engines: tuple[str, ...]
    small: frozenset[str]

    @property
    def engine(self) -> str:
        """The first engine that is installed."""
        return next(name for name in self.engines if importlib.util.find_spec(ENGINES[name][0]))

    @property
    def quantised(self) -> frozenset[str]:
        """The networks that run in eight bits on that engine; OpenCV 5 does not read them."""
        return frozenset() if self.engine == "opencv" else self.small


def backend(system: str | None = None, machine: str | None = None) -> Backend:
    """The backend of this platform, or of the one named as `platform.system()` and `platform.machine()` name it."""
    known = _table()
    system, machine = system or platform.system(), (machine or platform.machine()).lower()
    row = next(
        row for row in known if row["system"] in (system, "any") and (machine in row["machines"] or not row["machines"])
    )
    return Backend(tuple(row["engines"]), frozenset(row["quantised"]))


@cache
def _table() -> list[dict[str, Any]]:
    text = (Path(__file__).parent / "backends.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["platform"]
    return rows
