"""Where the camera should go, for somebody who cannot see its picture: from the pile's place in it to a phrase. Pure.

The words take the picture as the person sits: its left is their left, its upper edge away from them. Whoever set the
camera up the other way round hears "left" turn into "further left", and goes the other way.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from vision.detections import Image
from vision.zones import Zone

Advice = Literal["good", "none", "nothing", "left", "right", "up", "down", "small", "large", "dark", "glare"]

ASIDE: Final = 0.22
"""Share of the picture by which the pile may lie beside its middle: the draw pile and the hands want room, too."""
SMALL: Final = 0.07
"""Share of the picture's height below which a card cannot be read for sure."""
LARGE: Final = 0.5
"""The same above which there is no room beside it."""
FLAT: Final = 4.0
"""Grey levels (standard deviation) below which a picture shows nothing."""

DARK: Final = 32
"""Grey level that half of the picture must reach for cards to be read for sure."""
BURNT, GLARING = 252, 0.35
"""Grey level at which a camera cuts the light off, and the share of the pile from which that is glare."""


def framing(image: Image | None, pile: Zone | None) -> Advice:
    """What to do with the camera that sees `image`, (H, W, 3), None when there is none, with the discard pile there."""
    if image is None or float(np.std(image[::8, ::8])) < FLAT:
        return "nothing"
    if float(np.median(image[::8, ::8].max(axis=2))) < DARK:
        return "dark"
    if pile is None:
        return "none"
    if _glares(image, pile):
        return "glare"
    height, width = image.shape[:2]
    if pile.card < SMALL * height:
        return "small"
    if pile.card > LARGE * height:
        return "large"
    across, down = pile.x / width - 0.5, pile.y / height - 0.5
    if max(abs(across), abs(down)) <= ASIDE:
        return "good"
    if abs(across) >= abs(down):
        return "left" if across < 0 else "right"
    return "up" if down < 0 else "down"


def _glares(image: Image, pile: Zone) -> bool:
    """Whether so much of the pile is burnt out that it can be no print: cards are white in part only."""
    around = image[pile.window(image.shape, 0.4)]
    return bool(around.size) and float((around.min(axis=2) >= BURNT).mean()) > GLARING
