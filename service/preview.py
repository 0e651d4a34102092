"""What the camera sees, for the host's page: the newest frame cards and piles outlined, as JPEG when asked for.

One frame and what was seen in it are kept in memory, nothing else, nothing on disk; nothing is drawn or coded while
nobody looks.
"""

from __future__ import annotations

import threading
import time
from typing import Final

import cv2
import numpy as np

from referee.cards import Card, Colour
from vision.detections import BACK, Detection, Detections, Image
from vision.zones import Zone, Zones

WIDTH: Final = 960
"""Width to which a larger picture is brought before it is sent, px."""
NEAR: Final = 0.5
"""Card heights from the middle of a pile within which a card lies on it."""

BGR: Final = {
    Colour.RED: (40, 40, 230),
    Colour.YELLOW: (30, 210, 255),
    Colour.GREEN: (80, 190, 70),
    Colour.BLUE: (230, 130, 30),
    None: (255, 255, 255),
}
BLACK: Final = (0, 0, 0)


class Preview:
    """The newest frame of one source; filled by the camera's thread, read by the server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._cards, self._zones = Detections.empty(), Zones()
        self._number = 0
        self._shown_at: float | None = None
        self._coded: tuple[int, bytes] | None = None

    @property
    def number(self) -> int:
        """Rises with every frame."""
        return self._number

    @property
    def seconds_ago(self) -> float | None:
        """When the newest frame came; None before the first."""
        return None if self._shown_at is None else round(time.monotonic() - self._shown_at, 1)

    @property
    def seen(self) -> tuple[Image | None, Zones]:
        """The newest frame, or None when there is none, and where its piles lie."""
        with self._lock:
            return self._image, self._zones

    @property
    def card_lies(self) -> bool:
        """Whether a card lay face up on the discard pile when the eyes looked last."""
        with self._lock:
            zone = self._zones.discard
            faces = [card for card in self._cards if card.face != BACK]
        return zone is not None and any(zone.distance(card.centre) <= NEAR for card in faces)

    def show(self, image: Image, cards: Detections, zones: Zones) -> None:
        """A new frame (H, W, 3) with the cards last seen, in its pixels, and the piles."""
        with self._lock:
            self._image, self._cards, self._zones = image, cards, zones
            self._shown_at = time.monotonic()
            self._number += 1

    def end(self) -> None:
        """There is no picture any more."""
        with self._lock:
            self._image, self._coded = None, None
            self._number += 1

    def jpeg(self) -> bytes | None:
        """The newest frame as JPEG, or None when there is none."""
        with self._lock:
            image, cards, zones, number, coded = self._image, self._cards, self._zones, self._number, self._coded
        if image is None:
            return None
        if coded is None or coded[0] != number:
            picture = with_zones(drawn(image, cards), zones)
            coded = (number, encoded(picture))
            with self._lock:
                self._coded = coded if self._number == number else self._coded
        return coded[1]


def encoded(picture: Image) -> bytes:
    """`picture`, at most `WIDTH` wide, as JPEG."""
    height, width = picture.shape[:2]
    if width > WIDTH:
        smaller = (WIDTH, max(1, round(height * WIDTH / width)))
        picture = cv2.resize(picture, smaller, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(coded).tobytes() if done else b""


def drawn(image: Image, cards: Detections) -> Image:
    """A copy of `image` (H, W, 3) with the quads of `cards` and what each shows."""
    picture = image.copy()
    for card in cards:
        _draw_card(picture, card, _thickness(image))
    return picture


def with_zones(picture: Image, zones: Zones) -> Image:
    """`picture` with the piles circled, drawn into it."""
    for zone in filter(None, (zones.discard, zones.draw)):
        _draw_zone(picture, zone, _thickness(picture))
    return picture


def _thickness(image: Image) -> int:
    return max(1, round(float(max(image.shape[:2])) / 400))


def _draw_card(picture: Image, card: Detection, thickness: int) -> None:
    corners = card.quad.round().astype(np.int32)
    colour = BGR[card.face.colour if isinstance(card.face, Card) else None]
    cv2.polylines(picture, [corners], True, BLACK, thickness + 2, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, colour, thickness, cv2.LINE_AA)
    text = f"{card.face} {100 * card.confidence:.0f}" if card.face is not None else "?"
    _write(picture, text, (int(corners[:, 0].min()), int(corners[:, 1].min()) - 6), colour, thickness)


def _draw_zone(picture: Image, zone: Zone, thickness: int) -> None:
    middle, radius = (round(zone.x), round(zone.y)), round(0.75 * zone.card)
    cv2.circle(picture, middle, radius, BLACK, thickness + 2, cv2.LINE_AA)
    cv2.circle(picture, middle, radius, BGR[None], thickness, cv2.LINE_AA)


def _write(picture: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], thickness: int) -> None:
    place = (max(2, at[0]), min(picture.shape[0] - 4, max(12, at[1])))
    for width, tone in ((thickness + 3, BLACK), (thickness, colour)):
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.3 * thickness + 0.1, tone, width, cv2.LINE_AA)
