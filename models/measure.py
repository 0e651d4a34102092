"""Measures the eyes on drawn scenes of decks in typefaces that training never saw, each network apart.

python -m datasets.bank --held-out --styles 40 --seed 2 workshop/held
python -m models.measure --bank workshop/held --scenes 400 --piles 500 --fans 500 --nothing 300
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.bank import CardBank
from datasets.scenes import Scene, compose
from models import trials
from models.evaluate import Sees, eyes_from
from models.samples import usable
from referee.cards import Card
from vision.aligner import size_of
from vision.detections import BACK, Detections, Face, Image
from vision.eyes import Eyes
from vision.overlaps import overlap

Floats = npt.NDArray[np.float32]

SIDE: Final = 400
WELL_SEEN: Final = 0.8
"""Cards seen at least so much are expected to be read."""

SURE: Final = 0.5
FOUND: Final = 0.5
"""Intersection over union from which a quad counts as on the card."""


@dataclass(slots=True)
class Tally:
    """What was counted over the scenes."""

    cards: int = 0
    found: int = 0
    read: int = 0
    read_on_exact_quads: int = 0
    corner_errors: list[float] = field(default_factory=list)
    empty_scenes: int = 0
    false_alarms: int = 0

    def figures(self) -> dict[str, float]:
        """The shares and the corner error (per cent of the card's height, median and 95th percentile)."""
        errors = np.array(self.corner_errors or [np.nan])
        return {
            "cards found": self.found / max(1, self.cards),
            "right faces, end to end": self.read / max(1, self.cards),
            "right faces on exact quads": self.read_on_exact_quads / max(1, self.cards),
            "corner error, median %": float(np.percentile(errors, 50)),
            "corner error, 95th percentile %": float(np.percentile(errors, 95)),
            "false alarms per scene without cards": self.false_alarms / max(1, self.empty_scenes),
        }


def corner_error(quad: Floats, truth: Floats) -> float:
    """Mean distance of the corners in per cent of the card's height, either end up."""
    ways = (np.linalg.norm(np.roll(quad, turn, axis=0) - truth, axis=1).mean() for turn in (0, 2))
    return float(min(ways)) / size_of(truth) * 100


def scenes(bank: CardBank, count: int, seed: int) -> Iterator[Scene]:
    """The scenes that are measured on."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield compose(rng, bank, SIDE)


def _face(card: Card | None) -> Face:
    return BACK if card is None else card


def count_scene(eyes: Sees, scene: Scene, tally: Tally) -> None:
    """Adds one scene to the tally; only our own eyes are asked what they read on exact quads."""
    image: Image = scene.image
    seen = eyes.see(image)
    if not len(scene.quads):
        tally.empty_scenes += 1
        tally.false_alarms += int((seen.confidences >= SURE).any())
        return
    chosen = [number for number in usable(scene) if scene.visible[number] >= WELL_SEEN]
    exact: tuple[Face, ...] = (None,) * len(chosen)
    if isinstance(eyes, Eyes) and chosen:
        exact = eyes.read(image, scene.quads[chosen]).faces
    for number, face in zip(chosen, exact, strict=True):
        _count_card(seen, scene.quads[number], _face(scene.faces[number]), face, tally)


def _count_card(seen: Detections, truth: Floats, face: Face, on_exact_quad: Face, tally: Tally) -> None:
    tally.cards += 1
    tally.read_on_exact_quads += on_exact_quad == face
    near = [overlap(quad, truth) for quad in seen.quads]
    best = int(np.argmax(near)) if near else -1
    if best >= 0 and near[best] >= FOUND:
        tally.found += 1
        tally.read += seen.faces[best] == face
        tally.corner_errors.append(corner_error(seen.quads[best], truth))


def measure(eyes: Sees, bank: CardBank, count: int, seed: int = 9) -> Tally:
    """The tally over `count` scenes."""
    tally = Tally()
    for scene in scenes(bank, count, seed):
        count_scene(eyes, scene, tally)
    return tally


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the eyes on drawn scenes of unseen decks.")
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=400)
    parser.add_argument("--piles", type=int, default=0, help="also ask for the top card of so many piles")
    parser.add_argument("--fans", type=int, default=0, help="also ask for the cards of so many hands")
    parser.add_argument(
        "--nothing", type=int, default=0, help="also look at so many scenes of things that are no cards"
    )
    parser.add_argument("--seed", type=int, default=33, help="of those scenes: another one draws others")
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    eyes, bank = eyes_from(given.weights), CardBank(given.bank)
    if given.scenes:
        tally = measure(eyes, bank, given.scenes)
        print(f"{tally.cards} cards well seen, {tally.empty_scenes} scenes without cards")
        for name, figure in tally.figures().items():
            print(f"{name}: {figure:.4f}")
    for about, result in trials.report(eyes, bank, given.piles, given.fans, given.nothing, given.seed):
        print(f"{about}: {result}")


if __name__ == "__main__":
    main()
