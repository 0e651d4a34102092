"""How fast the eyes are: the shipped networks on ONNX Runtime against the same weights under Ultralytics and PyTorch.

    python -m models.bench_eyes --finder runs/finder/finder.pt --pair runs/reader/checkpoint.pt

Both see the same drawn pictures (1280 x 720, one card and a pile) in turns, with the same number of threads, from the
picture in memory to the named cards. Prints the medians and, last, their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from datasets.backgrounds import surface
from datasets.bank import styles
from datasets.faces import draw_card
from datasets.warp import paste
from models.export import pair_from
from referee.cards import FACES
from vision.aligner import Aligner
from vision.detections import Image
from vision.eyes import Eyes
from vision.finder import LEAST_SCORE, SIDE, Boxes
from vision.networks import THREADS
from vision.reader import Reader
from vision.rectify import quad_of


class TorchNetwork:
    """A network of ours under PyTorch, behind the same door as `vision.networks.Network`."""

    def __init__(self, network: Any) -> None:
        self.network = network.eval()

    def run(self, batch: npt.NDArray[np.uint8] | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The output for a batch."""
        import torch

        with torch.inference_mode():
            out: npt.NDArray[np.float32] = self.network(torch.from_numpy(batch)).numpy()
        return out


class UltralyticsFinder:
    """The finder as `YOLO(...).predict` runs it."""

    def __init__(self, weights: Path) -> None:
        from ultralytics import YOLO

        self.model = YOLO(str(weights))

    def find(self, image: Image, side: int | None = None, least: float = LEAST_SCORE) -> Boxes:
        """The boxes in a picture, as `vision.finder.Finder.find` gives them."""
        result = self.model.predict(image, imgsz=side or SIDE, conf=least, iou=0.6, verbose=False, device="cpu")[0]
        rows = result.obb.xywhr.cpu().numpy().astype(np.float32)
        return Boxes(rows, result.obb.conf.cpu().numpy().astype(np.float32))


def peer(finder: Path, pair: Path) -> Eyes:
    """Eyes that run the same weights under Ultralytics and PyTorch."""
    import torch

    torch.set_num_threads(THREADS)
    networks = pair_from(pair)
    aligner, reader = Aligner(TorchNetwork(networks.aligner)), Reader(TorchNetwork(networks.reader))  # type: ignore[arg-type]
    return Eyes(UltralyticsFinder(finder), aligner, reader)  # type: ignore[arg-type]


def pictures(count: int, seed: int = 4) -> list[Image]:
    """Tables of 1280 x 720 px with a single card and a pile of six."""
    rng = np.random.default_rng(seed)
    made = []
    for deck in styles(count, seed):
        image = surface(rng, 720, 1280).copy()
        pile = [(880.0 + rng.normal(0, 12), 360.0 + rng.normal(0, 12), 240.0) for _ in range(6)]
        places = [(380.0, 360.0, 260.0), *pile]
        for x, y, height in places:
            card = draw_card(FACES[int(rng.integers(54))], deck, 300)
            paste(image, card, quad_of(x, y, height * deck.aspect, height, float(rng.normal(0, 0.5))))
        made.append(cv2.GaussianBlur(image, (3, 3), 0.7).astype(np.uint8))
    return made


def milliseconds(see: Callable[[Image], object], image: Image) -> float:
    """How long one look takes."""
    start = time.perf_counter()
    see(image)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Compare the eyes with the same weights under Ultralytics.")
    parser.add_argument("--finder", type=Path, required=True, help="finder.pt of a training")
    parser.add_argument("--pair", type=Path, required=True, help="checkpoint.pt of aligner and reader")
    parser.add_argument("--pictures", type=int, default=20)
    given = parser.parse_args()
    ours, theirs = Eyes.load(), peer(given.finder, given.pair)
    images = pictures(given.pictures)
    for eyes in (ours, theirs):
        eyes.see(images[0])
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    for image in images * 3:
        times["ours"].append(milliseconds(ours.see, image))
        times["theirs"].append(milliseconds(theirs.see, image))
    fast, slow = statistics.median(times["ours"]), statistics.median(times["theirs"])
    print(f"ONNX Runtime: median {fast:.1f} ms a picture; Ultralytics and PyTorch: median {slow:.1f} ms")
    print(f"ratio: {slow / fast:.2f}")


if __name__ == "__main__":
    main()
