"""How fast the eyes are, by engine and precision, against the same weights under Ultralytics and PyTorch.

    python -m models.bench_eyes --finder runs/finder/finder.pt --indices runs/indices/checkpoint.pt \
        --pair runs/reader/checkpoint.pt runs/reader-later/checkpoint.pt

All take turns on the same drawn pictures with the same number of threads, so that a busy computer troubles all alike;
each runs twice in a row, of which the second is taken. First the networks alone, then the eyes from the picture in
memory to the named cards, on a 720p picture of two piles and on a 1080p picture with one card. Prints medians in
milliseconds as two tables; `vision/backends.toml` follows the second. On Linux, `chrt -f 50` before it keeps other work
out.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.backgrounds import surface
from datasets.bank import styles
from datasets.faces import draw_card
from datasets.warp import paste
from models.export import Telling, indices_from, pair_from
from referee.cards import FACES
from vision.aligner import Aligner
from vision.confidence import Confidence
from vision.detections import Image
from vision.engines import ENGINES, Engine, Outputs
from vision.eyes import Eyes
from vision.finder import LEAST_SCORE, SIDE, Boxes, Finder
from vision.indices import Indices
from vision.networks import THREADS, Network, WeightsError
from vision.pyramid import Pyramid
from vision.reader import Reader
from vision.rectify import quad_of

Batch = npt.NDArray[np.uint8] | npt.NDArray[np.float32]
TORCH: Final = "PyTorch"
NETWORKS: Final = {
    "finder": ((1, 3, 192, 320), "one picture of 192 x 320"),
    "aligner": ((4, 96, 96, 3), "four cut-outs"),
    "reader": ((8, 120, 80, 3), "four cut-outs, both ways up"),
    "indices": ((8, 64, 64, 3), "both corners of four cards"),
}


def on_openvino(path: Path, threads: int) -> Engine:
    """The network in OpenVINO, in full precision unless the file says otherwise: a rival, not a dependency."""
    import openvino

    settings: dict[str, Any] = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
    }
    core = openvino.Core()
    request = core.compile_model(core.read_model(str(path)), "CPU", settings).create_infer_request()
    count = len(request.model_outputs)

    def run(batch: Batch) -> Outputs:
        request.infer({0: batch}, share_inputs=True)
        return [np.array(request.get_output_tensor(number).data) for number in range(count)]

    return run


ENGINES["openvino"] = ("openvino", on_openvino)


class TorchNetwork:
    """A network of ours under PyTorch, behind the same door as `vision.networks.Network`."""

    def __init__(self, network: Any) -> None:
        self.network = network.eval()

    def outputs(self, batch: Batch) -> list[npt.NDArray[np.float32]]:
        """The outputs for a batch."""
        import torch

        with torch.inference_mode():
            out = self.network(torch.from_numpy(batch))
        return [each.numpy() for each in (out if isinstance(out, tuple) else (out,)) if hasattr(each, "numpy")]

    def run(self, batch: Batch) -> npt.NDArray[np.float32]:
        """The first output for a batch."""
        return self.outputs(batch)[0]


class UltralyticsFinder:
    """The finder as `YOLO(...).predict` runs it."""

    def __init__(self, weights: Path) -> None:
        from ultralytics import YOLO

        self.model = YOLO(str(weights))

    def find(self, image: Image | Pyramid, side: int | None = None, least: float = LEAST_SCORE) -> Boxes:
        """The boxes in a picture, as `vision.finder.Finder.find` gives them."""
        picture = Pyramid.over(image).image
        result = self.model.predict(picture, imgsz=side or SIDE, conf=least, iou=0.6, verbose=False, device="cpu")[0]
        rows = result.obb.xywhr.cpu().numpy().astype(np.float32)
        return Boxes(rows, result.obb.conf.cpu().numpy().astype(np.float32))


def peer(folder: Path, finder: Path, pair: Sequence[Path], indices: Path) -> Eyes:
    """Eyes that run the same weights, and weigh what they say alike, under Ultralytics and PyTorch."""
    networks = pair_from(*pair)
    aligner, reader, corners = (
        kind(TorchNetwork(network))  # type: ignore[arg-type]
        for kind, network in (
            (Aligner, networks.aligner),
            (Reader, Telling(networks.reader)),
            (Indices, indices_from(indices)),
        )
    )
    return Eyes(UltralyticsFinder(finder), aligner, reader, Confidence.load(folder), corners)  # type: ignore[arg-type]


def ours(folder: Path, engine: str, eight_bits: bool) -> Eyes:
    """Eyes on one engine, aligner and both readers in eight bits or all in full precision."""
    small = ".int8" if eight_bits else ""
    finder = Network(folder / "finder.onnx", engine=engine)
    names = ("aligner", "reader", "indices")
    aligner, reader, corners = (Network(folder / f"{name}{small}.onnx", engine=engine) for name in names)
    return Eyes(Finder(finder), Aligner(aligner), Reader(reader), Confidence.load(folder), Indices(corners))


def piles(rng: np.random.Generator, number: int) -> Image:
    """A table of 1280 x 720 px with a draw pile and a discard pile."""
    image, deck = surface(rng, 720, 1280).copy(), styles(number + 1, 4)[number]
    for x, cards in ((420.0, [None] * 4), (860.0, [FACES[int(i)] for i in rng.integers(54, size=6)])):
        for card in cards:
            height, spread = 240.0, rng.normal(0, 12, 2)
            quad = quad_of(
                x + float(spread[0]), 360 + float(spread[1]), height * deck.aspect, height, float(rng.normal(0, 0.4))
            )
            paste(image, draw_card(card, deck, 300), quad)
    return cv2.GaussianBlur(image, (3, 3), 0.7).astype(np.uint8)


def single(rng: np.random.Generator, number: int) -> Image:
    """A table of 1920 x 1080 px with one card."""
    image, deck = surface(rng, 1080, 1920).copy(), styles(number + 1, 4)[number]
    x, y, height = float(rng.uniform(600, 1300)), float(rng.uniform(400, 700)), float(rng.uniform(250, 500))
    quad = quad_of(x, y, height * deck.aspect, height, float(rng.normal(0, 0.5)))
    paste(image, draw_card(FACES[int(rng.integers(54))], deck, 416), quad)
    return cv2.GaussianBlur(image, (3, 3), 0.7).astype(np.uint8)


def medians(rivals: Mapping[str, Callable[[Any], object]], given: list[Any], rounds: int) -> dict[str, float]:
    """The median milliseconds of each, taking turns on the same inputs."""
    times: dict[str, list[float]] = {name: [] for name in rivals}
    for turn in range(rounds + 1):
        for one in given:
            for name, run in rivals.items():
                run(one)  # pays for what the one before left behind: threads that wait awake, caches
                start = time.perf_counter()
                run(one)
                if turn:  # the first round warms up
                    times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(taken) for name, taken in times.items()}


def engines() -> list[str]:
    """The engines that are installed."""
    return [name for name, (module, _) in ENGINES.items() if importlib.util.find_spec(module)]


def network_rows(
    folder: Path, finder: Path, pair: Sequence[Path], indices: Path, rounds: int
) -> dict[str, dict[str, float]]:
    """For each network the medians by engine and precision."""
    from ultralytics import YOLO

    networks, rng = pair_from(*pair), np.random.default_rng(0)
    theirs = {"finder": YOLO(str(finder)).model.float().fuse(), "aligner": networks.aligner, "reader": networks.reader}
    theirs["indices"] = indices_from(indices)
    found: dict[str, dict[str, float]] = {}
    for name, (shape, about) in NETWORKS.items():
        batch = rng.integers(0, 255, shape, np.uint8)
        given = batch.astype(np.float32) / 255 if name == "finder" else batch
        rivals: dict[str, Callable[[Any], object]] = {TORCH: TorchNetwork(theirs[name]).run}
        for engine in engines():
            for small, words in (("", ""), (".int8", " int8")):
                with contextlib.suppress(WeightsError):  # no such form, or the engine does not understand it
                    rivals[engine + words] = Network(folder / f"{name}{small}.onnx", engine=engine).run
        found[f"{name}, {about}"] = medians(rivals, [given], rounds)
    return found


def eyes_rows(
    folder: Path, finder: Path, pair: Sequence[Path], indices: Path, rounds: int
) -> dict[str, dict[str, float]]:
    """For each kind of picture the medians of the whole eyes."""
    rivals = {TORCH: peer(folder, finder, pair, indices).see}
    for engine in engines():
        for small, words in ((False, ""), (True, " int8")):
            with contextlib.suppress(WeightsError):
                rivals[engine + words] = ours(folder, engine, small).see
    rng, found = np.random.default_rng(4), {}
    for about, draw in (("720p, two piles", piles), ("1080p, one card", single)):
        found[about] = medians(rivals, [draw(rng, number) for number in range(4)], max(1, rounds // 4))
    return found


def markdown(rows: dict[str, dict[str, float]], ratio: bool = False) -> str:
    """The medians as a table; with `ratio`, how many times as fast as PyTorch each is."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [f"| ms | {' | '.join(names)} |", "|" + "---|" * (len(names) + 1)]
    for about, row in rows.items():
        cells = [f"{row[name]:.1f}" if name in row else "" for name in names]
        lines.append(f"| {about} | {' | '.join(cells)} |")
        if ratio:
            cells = [f"{row[TORCH] / row[name]:.1f} x" for name in names]
            lines.append(f"| times as fast as PyTorch | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    import torch

    parser = argparse.ArgumentParser(description="Time the eyes by engine, against the same weights under PyTorch.")
    parser.add_argument("--finder", type=Path, required=True, help="finder.pt of a training")
    parser.add_argument(
        "--pair", type=Path, nargs="+", required=True, help="checkpoint.pt of aligner and reader, of several the mean"
    )
    parser.add_argument("--indices", type=Path, required=True, help="checkpoint.pt of the index reader")
    parser.add_argument("--weights", type=Path, default=Path("models/weights"))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--out", type=Path, help="write the tables here as well, for the model card")
    given = parser.parse_args()
    torch.set_num_threads(THREADS)
    cv2.setNumThreads(THREADS)
    told = (given.weights, given.finder, given.pair, given.indices, given.rounds)
    rows, whole = network_rows(*told), eyes_rows(*told)
    text = f"{markdown(rows)}\n\n{markdown(whole, ratio=True)}\n"
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
