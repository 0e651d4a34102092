"""What the camera sees, for the host's page: the newest frame with the cards found in it, as JPEG when somebody asks.

One frame and one set of detections are kept in memory, nothing else, nothing on disk. Frames pass through `frames` and
pictures through `sight` on their way into the pipeline, so the preview costs nothing while nobody looks.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Final

import cv2
import numpy as np

from referee.cards import Card, Colour
from vision.detections import Detection, Detections, Image
from vision.frames import Frame, Glimpse
from vision.sight import Sight

WIDTH: Final = 960
"""Width to which a larger picture is brought before it is sent, px."""

BGR: Final = {
    Colour.RED: (40, 40, 230),
    Colour.YELLOW: (30, 210, 255),
    Colour.GREEN: (80, 190, 70),
    Colour.BLUE: (230, 130, 30),
    None: (255, 255, 255),
}


class Preview:
    """The newest frame of one source; filled by the pipeline's thread, read by the server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._number = 0
        self._seen = Detections.empty()
        self._coded: tuple[int, bytes] | None = None

    @property
    def number(self) -> int:
        """Rises with every frame."""
        return self._number

    def frames(self, source: Iterable[Glimpse]) -> Iterator[Glimpse]:
        """The same frames, looked at on their way."""
        for glimpse in source:
            if isinstance(glimpse, Frame):
                self._show(glimpse.image)
            yield glimpse

    def sight(self, sight: Sight) -> Sight:
        """The same sight, its findings noted on their way."""
        return _Noted(sight, self)

    def note(self, seen: Detections) -> None:
        """Cards found in the newest frame; they are drawn until others are found."""
        with self._lock:
            self._seen, self._coded = seen, None

    def end(self) -> None:
        """There is no picture any more."""
        with self._lock:
            self._image, self._coded, self._seen = None, None, Detections.empty()

    def jpeg(self) -> bytes | None:
        """The newest frame with the quads drawn, or None when there is none yet."""
        with self._lock:
            image, number = self._image, self._number
            seen, coded = self._seen, self._coded
        if image is None:
            return None
        if coded is None or coded[0] != number:
            coded = (number, encoded(image, seen))
            self._coded = coded
        return coded[1]

    def _show(self, image: Image) -> None:
        with self._lock:
            self._image = image
            self._number += 1


class _Noted:
    def __init__(self, sight: Sight, preview: Preview) -> None:
        self._sight, self._preview = sight, preview

    def see(self, image: Image) -> Detections:
        seen = self._sight.see(image)
        self._preview.note(seen)
        return seen


def encoded(image: Image, seen: Detections) -> bytes:
    """`image` with `seen` drawn, at most `WIDTH` wide, as JPEG."""
    picture = drawn(image, seen)
    height, width = picture.shape[:2]
    if width > WIDTH:
        smaller = (WIDTH, max(1, round(height * WIDTH / width)))
        picture = cv2.resize(picture, smaller, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(coded).tobytes() if done else b""


def drawn(image: Image, seen: Detections) -> Image:
    """A copy of `image` (H, W, 3) with the quads of `seen` and what each shows."""
    picture = image.copy()
    thickness = max(2, round(max(image.shape[:2]) / 400))
    for card in seen:
        _draw(picture, card, thickness)
    return picture


def _draw(picture: Image, card: Detection, thickness: int) -> None:
    corners = card.quad.round().astype(np.int32)
    colour = BGR[card.face.colour if isinstance(card.face, Card) else None]
    cv2.polylines(picture, [corners], True, (0, 0, 0), thickness + 2, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, colour, thickness, cv2.LINE_AA)
    text = f"{card.face} {100 * card.confidence:.0f}" if card.face is not None else "?"
    at = (int(corners[:, 0].min()), max(12, int(corners[:, 1].min()) - 6))
    for width, tone in ((thickness + 3, (0, 0, 0)), (thickness, colour)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.3 * thickness, tone, width, cv2.LINE_AA)
