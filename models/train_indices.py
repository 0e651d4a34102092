"""Trains the reader of corner indices on cut-outs of drawn hands, rows and piles.

    python -m models.train_indices --bank workshop/cards --networks models/weights --pair runs/reader/checkpoint.pt \
        --run runs/indices --minutes 45

`--networks` is a folder of trained `finder.onnx` and `aligner.onnx`, whose errors are taught; the first layers begin as
those of the reader in `--pair`, which has learnt to see print. A killed training goes on from its last checkpoint. The
result is `indices.onnx`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from models import loop
from models.export import export_indices, pair_from
from models.index_samples import Corners
from models.networks import COLOURS, RANKS, IndexReader
from models.train_reader import class_loss


def shift_loss(out: Tensor, shift: Tensor) -> Tensor:
    """The loss of where the corner is, over those that are known."""
    known = ~torch.isnan(shift)
    errors = functional.smooth_l1_loss(out, torch.where(known, shift, out.detach()), reduction="sum", beta=0.02)
    return errors / known.sum().clamp(1)


def loss(model: nn.Module, batch: loop.Batch) -> tuple[Tensor, dict[str, float]]:
    """Loss and how often colour and rank come out right."""
    out = model(batch["picture"])
    parts = {"colour": out[:, :COLOURS], "rank": out[:, COLOURS : COLOURS + RANKS]}
    moved = shift_loss(out[:, COLOURS + RANKS :], batch["shift"])
    figures = {"shift": moved.item()}
    for name, logits in parts.items():
        known = batch[name] >= 0
        figures[name] = float((logits.argmax(1) == batch[name])[known].float().mean()) if known.any() else 1.0
    return sum((class_loss(logits, batch[name]) for name, logits in parts.items()), 4 * moved), figures


def main() -> None:
    """The command."""
    parser = loop.options(
        "Train the reader of corner indices on drawn cut-outs.", run="runs/indices", minutes=40, batch=96
    )
    parser.add_argument("--networks", type=Path, help="folder of finder and aligner, whose errors are taught")
    parser.add_argument("--pair", type=Path, help="checkpoint.pt of aligner and reader to begin from")
    parser.add_argument("--replay", type=int, default=1, help="how often each drawn cut-out is shown")
    parser.add_argument("--alike", type=float, default=0.0, help="share of cards drawn among 1, 6, 7 and 9 alone")
    parser.add_argument("--begin", type=Path, help="checkpoint.pt of another run to go on from")
    given = loop.begin(parser)
    own = loop.begun_from(given.begin, given.run)

    def batches(step: int) -> Iterator[loop.Batch]:
        data = Corners(given.bank, given.seed * 1_000_003 + step, given.networks, given.replay, given.alike)
        return iter(DataLoader(data, given.batch, num_workers=given.workers, prefetch_factor=4))

    plan = loop.Plan(steps=given.steps, rate=given.rate, minutes=given.minutes, device=given.device)
    network = IndexReader()
    if given.pair:
        network.trunk.load_state_dict(pair_from(given.pair).reader.trunk.state_dict())
    best = loop.train(network, batches, loss, plan, own, lambda text: print(text, flush=True))
    assert isinstance(best, IndexReader)
    export_indices(best, given.run)
    print(f"reader of corner indices trained: {given.run}")


if __name__ == "__main__":
    main()
