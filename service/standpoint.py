"""How the camera stood when it last saw the piles, kept as landmarks of the table: no picture is stored.

The piles themselves are left out: their cards change. A table without a pattern has no landmarks, and nothing is told.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from vision.detections import Image
from vision.knocks import WIDTH, Landmarks, Shift, landmarks, shift_of
from vision.zones import Zones

KEPT: Final = 160
"""Landmarks that are kept."""
LEAST: Final = 50
"""Fewer tell nothing."""
AROUND: Final = 1.3
"""Card heights around the piles within which there are none."""
MOVED: Final = 0.03
"""Share of the picture's width by which some corner must lie elsewhere."""


def standpoint(image: Image, zones: Zones) -> dict[str, Any]:
    """What to keep of a picture (H, W, 3) with the piles there; empty when the table shows too little."""
    found, scale = landmarks(image), max(1.0, image.shape[1] / WIDTH)
    piles = [zone for zone in (zones.discard, zones.draw) if zone is not None]
    away = [all(zone.distance((x * scale, y * scale)) > AROUND for zone in piles) for x, y in found.places]
    chosen = np.flatnonzero(away)[:KEPT]
    if len(chosen) < LEAST:
        return {}
    places = found.places[chosen].round(1).tolist()
    words = binascii.b2a_base64(found.words[chosen].tobytes(), newline=False).decode("ascii")
    return {"width": image.shape[1], "height": image.shape[0], "places": places, "words": words}


def moved_since(kept: Mapping[str, Any], image: Image) -> Shift | None:
    """Where things are seen now that were seen elsewhere when `kept` was taken; None: where they were, or unknown."""
    before = _landmarks(kept)
    if before is None or (kept.get("height"), kept.get("width")) != image.shape[:2]:
        return None
    found = shift_of(before, landmarks(image), image.shape)
    return None if found is None or found.is_nothing(image.shape, 0.01 * image.shape[1]) else found


def has_moved(kept: Mapping[str, Any], image: Image) -> bool:
    """Whether the camera that sees `image` stands otherwise than the one that `kept` was taken from.

    False, too, when nothing is kept, or the pictures are of another size.
    """
    before = _landmarks(kept)
    if before is None or (kept.get("height"), kept.get("width")) != image.shape[:2]:
        return False
    found = shift_of(before, landmarks(image), image.shape)
    return found is None or not found.is_nothing(image.shape, MOVED * image.shape[1])


def _landmarks(kept: Mapping[str, Any]) -> Landmarks | None:
    try:
        words = np.frombuffer(binascii.a2b_base64(str(kept["words"])), np.uint8).reshape(-1, 32)
        places = np.array(kept["places"], np.float32).reshape(-1, 2)
    except (KeyError, ValueError, TypeError):
        return None
    return Landmarks(places, words) if len(places) == len(words) >= LEAST else None
