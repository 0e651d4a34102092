"""Trains what others would take: one YOLO with a class for each face, to compare with.

    python -m models.train_plain --bank workshop/cards --run runs/plain --minutes 90

The same network as the finder's (YOLO11n with oriented boxes, from scratch), the same loss, the same drawn scenes; only
not mirrored, as faces are read here. A killed training goes on from its last checkpoint. The result is `plain.pt`,
which `models.compare_plain` holds against the eyes. It is no part of Tableref.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from datasets.bank import CardBank
from datasets.scenes import Scene, compose
from models import loop
from models.train_finder import SIDE, collate, labels, loss, save_as_ultralytics, turned
from referee.cards import FACES, Card

CLASSES: Final = (*(str(face) for face in FACES), "back")
"""Names of the classes, by their numbers."""

BEGUN: Final = "begun.txt"


def number_of(face: Card | None) -> int:
    """The class of a face; None is a back."""
    return len(FACES) if face is None else FACES.index(face)


def named(scene: Scene, side: int) -> Tensor:
    """The cards to teach as (n, 6) float32: as `train_finder.labels`, then the class."""
    rows = []
    for i, face in enumerate(scene.faces):
        alone = dataclasses.replace(scene, quads=scene.quads[i : i + 1], visible=scene.visible[i : i + 1])
        rows += [[*row, number_of(face)] for row in labels(alone, side)]
    return torch.tensor(np.array(rows, np.float32).reshape(-1, 6))


class Faces(IterableDataset[loop.Batch]):
    """Endless pictures (3, S, S) uint8 RGB with their labels (n, 6), each `times` times, turned by quarters."""

    def __init__(self, bank: Path, seed: int, times: int = 1, side: int = SIDE) -> None:
        self.bank, self.seed, self.times, self.side = bank, seed, times, side

    def __iter__(self) -> Iterator[loop.Batch]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        for item in loop.replayed(rng, self.drawn(rng), self.times, kept=4096):
            image, rows = turned(item["image"], item["rows"][:, :5], int(rng.integers(4)), mirrored=False)
            yield {"image": image, "rows": torch.cat([rows, item["rows"][:, 5:]], 1)}

    def drawn(self, rng: np.random.Generator) -> Iterator[loop.Batch]:
        """The pictures as they are composed."""
        bank = CardBank(self.bank)
        while True:
            scene = compose(rng, bank, self.side)
            image = np.ascontiguousarray(scene.image[..., ::-1].transpose(2, 0, 1))
            yield {"image": torch.from_numpy(image), "rows": named(scene, self.side)}


def collate_named(samples: list[loop.Batch]) -> loop.Batch:
    """As `train_finder.collate`, with the classes."""
    boxes = [{**sample, "rows": sample["rows"][:, :5]} for sample in samples]
    return collate(boxes) | {"cls": torch.cat([sample["rows"][:, 5:] for sample in samples])}


def network() -> Any:
    """YOLO11n-obb with a class for each face and one for backs, untrained."""
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import OBBModel

    model = OBBModel("yolo11n-obb.yaml", ch=3, nc=len(CLASSES), verbose=False).to(memory_format=torch.channels_last)
    model.args = get_cfg()
    model.names = dict(enumerate(CLASSES))
    return model


def begun(model: Any, checkpoint: Path, note: Path) -> Any:
    """The network with the weights of a trained finder wherever they fit: all but the layers of the classes.

    For how long the finder had been trained is written to `note`, so that the time counts.
    """
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    own = model.state_dict()
    fitting = {name: value for name, value in state["average"].items() if value.shape == own[name].shape}
    model.load_state_dict(own | fitting)
    note.write_text(f"begun as the finder after {state['step']} steps, {state['spent'] / 60:.0f} minutes", "utf-8")
    return model


def main() -> None:
    """The command."""
    parser = loop.options("Train a YOLO with a class for each face.", run="runs/plain", minutes=90, batch=16)
    parser.add_argument("--replay", type=int, default=4, help="how often each drawn scene is shown, any way round")
    parser.add_argument(
        "--finder", type=Path, help="checkpoint.pt of a finder to begin from; from scratch when left out"
    )
    given = loop.begin(parser)
    given.run.mkdir(parents=True, exist_ok=True)

    def batches(step: int) -> Iterator[loop.Batch]:
        data = Faces(given.bank, given.seed * 1_000_003 + step, given.replay)
        return iter(
            DataLoader(data, given.batch, num_workers=given.workers, collate_fn=collate_named, prefetch_factor=4)
        )

    plan = loop.Plan(
        steps=given.steps, rate=given.rate, minutes=given.minutes, warmup=300, decay=0.0005, device=given.device
    )
    model = begun(network(), given.finder, given.run / BEGUN) if given.finder else network()
    best = loop.train(model, batches, loss, plan, given.run / "checkpoint.pt", lambda text: print(text, flush=True))
    save_as_ultralytics(best, given.run / "plain.pt")
    print(f"plain YOLO trained: {given.run / 'plain.pt'}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
