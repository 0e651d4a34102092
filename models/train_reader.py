"""Trains the aligner and the reader together on cut-outs of drawn scenes.

    python -m models.train_reader --bank workshop/cards --run runs/reader --minutes 60

A killed training goes on from its last checkpoint. The results are `aligner.onnx` and `reader.onnx`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from models import loop
from models.export import export_pair
from models.networks import COLOURS, Pair
from models.samples import Samples


def corner_loss(out: Tensor, place: Tensor) -> tuple[Tensor, Tensor]:
    """Losses of the rectangle (first five) and of the corners (last eight), in parts of the cut-out's side."""
    known = ~torch.isnan(place)
    target = torch.where(known, place, out.detach())
    errors = functional.smooth_l1_loss(out, target, reduction="none", beta=0.02)
    box, corners = errors[:, :5], errors[:, 5:]
    return box.sum() / known[:, :5].sum().clamp(1), corners.sum() / known[:, 5:].sum().clamp(1)


def class_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Cross entropy over what counts."""
    return functional.cross_entropy(logits, target, reduction="sum") / (target >= 0).sum().clamp(1)


def loss(model: nn.Module, batch: loop.Batch) -> tuple[Tensor, dict[str, float]]:
    """Both networks' losses, and how often colour and rank come out right."""
    assert isinstance(model, Pair)
    out = model.aligner(batch["square"])
    box, corners = corner_loss(out[:, 1:], batch["place"])
    there = functional.binary_cross_entropy_with_logits(out[:, 0], batch["there"])
    logits = model.reader(batch["upright"])
    colour, rank = class_loss(logits[:, :COLOURS], batch["colour"]), class_loss(logits[:, COLOURS:], batch["rank"])
    figures = {"box": box.item(), "corners": corners.item(), "there": there.item()}
    for name, part in (("colour", logits[:, :COLOURS]), ("rank", logits[:, COLOURS:])):
        known = batch[name] >= 0
        figures[name] = float((part.argmax(1) == batch[name])[known].float().mean()) if known.any() else 1.0
    return 3 * box + 6 * corners + 0.5 * there + colour + rank, figures


def main() -> None:
    """The command."""
    parser = loop.options("Train aligner and reader on drawn cut-outs.", run="runs/reader", minutes=60, batch=64)
    parser.add_argument("--finder", type=Path, help="finder.onnx of a training: the aligner is taught its boxes, too")
    parser.add_argument("--replay", type=int, default=1, help="how often each drawn cut-out is shown")
    parser.add_argument("--alike", type=float, default=0.0, help="share of cards drawn among 1, 6, 7 and 9 alone")
    parser.add_argument("--begin", type=Path, help="checkpoint.pt of another run to go on from")
    given = loop.begin(parser)
    own = loop.begun_from(given.begin, given.run)

    def batches(step: int) -> Iterator[loop.Batch]:
        data = Samples(given.bank, given.seed * 1_000_003 + step, given.finder, given.replay, given.alike)
        return iter(DataLoader(data, given.batch, num_workers=given.workers, prefetch_factor=4))

    plan = loop.Plan(steps=given.steps, rate=given.rate, minutes=given.minutes, device=given.device)
    best = loop.train(Pair(), batches, loss, plan, own, lambda text: print(text, flush=True))
    assert isinstance(best, Pair)
    export_pair(best, given.run)
    print(f"aligner and reader trained: {given.run}")


if __name__ == "__main__":
    main()
