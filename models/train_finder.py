"""Trains the finder: a YOLO11n with oriented boxes and the one class "card", from scratch, on drawn scenes.

    python -m models.train_finder --bank workshop/cards --run runs/finder --minutes 90

Network and loss are Ultralytics' own; scenes are drawn while it trains, each shown a few times, mirrored and turned. A
killed training goes on from its last checkpoint. The result is `finder.pt`, which any Ultralytics command takes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from datasets.bank import CardBank
from datasets.scenes import Scene, compose
from models import loop

SIDE: Final = 320
"""Pixels of a training picture's side."""

VISIBLE: Final = 0.2
"""A card less visible than this is not taught."""


def box(quad: npt.NDArray[np.float32]) -> tuple[float, float, float, float, float]:
    """The rotated rectangle (cx, cy, w, h px, angle in radians) that lies closest about a quad."""
    (x, y), (width, height), angle = cv2.minAreaRect(quad)
    return x, y, width, height, float(np.deg2rad(angle))


def regular(cx: float, cy: float, w: float, h: float, angle: float) -> tuple[float, float, float, float, float]:
    """The same rectangle with its long side first and the angle in 0 to pi, as Ultralytics wants it."""
    if w < h:
        w, h, angle = h, w, angle + np.pi / 2
    return cx, cy, w, h, float(angle % np.pi)


def labels(scene: Scene, side: int) -> npt.NDArray[np.float32]:
    """The cards to teach as (n, 5) float32: cx, cy, w, h in parts of the side, angle in radians."""
    rows = []
    for quad, seen in zip(scene.quads, scene.visible, strict=True):
        x, y, w, h, angle = regular(*box(quad))
        if seen >= VISIBLE and min(w, h) >= 6:
            rows.append((x / side, y / side, w / side, h / side, angle))
    return np.array(rows, np.float32).reshape(-1, 5)


def turned(image: Tensor, rows: Tensor, quarters: int, mirrored: bool) -> tuple[Tensor, Tensor]:
    """A square picture (3, S, S) and its labels (n, 5 or 6), mirrored left to right or not, then turned to the left.

    To the finder, which does not read, a card in a mirror is a card.
    """
    x, y, sides, angle = rows[:, 0], rows[:, 1], rows[:, 2:4], rows[:, 4]
    if mirrored:
        image, x, angle = image.flip(2), 1 - x, torch.pi - angle
    for _ in range(quarters % 4):
        image, x, y, angle = image.rot90(1, (1, 2)), y, 1 - x, angle - torch.pi / 2
    return image, torch.cat([torch.stack([x, y], 1), sides, (angle % torch.pi)[:, None], rows[:, 5:]], 1)


class Scenes(IterableDataset[loop.Batch]):
    """Endless pictures (3, S, S) uint8 RGB with their labels, each `times` times, turned by quarters.

    label: gives the labels (n, 5) or, with a class behind them, (n, 6). mirrored: also as in a mirror.
    """

    def __init__(
        self,
        bank: Path,
        seed: int,
        times: int = 1,
        side: int = SIDE,
        label: Callable[[Scene, int], npt.NDArray[np.float32]] = labels,
        mirrored: bool = True,
    ) -> None:
        self.bank, self.seed, self.times, self.side = bank, seed, times, side
        self.label, self.mirrored = label, mirrored

    def __iter__(self) -> Iterator[loop.Batch]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        for item in loop.replayed(rng, self.drawn(rng), self.times, kept=4096):
            mirrored = self.mirrored and bool(rng.integers(2))
            image, rows = turned(item["image"], item["rows"], int(rng.integers(4)), mirrored)
            yield {"image": image, "rows": rows}

    def drawn(self, rng: np.random.Generator) -> Iterator[loop.Batch]:
        """The pictures as they are composed."""
        bank = CardBank(self.bank)
        while True:
            scene = compose(rng, bank, self.side)
            image = np.ascontiguousarray(scene.image[..., ::-1].transpose(2, 0, 1))
            yield {"image": torch.from_numpy(image), "rows": torch.from_numpy(self.label(scene, self.side))}


def collate(samples: list[loop.Batch]) -> loop.Batch:
    """The batch that Ultralytics' loss takes, its colours innermost, which is quicker on a processor."""
    counts = [len(sample["rows"]) for sample in samples]
    rows = torch.cat([sample["rows"] for sample in samples])
    pictures = torch.stack([sample["image"] for sample in samples]).float() / 255
    return {
        "img": pictures.contiguous(memory_format=torch.channels_last),
        "bboxes": rows[:, :5],
        "cls": rows[:, 5:] if rows.shape[1] > 5 else torch.zeros(len(rows), 1),
        "batch_idx": torch.repeat_interleave(torch.arange(len(samples)), torch.tensor(counts)).float(),
    }


def network(classes: Sequence[str] = ("card",)) -> Any:
    """YOLO11n-obb for the classes of these names, untrained."""
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel

    model = OBBModel("yolo11n-obb.yaml", ch=3, nc=len(classes), verbose=False).to(memory_format=torch.channels_last)
    model.args = get_cfg()
    model.names = dict(enumerate(classes))
    return model


def loss(model: nn.Module, batch: loop.Batch) -> tuple[Tensor, dict[str, float]]:
    """Ultralytics' oriented-box loss and its parts."""
    total, parts = model.loss(batch)
    figures = {name.removesuffix("_loss"): float(part) for name, part in parts.items()}
    return total.sum() / len(batch["img"]), figures


def save_as_ultralytics(model: Any, path: Path) -> None:
    """Writes weights that `YOLO(path)` loads."""
    model.criterion = None
    args = {**vars(model.args), "task": "obb", "imgsz": SIDE, "model": "yolo11n-obb.yaml", "data": None}
    model.args, model.task = args, "obb"
    torch.save({"model": model, "train_args": args, "epoch": -1, "date": None, "version": None}, path)


def main() -> None:
    """The command."""
    parser = loop.options("Train the finder on drawn scenes.", run="runs/finder", minutes=90, batch=16)
    parser.add_argument("--replay", type=int, default=4, help="how often each drawn scene is shown, any way round")
    given = loop.begin(parser)
    given.run.mkdir(parents=True, exist_ok=True)

    def batches(step: int) -> Iterator[loop.Batch]:
        data = Scenes(given.bank, given.seed * 1_000_003 + step, given.replay)
        return iter(DataLoader(data, given.batch, num_workers=given.workers, collate_fn=collate, prefetch_factor=4))

    plan = loop.Plan(
        steps=given.steps, rate=given.rate, minutes=given.minutes, warmup=300, decay=0.0005, device=given.device
    )
    best = loop.train(network(), batches, loss, plan, given.run / "checkpoint.pt", lambda text: print(text, flush=True))
    save_as_ultralytics(best, given.run / "finder.pt")
    print(f"finder trained: {given.run / 'finder.pt'}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
