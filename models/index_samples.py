"""Cut-outs about the index corners of cards in drawn hands, rows and piles, with the errors of finder and aligner."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import IterableDataset

from datasets.bank import CardBank
from datasets.scenes import Scene, compose
from models import loop
from models.samples import IGNORE, NOTHING, STRAYS, Picture, face_classes, noisy_quad, strays_of, whose
from referee.cards import Rank
from vision.aligner import Aligner, size_of
from vision.eyes import LEAST_THERE
from vision.finder import Finder
from vision.indices import AFTER, BEFORE, cuts_of, ends, square_at
from vision.networks import Network, in_folder
from vision.pyramid import Pyramid
from vision.rectify import Quad, carry, rectangle

SIDES: Final = (400, 480)
KINDS: Final = {
    "fan": 0.34,
    "rows": 0.22,
    "pile": 0.14,
    "scattered": 0.12,
    "held fan": 0.04,
    "table": 0.04,
    "one": 0.04,
    "held": 0.03,
    "nothing": 0.08,
}
FREE: Final = 0.9
COVERED: Final = 0.35
"""An index corner of which more than `FREE` is seen is taught as what it shows, below `COVERED` as none."""

AS_FOUND: Final = 0.6
"""Share of scenes whose quads are what finder and aligner gave; else the truth, shaken."""

NONE_KEPT: Final = 0.45
"""Share of the covered corners that are taught."""

STRAYED: Final = 0.5
"""A corner farther than this from where its cut-out has it, in parts of the side, is not to be found in it."""

LEAST: Final = 44.0
"""Height in px of the smallest cards whose corners are taught."""

MOST: Final = 16
"""Cut-outs of one scene."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A cut-out (64, 64, 3) uint8, class numbers, and where the card's corner is (2,), NaN where it is covered."""

    picture: Picture
    colour: int
    rank: int
    shift: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Seeing:
    """The networks before this one, whose errors are taught."""

    finder: Finder
    aligner: Aligner

    @classmethod
    def of(cls, folder: Path) -> Seeing:
        """Those in a folder, on one thread each."""
        return cls(*(kind(Network(in_folder(name, folder), threads=1)) for name, kind in _PARTS))  # type: ignore[arg-type]

    def quads(self, image: Picture) -> npt.NDArray[np.float32]:
        """What they find in a picture, aligned (n, 4, 2)."""
        pyramid = Pyramid(image)
        quads, there = self.aligner.align(pyramid, self.finder.find(pyramid).quads())
        likely = quads[there >= LEAST_THERE]
        _, again = self.aligner.confirm(pyramid, likely)
        return again.astype(np.float32)


_PARTS: Final = (("finder", Finder), ("aligner", Aligner))


def shaken(rng: np.random.Generator, quad: Quad) -> Quad:
    """A quad with errors as they come about where much of a card is covered."""
    much = 2.0 if rng.random() < 0.3 else 1.0
    size, centre = size_of(quad), quad.mean(axis=0)
    c, s = np.cos(lean := rng.normal(0, 0.04 * much)), np.sin(lean)
    turned = (quad - centre) @ np.array([[c, s], [-s, c]]) * np.exp(rng.normal(0, 0.03 * much)) + centre
    moved = turned + rng.normal(0, 0.025 * size * much, 2) + rng.normal(0, 0.015 * size * much, (4, 2))
    return np.asarray(moved, np.float32)


def pairs(rng: np.random.Generator, scene: Scene, seeing: Seeing | None) -> Iterator[tuple[Quad, int | None]]:
    """Quads with their errors and the numbers of the cards they are of; None of what looks like a card and is none."""
    as_found = seeing is not None and (not len(scene.quads) or rng.random() < AS_FOUND)
    if seeing is None or not as_found:
        for number, quad in enumerate(scene.quads):
            yield (shaken if rng.random() < 0.7 else noisy_quad)(rng, quad), number
        return
    quads = seeing.quads(scene.image)
    for quad in quads:
        if (card := whose(scene, quad)) is not None:
            yield quad, card
    for quad in strays_of(scene, np.concatenate([seeing.finder.find(scene.image).quads(), quads]))[:STRAYS]:
        yield quad, None


def corner_of_none(rng: np.random.Generator, image: Picture, end: Quad) -> Corner:
    """The cut-out at the first corner of a quad that is of no card."""
    picture = cuts_of(image, [square_at(end, *rng.normal(0, 0.012, 2))])[0]
    return Corner(picture, IGNORE, NOTHING, np.full(2, np.nan, np.float32))


def corner_of(rng: np.random.Generator, scene: Scene, number: int | None, end: Quad) -> Corner | None:
    """The cut-out at the first corner of a quad that is of a card; None where nothing is to be learnt."""
    if number is None:
        return corner_of_none(rng, scene.image, end) if size_of(end) >= LEAST else None
    card, truth = scene.faces[number], scene.quads[number]
    if size_of(truth) < LEAST or (card is not None and card.rank is Rank.CUSTOMIZABLE):
        return None
    far = np.linalg.norm(truth[[0, 2]] - end[0], axis=1)
    which = int(np.argmin(far))
    seen = float(scene.indices[number, which])
    square = square_at(end, *rng.normal(0, 0.012, 2))
    where = carry(truth[[0, 2]][which][None], np.linalg.inv(onto_square(square)))[0]
    shift = where - np.float32(BEFORE / (BEFORE + AFTER))
    free = seen > FREE and bool(np.abs(shift).max() < STRAYED * 0.6)
    if not free and (seen >= COVERED or rng.random() > NONE_KEPT):
        return None
    picture = cuts_of(scene.image, [square])[0]
    if card is None or not free:
        return Corner(picture, IGNORE, NOTHING, np.full(2, np.nan, np.float32))
    colour, rank = face_classes(card)
    return Corner(picture, colour, rank, shift.astype(np.float32))


def onto_square(square: Quad) -> npt.NDArray[np.float64]:
    """The homography from the unit square onto a square."""
    return np.asarray(cv2.getPerspectiveTransform(rectangle(1, 1), square.astype(np.float32)), np.float64)


def draw(rng: np.random.Generator, bank: CardBank, seeing: Seeing | None = None) -> Iterator[Corner]:
    """The cut-outs of one scene."""
    names, weights = list(KINDS), np.array(list(KINDS.values()))
    scene = compose(rng, bank, int(rng.choice(SIDES)), str(rng.choice(names, p=weights / weights.sum())))
    both = [(end, number) for quad, number in pairs(rng, scene, seeing) for end in ends(quad)]
    rng.shuffle(both)
    made = 0
    for end, number in both:
        corner = corner_of(rng, scene, number, end) if made < MOST else None
        if corner is not None:
            made += 1
            yield corner


class Corners(IterableDataset[dict[str, Tensor]]):
    """Endless cut-outs as tensors; `networks` is a folder of finder and aligner, whose errors are taught."""

    def __init__(self, bank: Path, seed: int, networks: Path | None, times: int = 1, alike: float = 0.0) -> None:
        self.bank, self.seed, self.networks, self.times, self.alike = bank, seed, networks, times, alike

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = torch.utils.data.get_worker_info()
        bank, seeing = CardBank(self.bank, self.alike), Seeing.of(self.networks) if self.networks else None
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        scenes = (draw(rng, bank, seeing) for _ in itertools.count())
        corners = (as_tensors(corner) for scene in scenes for corner in scene)
        yield from loop.replayed(rng, corners, self.times, kept=4096)


def as_tensors(corner: Corner) -> dict[str, Tensor]:
    """The tensors of one cut-out."""
    return {
        "picture": torch.from_numpy(np.ascontiguousarray(corner.picture)),
        "colour": torch.tensor(corner.colour),
        "rank": torch.tensor(corner.rank),
        "shift": torch.from_numpy(corner.shift),
    }
