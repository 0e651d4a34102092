"""The plain YOLO to compare with: taught faces, stopped and taken up again, read by its scores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from datasets.bank import CardBank, build
from datasets.scenes import Scene, compose
from referee.cards import FACES

if TYPE_CHECKING:
    from models import loop

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]  # Ultralytics' own, on every release others


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    build(folder, 1, seed=5)
    return folder


def test_every_card_is_taught_with_its_face(bank: Path) -> None:
    from models.train_finder import labels
    from models.train_plain import CLASSES, named, scenes

    rng = np.random.default_rng(4)
    taught = 0
    for _ in range(12):
        scene = compose(rng, CardBank(bank), 160)
        rows = named(scene, 160)
        assert np.array_equal(rows[:, :5], labels(scene, 160))
        told = {"back" if face is None else str(face) for face in scene.faces}
        assert {CLASSES[int(number)] for number in rows[:, 5]} <= told
        taught += len(rows)
    assert taught > 8
    item = next(iter(scenes(bank, 3, side=160)))
    assert item["rows"].shape[1] == 6 and item["image"].shape == (3, 160, 160)


def one_card(bank: Path) -> Scene:
    rng = np.random.default_rng(6)
    while True:
        scene = compose(rng, CardBank(bank), 160, "close")
        if scene.faces[0] in FACES[:10] and scene.visible[0] > 0.9:
            return scene


def test_it_learns_what_it_is_shown_goes_on_after_a_stop_and_is_read_by_its_scores(bank: Path, tmp_path: Path) -> None:
    import torch
    from ultralytics import YOLO

    from models import loop
    from models.compare_plain import Plain
    from models.train_finder import collate, loss, network, save_as_ultralytics
    from models.train_plain import CLASSES, named

    torch.set_num_threads(1)
    torch.manual_seed(1)
    scene = one_card(bank)
    image = torch.from_numpy(np.ascontiguousarray(scene.image[..., ::-1].transpose(2, 0, 1)))
    batch = collate([{"image": image, "rows": torch.from_numpy(named(scene, 160))}] * 2)

    def again(step: int) -> Iterator[loop.Batch]:
        return cycle([batch])

    said: list[str] = []
    for steps in (30, 90):
        model = network(CLASSES)
        for layer in model.modules():
            if isinstance(layer, torch.nn.BatchNorm2d):
                layer.momentum = 0.3  # its means follow in so few steps
        plan = loop.Plan(steps=steps, rate=0.004, warmup=5, save_every=1000)
        best = loop.train(model, again, loss, plan, tmp_path / "checkpoint.pt", said.append)
    assert "goes on at step 30 after" in " ".join(said)
    save_as_ultralytics(best, tmp_path / "plain.pt")
    seen = Plain(YOLO(str(tmp_path / "plain.pt")), 160, sure=0.05).see(scene.image)
    assert seen.faces[0] == scene.faces[0] and seen.confidences[0] > 0.5
    assert np.abs(seen.quads[0].mean(axis=0) - scene.quads[0].mean(axis=0)).max() < 8


def test_begun_as_a_finder_it_keeps_all_but_the_classes_and_says_so(tmp_path: Path) -> None:
    import torch

    from models.compare_plain import trained
    from models.train_finder import network
    from models.train_plain import BEGUN, CLASSES, begun

    finder = network().state_dict()
    torch.save({"average": finder, "step": 300, "spent": 1200.0}, tmp_path / "finder.pt")
    taken = begun(network(CLASSES), tmp_path / "finder.pt", tmp_path / BEGUN).state_dict()
    other = {name for name, value in finder.items() if not torch.equal(taken[name], value)}
    assert other and all(".cv3." in name for name in other)
    assert trained(tmp_path / "plain.pt") == "not told for how long; begun as the finder after 300 steps, 20 minutes"


@pytest.mark.parametrize(("minutes", "few"), [(30, True), (200, False)])
def test_a_plain_yolo_that_was_trained_for_less_than_ours_is_told_as_such(
    minutes: float, few: bool, tmp_path: Path
) -> None:
    from models.compare_plain import trained
    from models.progress import FILE, Book, Mark

    Book(tmp_path / FILE, 460).add(Mark(460, minutes))
    assert trained(tmp_path / "plain.pt").startswith(f"460 steps, {minutes} minutes")
    assert ("too few" in trained(tmp_path / "plain.pt")) == few
