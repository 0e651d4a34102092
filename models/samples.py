"""Cut-outs for the aligner and the reader, out of drawn scenes, with the errors that finder and aligner make."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import IterableDataset

from datasets.backgrounds import background
from datasets.bank import CardBank
from datasets.degrade import camera
from datasets.letters import LETTERED, lettered
from datasets.negatives import distractor
from datasets.scenes import KINDS, Scene, compose
from datasets.warp import paste
from models import loop
from models.networks import ALIGNER_SIDE, COLOURS, READER_SIZE
from referee.cards import Card, Colour, Rank
from vision.aligner import MARGIN, size_of, square_about, upright
from vision.finder import Finder
from vision.networks import Network
from vision.overlaps import overlap
from vision.rectify import ASPECT, Quad, carry, cut, quad_of, sides

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDES: Final = (320, 400)
"""Sizes of the scenes that cut-outs are taken from."""

SEEN: Final = 0.22
"""How much of a card must be visible at least for it to be taught."""

FACE_SEEN: Final = 0.5
"""How much of it for its face to be taught; less, when one of its index corners is free."""

BACK: Final = len(Rank)
NOTHING: Final = len(Rank) + 1
IGNORE: Final = -100
MOST: Final = 3
"""Cards taken from one scene; twice as many where a finder has looked at it, which takes time."""

SKIPPED: Final = ("nothing",)
"""Kinds of scenes that are left out where no finder says what in them looks like a card."""

CROWDED: Final = {"pile": 2.0, "table": 1.5, "fan": 2.0, "held fan": 0.7, "rows": 2.0, "nothing": 2.0}
"""How much oftener than in `scenes.KINDS` these are drawn where a finder's own boxes are taught."""

STRAY: Final = 0.1
STRAYS: Final = 4
"""A box that overlaps every card less is of none, and so many of a scene are taught as none."""

AS_FOUND: Final = 0.6
"""Share of cards that are then cut out as the finder found them."""

BOXED: Final = 0.3
"""Overlap of a box and a card from which the box may be of that card."""
_RANKS: Final = {rank: number for number, rank in enumerate(Rank)}
_COLOURS: Final = {colour: number for number, colour in enumerate(Colour)}


@dataclass(frozen=True, slots=True)
class Sample:
    """One card (or none) as both networks see it.

    square (96, 96, 3) and upright (120, 80, 3) uint8 BGR; place (13,) float32, NaN where unknown; there, colour, rank
    class numbers (IGNORE where it does not count).
    """

    square: Picture
    place: npt.NDArray[np.float32]
    there: int
    upright: Picture
    colour: int
    rank: int


def face_classes(card: Card | None) -> tuple[int, int]:
    """Class numbers (colour, rank) of a face; None is a back."""
    if card is None:
        return IGNORE, BACK
    return (COLOURS - 1 if card.colour is None else _COLOURS[card.colour]), _RANKS[card.rank]


def angle_of(quad: Quad) -> float:
    """How far the card's top edge is turned clockwise from level, radians."""
    across = quad[1] - quad[0] + quad[2] - quad[3]
    return float(np.arctan2(across[1], across[0]))


def noisy_square(rng: np.random.Generator, quad: Quad) -> Quad:
    """The square that a finder with its usual errors would have cut about a card."""
    kind = rng.random()
    lean = rng.normal(0, 0.1) if kind < 0.5 else rng.normal(0, 0.45) if kind < 0.8 else rng.uniform(-np.pi, np.pi)
    spread = 0.035 if kind < 0.4 else 0.08
    size = size_of(quad)
    x, y = quad.mean(axis=0) + rng.normal(0, spread * size, 2)
    side = size * MARGIN * float(np.exp(rng.normal(0, 0.05 if kind < 0.4 else 0.14)))
    flip = np.pi if rng.random() < 0.5 else 0.0
    return quad_of(x, y, side, side, angle_of(quad) + float(lean) + flip)


def place(quad: Quad, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The aligner's target (13,) for a card's quad: NaN for the corners when it is leant too far."""
    inside: Quad = carry(quad, matrix) / np.float32(ALIGNER_SIDE) - np.float32(0.5)
    angle = angle_of(inside)
    if abs(angle) > np.pi / 2:
        inside = np.roll(inside, 2, axis=0)
        angle = angle_of(inside)
    centre = inside.mean(axis=0)
    corners = inside.ravel() if abs(angle) < np.pi / 3 else np.full(8, np.nan)
    rectangle_part = [centre[0], centre[1], np.log(size_of(inside)), np.cos(2 * angle), np.sin(2 * angle)]
    return np.concatenate([rectangle_part, corners]).astype(np.float32)


def noisy_quad(rng: np.random.Generator, quad: Quad) -> Quad:
    """A quad as the aligner would give it, its first corner at either end of the card."""
    size = size_of(quad)
    rough = 2.2 if rng.random() < 0.15 else 1.0
    centre = quad.mean(axis=0)
    grown = centre + (quad - centre) * float(np.exp(rng.normal(0, 0.025 * rough)))
    moved = grown + rng.normal(0, 0.012 * size * rough, 2) + rng.normal(0, 0.014 * size * rough, (4, 2))
    begun: Quad = (np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved).astype(np.float32)
    return begun


def boxes_of(scene: Scene, boxes: Floats) -> dict[int, list[Quad]]:
    """The squares that the finder's boxes (n, 4, 2) lead to, by the card of which each box is."""
    told: dict[int, list[Quad]] = {}
    for box in boxes:
        if (number := whose(scene, box)) is not None:
            told.setdefault(number, []).append(square_about(upright(box)))
    return told


def strays_of(scene: Scene, boxes: Floats) -> list[Quad]:
    """Those of the finder's boxes (n, 4, 2) that are of no card, upright."""
    shared = (max((overlap(box, card) for card in scene.quads), default=0.0) for box in boxes)
    return [upright(box) for box, part in zip(boxes, shared, strict=True) if part < STRAY]


def whose(scene: Scene, quad: Quad) -> int | None:
    """The number of the card that a quad with errors is of; None where it is of none.

    One that lies between two cards is of the one that is seen best: of a pile that is the top.
    """
    shared = np.array([overlap(quad, card) for card in scene.quads])
    if not len(shared) or shared.max() < BOXED:
        return None
    return int(np.argmax(shared**4 * np.sqrt(scene.visible)))


def of_card(
    rng: np.random.Generator, scene: Scene, number: int, readable: bool, found: list[Quad] | None = None
) -> Sample:
    """The sample of one card in a scene; its face is taught where it is `readable`.

    `found`: squares that the finder led to, one of which is cut out mostly; else one as a finder might give it.
    """
    image, quad, card = scene.image, scene.quads[number], scene.faces[number]
    as_found = found and rng.random() < AS_FOUND
    about = found[int(rng.integers(len(found)))] if found and as_found else noisy_square(rng, quad)
    square, matrix = cut(image, about, (ALIGNER_SIDE, ALIGNER_SIDE))
    upright, _ = cut(image, noisy_quad(rng, quad), READER_SIZE)
    colour, rank = face_classes(card) if readable else (IGNORE, IGNORE)
    return Sample(square, place(quad, matrix), 1, upright, colour, rank)


def of_nothing(rng: np.random.Generator, image: Picture, quad: Quad, found: bool = False) -> Sample:
    """The sample of a place where no card of ours lies; where a finder `found` one, cut out mostly as it found it."""
    about = square_about(quad) if found and rng.random() < AS_FOUND else noisy_square(rng, quad)
    square, _ = cut(image, about, (ALIGNER_SIDE, ALIGNER_SIDE))
    upright, _ = cut(image, noisy_quad(rng, quad), READER_SIZE)
    return Sample(square, np.full(13, np.nan, np.float32), 0, upright, IGNORE, NOTHING)


def foreign(rng: np.random.Generator) -> Sample:
    """A thing that is no card of ours, or plain background, cut out as a card would be."""
    side = int(rng.integers(120, 320))
    image = (lettered if rng.random() < LETTERED else background)(rng, side, side)
    height = side * rng.uniform(0.3, 0.6)
    quad = quad_of(side / 2, side / 2, height * ASPECT, height, rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.65:
        sprite = distractor(rng, max(40, round(height)))
        width = height * sprite.shape[1] / sprite.shape[0]
        quad = quad_of(side / 2, side / 2, width, height, rng.uniform(0, 2 * np.pi))
        paste(image, sprite, quad)
    return of_nothing(rng, camera(rng, image, rng.uniform(0.1, 1)), quad)


def far_from_cards(rng: np.random.Generator, scene: Scene) -> Quad | None:
    """A place in a scene that holds less than the middle of any card."""
    side = len(scene.image)
    x, y = rng.uniform(0, side, 2)
    height = rng.uniform(0.1, 0.6) * side
    quad = quad_of(x, y, height * ASPECT, height, rng.uniform(0, 2 * np.pi))
    near = [np.linalg.norm(card.mean(axis=0) - (x, y)) < 0.75 * max(height, size_of(card)) for card in scene.quads]
    return None if any(near) else quad


def usable(scene: Scene) -> list[int]:
    """The cards of a scene that are seen well enough to learn from."""
    side = len(scene.image)
    fit = []
    for number, (quad, seen) in enumerate(zip(scene.quads, scene.visible, strict=True)):
        middle = quad.mean(axis=0)
        inside = bool((middle > 0).all() and (middle < side).all())
        if inside and seen >= SEEN and size_of(quad) >= 24 and min(sides(quad)) >= 12:
            fit.append(number)
    return fit


def draw(rng: np.random.Generator, bank: CardBank, finder: Finder | None = None) -> Iterator[Sample]:
    """The samples of one scene; with a finder, the aligner is taught what that finder gives it."""
    names = [name for name in KINDS if finder or name not in SKIPPED]
    weights = np.array([KINDS[name][1] * (CROWDED.get(name, 1.0) if finder else 1.0) for name in names])
    scene = compose(rng, bank, int(rng.choice(SIDES)), str(rng.choice(names, p=weights / weights.sum())))
    chosen = usable(scene)
    rng.shuffle(chosen)
    boxes = finder.find(scene.image).quads() if finder else np.zeros((0, 4, 2), np.float32)
    found, strays = boxes_of(scene, boxes), strays_of(scene, boxes)
    for number in chosen[: MOST * 2 if finder else MOST]:
        readable = bool(scene.visible[number] >= FACE_SEEN or scene.index[number] > 0.9)
        yield of_card(rng, scene, number, readable, found.get(number))
    for stray in strays[:STRAYS]:
        yield of_nothing(rng, scene.image, stray, found=True)
    if rng.random() < 0.12 and (quad := far_from_cards(rng, scene)) is not None:
        yield of_nothing(rng, scene.image, quad)
    if rng.random() < 0.2:
        yield foreign(rng)


class Samples(IterableDataset[dict[str, Tensor]]):
    """Endless samples as tensors; `finder` is the file of a trained one, whose boxes are taught, too."""

    def __init__(self, bank: Path, seed: int, finder: Path | None = None, times: int = 1, alike: float = 0.0) -> None:
        self.bank, self.seed, self.finder, self.times, self.alike = bank, seed, finder, times, alike

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = torch.utils.data.get_worker_info()
        bank, finder = CardBank(self.bank, self.alike), Finder(Network(self.finder, threads=1)) if self.finder else None
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        scenes = (draw(rng, bank, finder) for _ in itertools.count())
        samples = (as_tensors(sample) for scene in scenes for sample in scene)
        yield from loop.replayed(rng, samples, self.times)


def as_tensors(sample: Sample) -> dict[str, Tensor]:
    """The tensors of one sample."""
    return {
        "square": torch.from_numpy(np.ascontiguousarray(sample.square)),
        "place": torch.from_numpy(sample.place),
        "there": torch.tensor(float(sample.there)),
        "upright": torch.from_numpy(np.ascontiguousarray(sample.upright)),
        "colour": torch.tensor(sample.colour),
        "rank": torch.tensor(sample.rank),
    }
