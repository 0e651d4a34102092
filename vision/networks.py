"""The trained networks on disk and the engine that runs them.

Weights lie in `vision/weights` of an installed Tableref and in `models/weights` of a checkout. They run on ONNX
Runtime; nothing here needs PyTorch.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import onnxruntime

onnxruntime.disable_telemetry_events()  # Windows listens to this, other systems to the variable of `vision`

_HERE: Final = Path(__file__).parent
PLACES: Final = (_HERE / "weights", _HERE.parent / "models" / "weights")

THREADS: Final = 2
"""Threads for one network: the table shares its small computer with speech and displays."""


class WeightsError(Exception):
    """A network is missing or cannot be read; the message says which and what to do."""


def find(name: str) -> Path:
    """The file of the network `name`, such as `finder.onnx`; raises WeightsError when it is nowhere."""
    for place in PLACES:
        if (place / name).is_file():
            return place / name
    raise WeightsError(f"The network {name} is missing: install Tableref again, or run it from a complete checkout.")


class Network:
    """One network, ready to run; safe to use from several threads."""

    def __init__(self, path: Path, threads: int = THREADS) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, min(threads, os.cpu_count() or 1))
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # A spinning pool would keep a core busy between two pictures.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's own exceptions have no common public class
            raise WeightsError(f"The network {path.name} cannot be read ({error}): install Tableref again.") from error
        self._input = self._session.get_inputs()[0].name

    @classmethod
    def named(cls, name: str) -> Network:
        """The shipped network of that file name."""
        return cls(find(name))

    def run(self, batch: npt.NDArray[np.uint8] | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The first output for a batch."""
        out: npt.NDArray[np.float32] = self._session.run(None, {self._input: batch})[0]
        return out
