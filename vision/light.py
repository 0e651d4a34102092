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

UNCOLOURED: Final = 2
"""Difference of the channels up to which a pixel is grey."""

KEPT: Final = 0.9
"""Part of what was known of the light that stays when a further card is seen: a lamp that is switched is learnt anew
within some twenty cards."""


def white_of(cut: Image) -> Floats:
    """The colour (3,) of the brightest part of a cut-out."""
    small = cv2.resize(cut, (20, 30), interpolation=cv2.INTER_AREA).astype(np.float32).reshape(-1, 3)
    bright = small.sum(axis=1)
    place = -(-BRIGHTEST * (len(bright) - 1) // 100)
    white: Floats = small[bright >= np.partition(bright, place)[place]].mean(axis=0)
    return white


def telling(white: Floats) -> bool:
    """Whether a brightest colour (3,) may be white in some light; else it is a colour of print, or darkness."""
    strongest = float(white.max())
    return strongest >= DARK and float(white.min()) >= COLOURED * strongest


def light_on(own: Floats, others: Floats | None = None) -> Floats | None:
    """The colour (3,) of white on a card whose brightest colour is `own`; that of `others` where it shows no white."""
    return own if telling(own) else others


def balanced(cut: Image, white: Floats | None) -> Image | None:
    """The cut-out in white light; None where `white` (3,) is white already, or nobody knows it."""
    if white is None or float(white.min()) >= NEUTRAL * float(white.max()):
        return None
    return np.asarray((cut * (white.max() / white)).clip(0, 255), np.uint8)


class Light:
    """The colour that white has at one table, learnt from card to card over the evening and forgotten as slowly."""

    def __init__(self) -> None:
        self.white: Floats | None = None

    def learn(self, whites: Iterable[Floats]) -> None:
        """From the brightest colours of cards that were surely read; those that may be no white tell nothing."""
        for white in filter(telling, whites):
            fresh = white / white.max()
            self.white = fresh if self.white is None else KEPT * self.white + (1 - KEPT) * fresh


def is_grey(image: Image) -> bool:
    """Whether a picture has no colours at all, as at night or from a copier; a camera's greys are never so even."""
    height, width = image.shape[:2]
    few = image[:: max(1, height // 32), :: max(1, width // 32)]  # tells at once of nearly every picture
    return all(_grey(part) for part in (few, *np.array_split(image, 1 + height // 512)))


def _grey(image: Image) -> bool:
    pixels = image.reshape(-1, 3).astype(np.int16)
    return bool(np.abs(pixels[:, 1:] - pixels[:, :1]).max(initial=0) <= UNCOLOURED)


def among(whites: Iterable[Floats]) -> Floats | None:
    """The colour that white has in one picture, by the brightest colours of the cards in it."""
    known = [white / white.max() for white in filter(telling, whites)]
    return np.median(known, axis=0).astype(np.float32) if known else None
