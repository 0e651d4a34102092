"""The reader: which face an upright cut-out shows, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Colour, Rank
from vision.detections import BACK, Face, Image
from vision.networks import Network
from vision.rectify import cut

Floats = npt.NDArray[np.float32]

SIZE: Final = (80, 120)
"""Width and height px of the cut-out that the network sees."""

BATCH: Final = 32

_COLOURS: Final = {colour: number for number, colour in enumerate(Colour)}
_RANKS: Final = {rank: number for number, rank in enumerate(Rank)}
_WILD: Final = len(Colour)
_BACK: Final = len(Rank)
_NOTHING: Final = len(Rank) + 1
_FACE_COLOUR: Final = np.array([_WILD if card.colour is None else _COLOURS[card.colour] for card in FACES])
_FACE_RANK: Final = np.array([_RANKS[card.rank] for card in FACES])

OUTCOMES: Final[tuple[Face, ...]] = (*FACES, BACK, None)
"""What a cut-out can be: the faces, a back, or no card of ours (None)."""


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What n cut-outs show.

    outcomes: (n, 58) probabilities over `OUTCOMES`; colours (n, 5): red, yellow, green, blue, wild; ranks (n, 19).
    """

    outcomes: Floats
    colours: Floats
    ranks: Floats

    @property
    def faces(self) -> tuple[Face, ...]:
        """The likeliest outcome of each; None: no card of ours."""
        return tuple(OUTCOMES[index] for index in self.outcomes.argmax(axis=1))

    @property
    def confidences(self) -> Floats:
        """The probability (n,) of the likeliest outcome."""
        surest: Floats = self.outcomes.max(axis=1, initial=0.0)
        return surest


def softmax(logits: Floats) -> Floats:
    """Logits to probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares


def joined(colours: Floats, ranks: Floats) -> Floats:
    """(n, 5) and (n, 19) probabilities to (n, 58) over `OUTCOMES`; impossible pairs count for nothing."""
    faces = colours[:, _FACE_COLOUR] * ranks[:, _FACE_RANK]
    table = np.concatenate([faces, ranks[:, _BACK : _BACK + 1], ranks[:, _NOTHING:]], axis=1)
    shares: Floats = (table / table.sum(axis=1, keepdims=True).clip(1e-9)).astype(np.float32)
    return shares


class Reader:
    """Reads quads with a network of shape (n, 120, 80, 3) uint8 to (n, 24) logits; see `models.networks.Reader`."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @classmethod
    def load(cls) -> Reader:
        """With the shipped weights."""
        return cls(Network.named("reader.onnx"))

    def read(self, image: Image, quads: Floats) -> Readings:
        """What the quads (n, 4, 2) px of a picture show; each is read both ways up, as cards look the same turned."""
        count = len(quads)
        if not count:
            return Readings(*(np.zeros((0, width), np.float32) for width in (len(OUTCOMES), 5, 19)))
        cuts = np.stack([cut(image, quad, SIZE)[0] for quad in quads])
        both = np.concatenate([cuts, cuts[:, ::-1, ::-1]])
        outs = [self.network.run(np.ascontiguousarray(both[at : at + BATCH])) for at in range(0, len(both), BATCH)]
        each_way = np.concatenate(outs)
        logits: Floats = (each_way[:count] + each_way[count:]) * np.float32(0.5)
        colours, ranks = softmax(logits[:, : _WILD + 1]), softmax(logits[:, _WILD + 1 :])
        return Readings(joined(colours, ranks), colours, ranks)
