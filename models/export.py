"""Writes trained networks as ONNX, in the form that `vision` runs without PyTorch.

python -m models.export --finder runs/finder/finder.pt --pair runs/reader/checkpoint.pt --out models/weights
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from models.graphs import halved
from models.networks import ALIGNER_SIDE, INDEX_SIDE, READER_SIZE, IndexReader, Pair, Reader, as_input
from models.sums import write_sums
from vision.confidence import FILE

Trained = TypeVar("Trained", bound=nn.Module)


class Telling(nn.Module):
    """A reader that also tells its features (n, 160), from which its last layer decides."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        *before, self.last = reader.head
        self.before = nn.Sequential(*before)
        self.reader = reader

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, 120, 80, 3) uint8 to (n, 24) logits and (n, 160) features."""
        features = self.before(self.reader.trunk(as_input(images)))
        return self.last(features), features


def _onnx(network: nn.Module, example: torch.Tensor, path: Path, outputs: tuple[str, ...] = ("out",)) -> None:
    network.eval()
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["images"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in ("images", *outputs)},
        opset_version=17,
        dynamo=False,
    )


def export_pair(pair: Pair, folder: Path) -> None:
    """Writes `aligner.onnx` and `reader.onnx` into `folder`; what was made of older ones there goes."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("aligner.int8.onnx", "reader.int8.onnx", FILE):
        (folder / name).unlink(missing_ok=True)
    _onnx(pair.aligner, torch.zeros(2, ALIGNER_SIDE, ALIGNER_SIDE, 3, dtype=torch.uint8), folder / "aligner.onnx")
    width, height = READER_SIZE
    example = torch.zeros(2, height, width, 3, dtype=torch.uint8)
    _onnx(Telling(pair.reader), example, folder / "reader.onnx", ("out", "features"))


def export_indices(network: IndexReader, folder: Path) -> None:
    """Writes `indices.onnx` into `folder`; what was made of an older one there goes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "indices.int8.onnx").unlink(missing_ok=True)
    _onnx(network, torch.zeros(2, INDEX_SIDE, INDEX_SIDE, 3, dtype=torch.uint8), folder / "indices.onnx")


def export_finder(weights: Path, folder: Path, side: int = 320) -> None:
    """Writes `finder.onnx` (pictures of any multiple of 32) into `folder` by Ultralytics' own export."""
    from ultralytics import YOLO

    made = YOLO(str(weights)).export(format="onnx", imgsz=side, dynamic=True, simplify=False, opset=17)
    folder.mkdir(parents=True, exist_ok=True)
    if Path(made).resolve() != (folder / "finder.onnx").resolve():
        shutil.move(made, folder / "finder.onnx")
    quicker(folder / "finder.onnx")


def quicker(path: Path) -> None:
    """Rewrites a finder on disk so that it says the same sooner. Raises ValueError when it is none, or quick already.

    Where a box ends is summed up without the softmax that took a twelfth of its time, as runtimes turn the axis of 16
    numbers to and fro for it; and see `graphs.halved`.
    """
    import onnx

    model = onnx.load(str(path))
    nodes, make = model.graph.node, onnx.helper.make_node
    softmax = next((node for node in nodes if node.op_type == "Softmax" and "dfl" in node.name), None)
    if softmax is None:
        raise ValueError(f"{path.name} is no finder")
    weigh = next(node for node in nodes if softmax.output[0] in node.input)
    powers, told = softmax.output[0], weigh.output[0]
    weigh.output[0] = "dfl_weighed"
    for name, value in (("dfl_low", np.float32(-60)), ("dfl_high", np.float32(60)), ("dfl_axis", np.array([1]))):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(value), name))
    before = [
        make("Clip", [softmax.input[0], "dfl_low", "dfl_high"], ["dfl_clipped"]),
        make("Exp", ["dfl_clipped"], [powers]),
        make("ReduceSum", [powers, "dfl_axis"], ["dfl_whole"], keepdims=1),
    ]
    order = [*nodes]
    at, end = order.index(softmax), order.index(weigh) + 1
    order[at:end] = [*before, *order[at + 1 : end], make("Div", ["dfl_weighed", "dfl_whole"], [told])]
    del nodes[:]
    nodes.extend(order)
    halved(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def indices_from(*checkpoints: Path) -> IndexReader:
    """The averaged index reader of a training's checkpoint, or the mean of several stages of one training."""
    return _filled(IndexReader(), checkpoints)


def pair_from(*checkpoints: Path) -> Pair:
    """The averaged networks of a training's checkpoint, or the mean of several stages of one training."""
    return _filled(Pair(), checkpoints)


def _filled(network: Trained, checkpoints: Sequence[Path]) -> Trained:
    """The network with the averaged weights of a checkpoint, or their mean over several.

    Networks that went on from one another lie in one valley; their mean reads what either does (Wortsman et al., 2022,
    model soups).
    """
    stages = [torch.load(path, map_location="cpu", weights_only=True)["average"] for path in checkpoints]
    network.load_state_dict({name: _mean([stage[name] for stage in stages]) for name in stages[0]})
    return network


def _mean(weights: list[torch.Tensor]) -> torch.Tensor:
    """The mean of weights; of counts the last."""
    return torch.stack(weights).mean(dim=0) if weights[0].dtype.is_floating_point else weights[-1]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Export trained networks to ONNX.")
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--pair", type=Path, nargs="+", help="one checkpoint.pt, or several to take the mean of")
    parser.add_argument("--out", type=Path, default=Path("models/weights"))
    given = parser.parse_args()
    if given.finder:
        export_finder(given.finder, given.out)
    if given.pair:
        export_pair(pair_from(*given.pair), given.out)
    write_sums(given.out)
    print(f"exported to {given.out}")


if __name__ == "__main__":
    main()
