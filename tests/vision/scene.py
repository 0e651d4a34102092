"""A table drawn with plain rectangles: cards are coloured quads with two bars, so that pictures differ as cards do."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.cards import Card
from vision.detections import BACK, Detection, Detections, Face, Image, Quads
from vision.frames import Frame

HEIGHT = 80
WIDTH = 52
INK = {"R": (40, 40, 210), "Y": (40, 210, 230), "G": (60, 170, 60), "B": (200, 90, 40)}


def quad_at(x: float, y: float, degrees: float = 0) -> Quads:
    """The corners of a card of 80 px around (x, y)."""
    turn = np.radians(degrees)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([WIDTH, HEIGHT]) / 2
    return np.asarray(half @ spin + [x, y], np.float32)


@dataclass(frozen=True, eq=False)
class Lying:
    """A card on the drawn table."""

    face: Face
    quad: Quads

    @classmethod
    def at(cls, name: str, x: float, y: float, degrees: float = 0) -> "Lying":
        return cls(BACK if name == "back" else Card.parse(name), quad_at(x, y, degrees))

    def seen(self, confidence: float = 0.95) -> Detection:
        return Detection(self.quad, 0.9, self.face, confidence)


def seen(*cards: Lying) -> Detections:
    return Detections.of([card.seen() for card in cards])


def picture(cards: Sequence[Lying], light: float = 1.0, pattern: float = 14) -> Image:
    """The table, (360, 480, 3): a pattern, weak unless said otherwise, then the cards from bottom to top."""
    rows, columns = np.mgrid[:360, :480]
    grain = (118 + pattern * np.sin(columns / 17) + pattern * np.sin(rows / 11)).astype(np.float32)
    image = np.repeat(grain[:, :, None], 3, axis=2)
    for card in cards:
        _draw(image, card)
    return np.asarray((image * light).clip(0, 255), np.uint8)


def _draw(image: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]", card: Lying) -> None:
    name = str(card.face)
    cv2.fillConvexPoly(image, card.quad.astype(np.int32), (245, 245, 245))
    inner = (card.quad - card.quad.mean(0)) * 0.86 + card.quad.mean(0)
    cv2.fillConvexPoly(image, inner.astype(np.int32), INK.get(name[0], (30, 30, 30)))
    # A mark of its own for every rank: a bar somewhere across the card.
    share = 0.2 + 0.6 * (sum(map(ord, name[1:])) % 10) / 10
    start, end = (inner[0] + share * (inner[3] - inner[0])), (inner[1] + share * (inner[2] - inner[1]))
    ends = [(int(x), int(y)) for x, y in (start, end)]
    cv2.line(image, ends[0], ends[1], (245, 245, 245), 9)


def with_arm(image: Image, tip: tuple[int, int], start: tuple[int, int] = (0, 200)) -> Image:
    """The picture with an arm from the edge to `tip`."""
    out = image.copy()
    cv2.line(out, start, tip, (70, 110, 190), 34)
    return out


class Clip:
    """Frames made one after the other, `rate` a second."""

    def __init__(self, rate: float = 10.0) -> None:
        self.rate, self.index = rate, 0

    def frame(self, image: Image) -> Frame:
        frame = Frame(image, self.index / self.rate, self.index)
        self.index += 1
        return frame

    def hold(self, image: Image, seconds: float) -> list[Frame]:
        return [self.frame(image) for _ in range(round(seconds * self.rate))]
