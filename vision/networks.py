"""The trained networks on disk, checked when they are loaded, behind one small class.

Weights lie in `vision/weights` of an installed Tableref and in `models/weights` of a checkout, with `SHA256SUMS` beside
them. Which engine runs them is decided in `engines`; nothing here needs PyTorch.
"""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision import engines

_HERE: Final = Path(__file__).parent
PLACES: Final = (_HERE / "weights", _HERE.parent / "models" / "weights")

SUMS: Final = "SHA256SUMS"
"""Beside the weights, in the format of `sha256sum`: what each file must be."""

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


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal; about 10 ms for the largest network."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verified(path: Path) -> Path:
    """The path again; raises WeightsError when the file is not the one that `SUMS` beside it tells of."""
    try:
        lines = (path.parent / SUMS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return path  # networks of a training, not a release
    known = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    if path.name in known and checksum(path) != known[path.name]:
        raise WeightsError(f"The file {path.name} is damaged: install Tableref again.")
    return path


class Network:
    """One network, ready to run; safe to use from several threads."""

    def __init__(self, path: Path, threads: int = THREADS, engine: str | None = None) -> None:
        """From a file; `engine` is a name of `engines.ENGINES`, by default the best that this platform has."""
        name = engine or engines.backend().engine
        try:
            verified(path)
            self._engine = engines.ENGINES[name][1](path, max(1, min(threads, os.cpu_count() or 1)))
        except WeightsError:
            raise
        except Exception as error:  # the engines' own exceptions have no common public class
            raise WeightsError(f"The network {path.name} cannot be read ({error}): install Tableref again.") from error
        self._turn = threading.Lock()

    @classmethod
    def named(cls, name: str, engine: str | None = None) -> Network:
        """The shipped network `name` (finder, aligner, reader), in eight bits where this platform prefers it."""
        return cls(in_folder(name), engine=engine)

    def run(self, batch: engines.Batch) -> npt.NDArray[np.float32]:
        """The first output for a batch."""
        return self.outputs(batch)[0]

    def outputs(self, batch: engines.Batch) -> engines.Outputs:
        """All outputs for a batch, in the network's order."""
        with self._turn:
            return self._engine(batch)


def in_folder(name: str, folder: Path | None = None) -> Path:
    """The file of a network in `folder` (default: of the shipped ones), in eight bits where that is preferred."""
    small = f"{name}.int8.onnx"
    places = PLACES if folder is None else (folder,)
    if name in engines.backend().quantised:
        for place in places:
            if (place / small).is_file():
                return place / small
    return find(f"{name}.onnx") if folder is None else folder / f"{name}.onnx"
