"""Writes trained networks as ONNX, in the form that `vision` runs without PyTorch.

python -m models.export --finder runs/finder/finder.pt --pair runs/reader/checkpoint.pt --out models/weights
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from torch import nn

from models.networks import ALIGNER_SIDE, READER_SIZE, Pair


def _onnx(network: nn.Module, example: torch.Tensor, path: Path) -> None:
    network.eval()
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["images"],
        output_names=["out"],
        dynamic_axes={"images": {0: "n"}, "out": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def export_pair(pair: Pair, folder: Path) -> None:
    """Writes `aligner.onnx` and `reader.onnx` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    _onnx(pair.aligner, torch.zeros(2, ALIGNER_SIDE, ALIGNER_SIDE, 3, dtype=torch.uint8), folder / "aligner.onnx")
    width, height = READER_SIZE
    _onnx(pair.reader, torch.zeros(2, height, width, 3, dtype=torch.uint8), folder / "reader.onnx")


def export_finder(weights: Path, folder: Path, side: int = 320) -> None:
    """Writes `finder.onnx` (pictures of any multiple of 32) into `folder` by Ultralytics' own export."""
    from ultralytics import YOLO

    made = YOLO(str(weights)).export(format="onnx", imgsz=side, dynamic=True, simplify=False, opset=17)
    folder.mkdir(parents=True, exist_ok=True)
    if Path(made).resolve() != (folder / "finder.onnx").resolve():
        shutil.move(made, folder / "finder.onnx")


def pair_from(checkpoint: Path) -> Pair:
    """The averaged networks of a training's checkpoint."""
    pair = Pair()
    pair.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True)["average"])
    return pair


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Export trained networks to ONNX.")
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--pair", type=Path)
    parser.add_argument("--out", type=Path, default=Path("models/weights"))
    given = parser.parse_args()
    if given.finder:
        export_finder(given.finder, given.out)
    if given.pair:
        export_pair(pair_from(given.pair), given.out)
    print(f"exported to {given.out}")


if __name__ == "__main__":
    main()
