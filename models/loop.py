"""The training loop that all networks share: endless drawn batches, cosine rate, averaged weights, checkpoints.

A checkpoint is written every `save_every` steps beside the run and taken up again at the next start, so that a killed
training goes on where it was. Data are drawn from a seed made of the run's seed and the step, so that it goes on with
pictures it has not seen.
"""

from __future__ import annotations

import argparse
import copy
import math
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models import progress

Batch = dict[str, Tensor]
"""The tensors of one sample, or of many of them; the first holds the pictures."""

TOLD_EVERY = 50
"""Steps from one report to the next."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how fast, where. `rate` is the peak learning rate, `minutes` a limit to the whole training, if any."""

    steps: int
    rate: float
    warmup: int = 200
    decay: float = 0.01
    save_every: int = 250
    average: float = 0.999
    minutes: float | None = None
    device: str = "cpu"

    def rate_at(self, step: int, spent: float) -> float:
        """Linear warm-up, then a cosine to a hundredth; along the minutes when they run out before the steps."""
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        part = step / self.steps
        if self.minutes is not None:
            part = max(part, spent / (self.minutes * 60))
        return self.rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, part))))


def options(description: str, run: str, minutes: float, batch: int) -> argparse.ArgumentParser:
    """The options that every training has; the arguments are the defaults of its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--run", type=Path, default=Path(run))
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that draw pictures, up to 1.5 GB each")
    parser.add_argument("--device", default="cpu", help="where PyTorch computes: cpu, cuda, mps")
    return parser


def begin(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What was given on the command line; PyTorch is seeded and bound to its threads."""
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    return given


def begun_from(other: Path | None, run: Path) -> Path:
    """The checkpoint of a run; a run that has none goes on from that of another, if one is given."""
    own = run / "checkpoint.pt"
    if other and not own.exists():
        run.mkdir(parents=True, exist_ok=True)
        shutil.copy(other, own)
    return own


class Average:
    """Exponential moving average of a network's weights; warms up so that the first steps do not linger."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.network = copy.deepcopy(network).eval()
        self.decay, self.updates = decay, 0
        for weight in self.network.parameters():
            weight.requires_grad_(False)

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Moves the average a little towards `network`."""
        self.updates += 1
        keep = self.decay * (1 - math.exp(-self.updates / 500))
        fresh = network.state_dict()
        for name, value in self.network.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(keep).add_(fresh[name].detach(), alpha=1 - keep)
            else:
                value.copy_(fresh[name])


def replayed(rng: np.random.Generator, fresh: Iterator[Batch], times: int, kept: int = 1024) -> Iterator[Batch]:
    """Each of `fresh` about `times` times, among others: for where drawing takes longer than learning from it."""
    pool: list[Batch] = []
    for item in fresh:
        yield item
        if len(pool) < kept:
            pool.append(item)
            continue
        pool[int(rng.integers(kept))] = item
        for _ in range(times - 1):
            yield pool[int(rng.integers(kept))]


def groups(network: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Weights with decay; biases and normalisation without."""
    plain = [p for p in network.parameters() if p.ndim <= 1]
    heavy = [p for p in network.parameters() if p.ndim > 1]
    return [{"params": heavy, "weight_decay": decay}, {"params": plain, "weight_decay": 0.0}]


def train(
    network: nn.Module,
    batches: Callable[[int], Iterator[Batch]],
    loss: Callable[[nn.Module, Batch], tuple[Tensor, dict[str, float]]],
    plan: Plan,
    checkpoint: Path,
    report: Callable[[str], None] = print,
) -> nn.Module:
    """Trains and returns the averaged network.

    `batches(step)` gives the batches from that step on; `loss` the scalar to minimise and figures to report, which are
    kept beside the checkpoint, too (`models.progress`).
    """
    network = network.to(plan.device)
    average = Average(network, plan.average)
    optimiser = torch.optim.AdamW(groups(network, plan.decay), lr=plan.rate)
    step, spent = resume(checkpoint, network, average, optimiser)
    if step:
        report(f"goes on at step {step} after {spent / 60:.1f} minutes")
    shown: dict[str, float] = {}
    book = progress.Book(checkpoint.with_name(progress.FILE), step)
    pace = progress.Pace(plan.steps, plan.minutes, step, spent)
    started = time.monotonic() - spent
    for batch in batches(step):
        before = time.monotonic() - started
        if step >= plan.steps or (plan.minutes is not None and before >= plan.minutes * 60):
            break
        for group in optimiser.param_groups:
            group["lr"] = plan.rate_at(step, before)
        network.train()
        value, figures = loss(network, {name: part.to(plan.device) for name, part in batch.items()})
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimiser.step()
        average.update(network)
        step += 1
        shown = {name: 0.98 * shown.get(name, figure) + 0.02 * figure for name, figure in figures.items()}
        pace.pictures += len(next(iter(batch.values())))
        if step % TOLD_EVERY == 0:
            report(book.add(pace.mark(step, time.monotonic() - started, shown)))
        if step % plan.save_every == 0:
            save(checkpoint, network, average, optimiser, step, time.monotonic() - started)
    save(checkpoint, network, average, optimiser, step, time.monotonic() - started)
    if pace.pictures:
        report(book.add(pace.mark(step, time.monotonic() - started, shown)))
    return average.network.cpu()


def save(
    checkpoint: Path, network: nn.Module, average: Average, optimiser: torch.optim.Optimizer, step: int, spent: float
) -> None:
    """Writes the checkpoint aside and moves it into place, so that a kill leaves the old one whole."""
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    state = {
        "network": network.state_dict(),
        "average": average.network.state_dict(),
        "updates": average.updates,
        "optimiser": optimiser.state_dict(),
        "step": step,
        "spent": spent,
    }
    aside = checkpoint.with_suffix(".part")
    torch.save(state, aside)
    aside.replace(checkpoint)


def resume(
    checkpoint: Path, network: nn.Module, average: Average, optimiser: torch.optim.Optimizer
) -> tuple[int, float]:
    """Takes up a checkpoint when there is one; gives the step and the seconds spent so far."""
    if not checkpoint.exists():
        return 0, 0.0
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    network.load_state_dict(state["network"])
    average.network.load_state_dict(state["average"])
    average.updates = state["updates"]
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"]), float(state["spent"])
