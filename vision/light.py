"""White balance of one card: its own white border or oval tells the colour of the light."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.detections import Image

BRIGHTEST: Final = 92
"""Per cent of a card's pixels that are darker than what is taken for its white."""

NEUTRAL: Final = 0.92
"""Weakest by strongest channel of a white that needs no balance."""

COLOURED: Final = 0.4
"""Below this the brightest part is a colour, not white in coloured light."""

DARK: Final = 40
"""A white whose strongest channel is below it tells nothing."""


def white_of(cut: Image) -> npt.NDArray[np.float32]:
    """The colour (3,) of the brightest part of a cut-out."""
    small = cv2.resize(cut, (20, 30), interpolation=cv2.INTER_AREA).astype(np.float32).reshape(-1, 3)
    bright = small.sum(axis=1)
    white: npt.NDArray[np.float32] = small[bright >= np.percentile(bright, BRIGHTEST)].mean(axis=0)
    return white


def balanced(cut: Image) -> Image | None:
    """The cut-out in white light; None where it is in white light already, or shows no white."""
    white = white_of(cut)
    strongest = float(white.max())
    share = float(white.min()) / max(strongest, 1.0)
    if strongest < DARK or not COLOURED <= share < NEUTRAL:
        return None
    return np.asarray((cut * (strongest / white)).clip(0, 255), np.uint8)
