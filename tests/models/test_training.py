"""A training of a few steps, killed and taken up again, exported and run without PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from datasets.bank import CardBank, build
from vision.aligner import Aligner
from vision.finder import Finder
from vision.networks import Network
from vision.reader import Reader
from vision.rectify import quad_of

if TYPE_CHECKING:
    from models import loop

pytestmark = pytest.mark.train


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tiny batches gain nothing from more, and a busy computer makes threads wait for each other."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    build(folder, 2, seed=5)
    return folder


def batches(bank: Path, seed: int, size: int) -> Iterator[loop.Batch]:
    from torch.utils.data import DataLoader

    from models.samples import Samples

    return iter(DataLoader(Samples(bank, seed), size))


def test_a_killed_training_goes_on_where_it_was(bank: Path, tmp_path: Path) -> None:
    import torch

    from models import loop, progress
    from models.networks import Pair
    from models.train_reader import loss

    said: list[str] = []
    checkpoint = tmp_path / "checkpoint.pt"
    first = loop.Plan(steps=3, rate=0.001, warmup=2, save_every=2)
    loop.train(Pair(), lambda step: batches(bank, step, 4), loss, first, checkpoint, said.append)
    assert torch.load(checkpoint, weights_only=True)["step"] == 3
    longer = loop.Plan(steps=5, rate=0.001, warmup=2, save_every=2)
    loop.train(Pair(), lambda step: batches(bank, step, 4), loss, longer, checkpoint, said.append)
    assert torch.load(checkpoint, weights_only=True)["step"] == 5
    assert any(text.startswith("goes on at step 3") for text in said)
    assert [mark.step for mark in progress.read(tmp_path / progress.FILE)] == [3, 5]


def test_the_same_seed_makes_the_same_network(bank: Path, tmp_path: Path) -> None:
    import torch

    from models import loop
    from models.networks import Pair
    from models.train_reader import loss

    def trained(name: str, seed: int) -> torch.Tensor:
        torch.manual_seed(seed)
        plan, run = loop.Plan(steps=2, rate=0.01, warmup=1), tmp_path / name / "checkpoint.pt"
        best = loop.train(Pair(), lambda step: batches(bank, seed, 4), loss, plan, run, lambda text: None)
        return torch.cat([weight.flatten() for weight in best.parameters()])

    first = trained("first", 1)
    assert torch.equal(first, trained("again", 1)) and not torch.equal(first, trained("other", 2))


def test_training_learns_what_it_is_shown(bank: Path, tmp_path: Path) -> None:
    """One batch over and over: the losses must fall far, or a gradient does not arrive somewhere."""
    from models import loop
    from models.networks import Pair
    from models.train_reader import loss

    batch = next(batches(bank, 1, 16))
    seen: list[dict[str, float]] = []

    def watched(model: object, one: loop.Batch) -> tuple[object, dict[str, float]]:
        value, figures = loss(model, one)
        seen.append(figures)
        return value, figures

    def again(step: int) -> Iterator[loop.Batch]:
        while True:
            yield batch

    plan = loop.Plan(steps=80, rate=0.003, warmup=5, save_every=1000)
    loop.train(Pair(), again, watched, plan, tmp_path / "checkpoint.pt", lambda text: None)
    for part in ("box", "corners", "there"):
        assert min(figures[part] for figures in seen[-5:]) < seen[0][part] / 2, part
    assert seen[-1]["rank"] > 0.9 and seen[-1]["colour"] > 0.9


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter warns of itself
def test_exported_networks_run_on_onnx_runtime_and_agree(tmp_path: Path) -> None:
    import torch

    from models.export import export_pair
    from models.networks import Pair

    torch.manual_seed(3)
    pair = Pair().eval()
    export_pair(pair, tmp_path)
    rng = np.random.default_rng(0)
    squares = rng.integers(0, 255, (3, 96, 96, 3), np.uint8)
    with torch.no_grad():
        expected = pair.aligner(torch.from_numpy(squares)).numpy()
    assert np.abs(Network(tmp_path / "aligner.onnx").run(squares) - expected).max() < 1e-3
    image = rng.integers(0, 255, (200, 300, 3), np.uint8)
    quads = np.stack([quad_of(100, 100, 60, 90, 0.2), quad_of(200, 90, 50, 80, 1.2)])
    aligned, there = Aligner(Network(tmp_path / "aligner.onnx")).align(image, quads)
    assert aligned.shape == (2, 4, 2) and there.shape == (2,)
    readings = Reader(Network(tmp_path / "reader.onnx")).read(image, aligned)
    assert readings.outcomes.sum(axis=1) == pytest.approx([1, 1], abs=1e-4)


@pytest.mark.filterwarnings("ignore")  # Ultralytics' and the exporter's own, on every release others
def test_the_finder_trains_as_an_ultralytics_yolo_and_exports(bank: Path, tmp_path: Path) -> None:
    from torch.utils.data import DataLoader
    from ultralytics import YOLO

    from models import loop
    from models.export import export_finder
    from models.train_finder import Scenes, collate, loss, network, save_as_ultralytics

    said: list[dict[str, float]] = []

    def watched(model: object, batch: loop.Batch) -> tuple[object, dict[str, float]]:
        value, figures = loss(model, batch)
        said.append(figures)
        return value, figures

    def scenes(step: int) -> Iterator[loop.Batch]:
        return iter(DataLoader(Scenes(bank, step, side=160), 2, collate_fn=collate))

    plan = loop.Plan(steps=2, rate=0.001, warmup=1, save_every=100)
    best = loop.train(network(), scenes, watched, plan, tmp_path / "checkpoint.pt", lambda text: None)
    assert len(said) == 2 and set(said[0]) >= {"box", "cls", "angle"}
    save_as_ultralytics(best, tmp_path / "finder.pt")
    assert YOLO(str(tmp_path / "finder.pt")).task == "obb"
    export_finder(tmp_path / "finder.pt", tmp_path / "out", 160)
    finder = Finder(Network(tmp_path / "out" / "finder.onnx"))
    boxes = finder.find(np.zeros((90, 160, 3), np.uint8), side=160, least=0.0)
    assert boxes.rows.shape[1] == 5


def test_labels_lie_on_the_cards(bank: Path) -> None:
    from datasets.scenes import compose
    from models.train_finder import VISIBLE, labels

    cards = CardBank(bank)
    rng = np.random.default_rng(4)
    seen = 0
    for _ in range(20):
        scene = compose(rng, cards, 160)
        rows = labels(scene, 160)
        centres = [quad.mean(axis=0) for quad, seen in zip(scene.quads, scene.visible, strict=True) if seen >= VISIBLE]
        seen += len(rows)
        assert len(rows) <= len(centres)
        for x, y, w, h, angle in rows:
            assert w >= h and 0 <= angle <= np.pi
            assert min(float(np.hypot(*(centre - (x * 160, y * 160)))) for centre in centres) < 0.25 * h * 160 + 2
    assert seen > 10


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_a_turned_picture_takes_its_labels_along(quarters: int, mirrored: bool) -> None:
    import torch

    from models.train_finder import box, regular, turned

    quad = np.asarray(cv2.boxPoints(((60.0, 40.0), (50.0, 24.0), 25.0)), np.float32)
    canvas = cv2.fillConvexPoly(np.zeros((160, 160, 3), np.uint8), np.rint(quad).astype(np.int32), (255, 255, 255))
    x, y, w, h, angle = regular(*box(quad))
    rows = torch.tensor([[x / 160, y / 160, w / 160, h / 160, angle]])
    image, told = turned(torch.from_numpy(canvas.transpose(2, 0, 1).copy()), rows, quarters, mirrored)
    outline = cv2.findContours(image[0].numpy().copy(), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0][0]
    seen = regular(*box(outline.reshape(-1, 2).astype(np.float32)))
    assert np.allclose(told[0, :4] * 160, seen[:4], atol=2)
    assert min(abs(float(told[0, 4]) - seen[4] + turn) for turn in (-np.pi, 0, np.pi)) < 0.05
