"""Makes eight-bit forms of the aligner and both readers, with the ranges that drawn cut-outs give their activations.

    python -m models.quantise --bank workshop/cards --weights models/weights

Writes `aligner.int8.onnx`, `reader.int8.onnx` and `indices.int8.onnx` beside the originals. Weights have seven bits, so
that processors without VNNI cannot overflow; the last layers of those that place corners stay as they are, corners need
more than eight bits. The finder stays in full precision: under ONNX Runtime its many small layers gain a seventh at
most (the rest goes into going to and fro between precisions around each activation), and in eight bits it loses cards.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from datasets.bank import CardBank
from models import index_samples, samples
from models.graphs import straight_in
from models.sums import write_sums

Pictures = npt.NDArray[np.uint8]
Drawn = TypeVar("Drawn")

BATCH: Final = 16
COUNT, SEED = 512, 8
"""Cut-outs from which the ranges are taken, and where their drawing begins."""
KEPT: Final = {"aligner": ("Gemm",), "reader": (), "indices": ("Gemm",)}
"""Kinds of layers that stay in full precision."""
FIRST_KEPT: Final = {"indices"}
"""Networks of which the first convolution does, too: what it rounds off no later one brings back."""


def some(draw: Callable[[np.random.Generator, CardBank], Iterable[Drawn]], bank: CardBank, count: int) -> list[Drawn]:
    """The first `count` cut-outs that training would see."""
    rng = np.random.default_rng(SEED)
    return list(itertools.islice((one for _ in itertools.count() for one in draw(rng, bank)), count))


class Ranges:
    """Feeds batches to ONNX Runtime's calibration."""

    def __init__(self, pictures: Pictures) -> None:
        self._batches = iter(np.split(pictures, range(BATCH, len(pictures), BATCH)))

    def get_next(self) -> dict[str, Pictures] | None:
        """The next batch by input name; None after the last."""
        batch = next(self._batches, None)
        return None if batch is None else {"images": batch}


def quantise(name: str, pictures: Pictures, folder: Path) -> Path:
    """Writes `NAME.int8.onnx` of `NAME.onnx` in `folder`."""
    import onnx
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(Ranges, quantization.CalibrationDataReader):
        pass

    made = folder / f"{name}.int8.onnx"
    with tempfile.TemporaryDirectory() as aside:
        prepared = str(Path(aside) / "prepared.onnx")
        quant_pre_process(str(folder / f"{name}.onnx"), prepared, skip_symbolic_shape=True)
        nodes: Any = onnx.load(prepared).graph.node
        quantization.quantize_static(
            prepared,
            str(made),
            Reader(pictures),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            op_types_to_quantize=["Conv", "Gemm", "Add", "Relu"],
            nodes_to_exclude=_kept(name, nodes),
        )
    model = onnx.load(str(made))
    if straight_in(model.graph):
        onnx.checker.check_model(model)
        onnx.save(model, str(made))
    return made


def _kept(name: str, nodes: Iterable[Any]) -> list[str]:
    """The layers of a network that stay in full precision."""
    first = next(node.name for node in nodes if node.op_type == "Conv")
    kinds = [node.name for node in nodes if node.op_type in KEPT[name]]
    return [first, *kinds] if name in FIRST_KEPT else kinds


def quantise_pair(bank: Path, folder: Path, count: int = COUNT) -> None:
    """Writes the eight-bit forms of aligner and reader."""
    drawn = some(samples.draw, CardBank(bank), count)
    quantise("aligner", np.stack([sample.square for sample in drawn]), folder)
    quantise("reader", np.stack([sample.upright for sample in drawn]), folder)


def quantise_indices(bank: Path, folder: Path, count: int = COUNT) -> None:
    """Writes the eight-bit form of the index reader."""
    drawn = some(index_samples.draw, CardBank(bank), count)
    quantise("indices", np.stack([corner.picture for corner in drawn]), folder)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Make eight-bit forms of aligner and readers.")
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=Path("models/weights"))
    given = parser.parse_args()
    quantise_pair(given.bank, given.weights)
    quantise_indices(given.bank, given.weights)
    write_sums(given.weights)
    print(f"eight-bit networks written to {given.weights}")


if __name__ == "__main__":
    main()
