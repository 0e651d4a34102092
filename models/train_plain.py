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
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader

from datasets.scenes import Scene
from models import loop
from models.train_finder import SIDE, Scenes, collate, labels, loss, network, save_as_ultralytics
from referee.cards import FACES, Card

CLASSES: Final = (*(str(face) for face in FACES), "back")
"""Names of the classes, by their numbers."""

BEGUN: Final = "begun.txt"


def number_of(face: Card | None) -> int:
    """The class of a face; None is a back."""
    return len(FACES) if face is None else FACES.index(face)


def named(scene: Scene, side: int) -> npt.NDArray[np.float32]:
    """The cards to teach as (n, 6) float32: as `train_finder.labels`, then the class."""
    rows = []
    for i, face in enumerate(scene.faces):
        alone = dataclasses.replace(scene, quads=scene.quads[i : i + 1], visible=scene.visible[i : i + 1])
        rows += [[*row, number_of(face)] for row in labels(alone, side)]
    return np.array(rows, np.float32).reshape(-1, 6)


def scenes(bank: Path, seed: int, times: int = 1, side: int = SIDE) -> Scenes:
    """The finder's scenes with the faces as classes, and not mirrored."""
    return Scenes(bank, seed, times, side, named, mirrored=False)


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
        data = scenes(given.bank, given.seed * 1_000_003 + step, given.replay)
        return iter(DataLoader(data, given.batch, num_workers=given.workers, collate_fn=collate, prefetch_factor=4))

    plan = loop.Plan(
        steps=given.steps, rate=given.rate, minutes=given.minutes, warmup=300, decay=0.0005, device=given.device
    )
    model = begun(network(CLASSES), given.finder, given.run / BEGUN) if given.finder else network(CLASSES)
    best = loop.train(model, batches, loss, plan, given.run / "checkpoint.pt", lambda text: print(text, flush=True))
    save_as_ultralytics(best, given.run / "plain.pt")
    print(f"plain YOLO trained: {given.run / 'plain.pt'}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
