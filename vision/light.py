"""White balance: a card's own white tells the colour of the light, else the cards beside it do, else the evening.

A card that lies among others, or is half covered, may show no white itself. Then the whites of the cards beside it
count, and where there are none those that were seen at this table before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image

Floats = npt.NDArray[np.float32]

BRIGHTEST: Final = 92
"""Per cent of a card's pixels that are darker than what is taken for its white."""

NEUTRAL: Final = 0.92
"""Weakest by strongest channel of a white that needs no balance."""

COLOURED: Final = 0.4
"""Below this the brightest part is a colour, not white in coloured light."""

DARK: Final = 40
"""A white whose strongest channel is below it tells nothing."""

KEPT: Final = 0.9
"""Part of what was known of the light that stays when a further card is seen: a lamp that is switched is learnt anew
within some twenty cards."""


def white_of(cut: Image) -> Floats:
    """The colour (3,) of the brightest part of a cut-out."""
    small = cv2.resize(cut, (20, 30), interpolation=cv2.INTER_AREA).astype(np.float32).reshape(-1, 3)
    bright = small.sum(axis=1)
    white: Floats = small[bright >= np.percentile(bright, BRIGHTEST)].mean(axis=0)
    return white


def telling(white: Floats) -> bool:
    """Whether a brightest colour (3,) may be white in some light; else it is a colour of print, or darkness."""
    strongest = float(white.max())
    return strongest >= DARK and float(white.min()) >= COLOURED * strongest


def balanced(cut: Image, light: Floats | None = None) -> Image | None:
    """The cut-out in white light; None where it is in white light already, or nobody knows what light it is in.

    `light`: the colour (3,) that white has in the place, for a card that shows no white itself.
    """
    own = white_of(cut)
    white = own if telling(own) else light
    if white is None or float(white.min()) >= NEUTRAL * float(white.max()):
        return None
    return np.asarray((cut * (white.max() / white)).clip(0, 255), np.uint8)


class Light:
    """The colour that white has at one table, learnt from card to card over the evening and forgotten as slowly."""

    def __init__(self) -> None:
        self.white: Floats | None = None

    def learn(self, cuts: Iterable[Image]) -> None:
        """From cut-outs of cards that were surely read; those that show no white tell nothing."""
        for white in filter(telling, map(white_of, cuts)):
            fresh = white / white.max()
            self.white = fresh if self.white is None else KEPT * self.white + (1 - KEPT) * fresh


def among(cuts: Iterable[Image]) -> Floats | None:
    """The colour that white has in one picture, by the cards (their cut-outs) in it that show any."""
    whites = [white / white.max() for white in filter(telling, map(white_of, cuts))]
    return np.median(whites, axis=0).astype(np.float32) if whites else None
