"""The reader: which face an upright cut-out shows, and how surely."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Colour, Rank
from vision.detections import BACK, Face, Image
from vision.engines import Outputs
from vision.light import Light, among, balanced, light_on, white_of
from vision.networks import Network
from vision.pyramid import Pyramid
from vision.rectify import cuts

Floats = npt.NDArray[np.float32]
Shares = tuple[Floats, Floats, Floats]
"""Probabilities of colours, ranks and outcomes."""

SIZE: Final = (80, 120)
"""Width and height px of the cut-out that the network sees."""

BATCH: Final = 32

LIT_SURELY: Final = 0.98
"""Cards read at least so surely tell the colour of the light to others."""

_COLOURS: Final = {colour: number for number, colour in enumerate(Colour)}
_RANKS: Final = {rank: number for number, rank in enumerate(Rank)}
_WILD: Final = len(Colour)
_BACK: Final = len(Rank)
_NOTHING: Final = len(Rank) + 1
_FACE_COLOUR: Final = np.array([_WILD if card.colour is None else _COLOURS[card.colour] for card in FACES])
_FACE_RANK: Final = np.array([_RANKS[card.rank] for card in FACES])

OUTCOMES: Final[tuple[Face, ...]] = (*FACES, BACK, None)
"""What a cut-out can be: the faces, a back, or no card of ours (None)."""


OUTCOME_COLOUR: Final = np.array([*_FACE_COLOUR, -1, -1])
OUTCOME_RANK: Final = np.array([*_FACE_RANK, _BACK, _NOTHING])
"""The numbers of the colour (-1: any) and of the rank of each outcome."""


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What n cut-outs show.

    outcomes: (n, 58) probabilities over `OUTCOMES`; colours (n, 5): red, yellow, green, blue, wild; ranks (n, 19).
    turned: what the less sure way up gives the likeliest outcome, its colour and its rank, (n, 3).
    features: (n, 160), what the network sees before it decides; empty (n, 0) where the network does not tell.
    remembered: (n,) how far a deck that was shown once decided instead of the network, 0 to 1.
    """

    outcomes: Floats
    colours: Floats
    ranks: Floats
    turned: Floats
    features: Floats
    remembered: Floats

    @classmethod
    def none(cls) -> Readings:
        """Of no cut-out at all."""
        outcomes, colours, ranks, turned, features = (
            np.zeros((0, width), np.float32) for width in (len(OUTCOMES), len(Colour) + 1, len(Rank) + 2, 3, 0)
        )
        return cls(outcomes, colours, ranks, turned, features, np.zeros(0, np.float32))

    def pick(self, which: npt.NDArray[np.intp]) -> Readings:
        """Those at the indices `which`."""
        parts = (self.outcomes, self.colours, self.ranks, self.turned, self.features, self.remembered)
        return Readings(*(part[which] for part in parts))

    def and_of(self, other: Readings) -> Readings:
        """Both, one after the other."""
        if not len(self.outcomes) or not len(other.outcomes):
            return self if len(self.outcomes) else other
        names = [field.name for field in dataclasses.fields(self)]
        return Readings(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))

    @property
    def likeliest(self) -> npt.NDArray[np.intp]:
        """The index in `OUTCOMES` (n,) of what is likeliest."""
        indices: npt.NDArray[np.intp] = self.outcomes.argmax(axis=1)
        return indices

    @property
    def faces(self) -> tuple[Face, ...]:
        """The likeliest outcome of each; None: no card of ours."""
        return tuple(OUTCOMES[index] for index in self.likeliest)

    @property
    def sure(self) -> Floats:
        """The probability of the likeliest outcome, of its colour and of its rank, (n, 3)."""
        return chances(self.outcomes, self.colours, self.ranks, self.likeliest)


def chances(outcomes: Floats, colours: Floats, ranks: Floats, which: npt.NDArray[np.intp]) -> Floats:
    """What the tables give the outcomes `which` (n,), their colour and their rank, (n, 3). A back has any colour."""
    row = np.arange(len(which))
    coloured = OUTCOME_COLOUR[which] >= 0
    colour = np.where(coloured, colours[row, OUTCOME_COLOUR[which]], 1)
    table = (outcomes[row, which], colour, ranks[row, OUTCOME_RANK[which]])
    return np.stack(table, axis=1).astype(np.float32)


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
    """Reads quads with a network of shape (n, 120, 80, 3) uint8 to (n, 24) logits; see `models.networks.Reader`.

    `temperatures` of colour and rank divide the logits: an over-sure network is calmed. `light`, if set, is learnt from
    picture to picture and used for cards that show no white: for a camera that looks at one table, not for pictures
    that have nothing to do with each other.
    """

    def __init__(self, network: Network, temperatures: tuple[float, float] = (1.0, 1.0)) -> None:
        self.network, self.temperatures = network, temperatures
        self.light: Light | None = None

    @classmethod
    def load(cls) -> Reader:
        """With the shipped weights."""
        return cls(Network.named("reader"))

    def read(self, image: Image | Pyramid, quads: Floats, learns: bool = True) -> Readings:
        """What the quads (n, 4, 2) px of a picture show; see `named`."""
        return self.named(self.cuts(image, quads), learns)

    @staticmethod
    def cuts(image: Image | Pyramid, quads: Floats) -> Image:
        """The upright cut-outs (n, 120, 80, 3) of quads."""
        return cuts(image, quads, SIZE)[0]

    def named(self, cuts: Image, learns: bool = True) -> Readings:
        """What upright cut-outs show.

        Each is read both ways up, as cards look the same turned; in coloured light also as it would look in white.
        learns: whether the light of the table is learnt from them; not where they are several of one card.
        """
        if not len(cuts):
            return Readings.none()
        outs = self._both_ways(cuts)
        ways = np.concatenate([out[0] for out in outs]).reshape(2, len(cuts), -1)
        together, each = self._shares_of(ways)
        white = self._in_white_light(cuts, together[2], learns)
        if white:
            again = np.concatenate([out[0] for out in self._both_ways(np.stack(list(white.values())))])
            ways[:, list(white)] = (ways[:, list(white)] + again.reshape(2, len(white), -1)) / 2
            together, each = self._shares_of(ways)
        colours, ranks, outcomes = together
        which = np.tile(outcomes.argmax(axis=1), 2)
        alone = chances(each[2], each[0], each[1], which).reshape(2, len(cuts), 3)
        turned, features = np.minimum(*alone), features_of(outs, len(cuts))
        return Readings(outcomes, colours, ranks, turned, features, np.zeros(len(cuts), np.float32))

    def _in_white_light(self, cuts: Image, outcomes: Floats, learns: bool) -> dict[int, Image]:
        """Those cut-outs that stand in coloured light, as they would look in white, by their number."""
        whites = [white_of(cut) for cut in cuts]
        sure = outcomes[:, : len(FACES)].max(axis=1) >= LIT_SURELY
        known = [white for white, certain in zip(whites, sure, strict=True) if certain]
        if self.light and learns:
            self.light.learn(known)
        others = among(known)
        if others is None and self.light:
            others = self.light.white
        pictures = (balanced(cut, light_on(white, others)) for cut, white in zip(cuts, whites, strict=True))
        return {number: picture for number, picture in enumerate(pictures) if picture is not None}

    def _both_ways(self, cuts: Image) -> list[Outputs]:
        """The network's outputs for cut-outs, then for the same turned."""
        both = np.concatenate([cuts, cuts])
        for upright, turned in zip(cuts, both[len(cuts) :], strict=True):
            cv2.rotate(upright, cv2.ROTATE_180, turned)
        return [self.network.outputs(both[at : at + BATCH]) for at in range(0, len(both), BATCH)]

    def _shares_of(self, ways: Floats) -> tuple[Shares, Shares]:
        """What the mean of both ways up (2, n, 24) says of n cut-outs, and of 2 n what each way says alone."""
        count = ways.shape[1]
        colours, ranks, outcomes = self._shares(np.concatenate([ways.mean(axis=0), *ways]))
        return (colours[:count], ranks[:count], outcomes[:count]), (colours[count:], ranks[count:], outcomes[count:])

    def _shares(self, logits: Floats) -> Shares:
        """Logits (n, 24) to the probabilities of colours, ranks and outcomes."""
        colours = softmax(logits[:, : _WILD + 1] / self.temperatures[0])
        ranks = softmax(logits[:, _WILD + 1 :] / self.temperatures[1])
        return colours, ranks, joined(colours, ranks)


def features_of(outs: list[Outputs], count: int) -> Floats:
    """The second output of the network, the mean of both ways up; (n, 0) where it has none."""
    if len(outs[0]) < 2:
        return np.zeros((count, 0), np.float32)
    both = np.concatenate([out[1] for out in outs]).reshape(2, count, -1)
    return np.asarray(both.mean(axis=0), np.float32)
