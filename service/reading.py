"""Reading a hand from a picture, for whoever sent it: nothing of it is kept, logged, or told to anybody else.

One hand at a time: the camera's thread needs the processor, too. Pictures that would unpack to more than a camera makes
are refused before they are unpacked.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, cast

import cv2
import imagesize
import numpy as np

from referee.cards import Card, Colour
from vision.detections import BACK, Detection, Detections, Image
from vision.eyes import Eyes
from vision.quiet import quiet
from vision.sight import Sight
from vision.spread import without_doubles
from vision.zones import Zones

SURE: Final = 0.5
"""Confidence from which a card counts as read."""
PATIENCE: Final = 8.0
"""Seconds that somebody waits for the hand before."""
MOST_PIXELS: Final = 240_000_000
"""Of a JPEG, which can be unpacked at a fraction of its size; telephones go to 200 million."""
MOST_UNPACKED: Final = 40_000_000
"""Of a picture as it is unpacked."""
ON_A_PILE: Final = 0.8
"""How near the middle of a pile, in heights of a card, a card is part of it."""

P = ParamSpec("P")
T = TypeVar("T")

_COLOURS: Final = {colour: place for place, colour in enumerate((*Colour, None))}
_REDUCED: Final = ((1, cv2.IMREAD_COLOR), (2, cv2.IMREAD_REDUCED_COLOR_2), (4, cv2.IMREAD_REDUCED_COLOR_4))


class NoPicture(Exception):  # noqa: N818 - an answer, not a fault
    """What was sent cannot be looked at; the message is a sentence."""


class Busy(Exception):  # noqa: N818 - an answer, not a fault
    """Another hand is being read."""

    def __init__(self) -> None:
        super().__init__("Another hand is being read: try again in a moment.")


@dataclass(frozen=True, slots=True)
class ReadHand:
    """The cards of one picture; `unsure` more were seen, but not surely read."""

    cards: tuple[Detection, ...]
    unsure: int
    width: int
    height: int

    def public(self, playable: frozenset[Card] | None) -> dict[str, Any]:
        """As it is sent: those of `playable` first (None: it is not known what may be played), then by colour."""
        cards = sorted(self.cards, key=lambda one: _order(one, playable))
        return {
            "cards": [_public(one, playable) for one in cards],
            "points": sum(_card(one).points for one in cards),
            "unsure": self.unsure,
            "width": self.width,
            "height": self.height,
        }


class HandReader:
    """Reads hands with eyes of its own, which `load` opens when the first picture comes."""

    def __init__(self, load: Callable[[], Sight] = Eyes.load, patience: float = PATIENCE) -> None:
        self._load, self._patience = load, patience
        self._lock = threading.Lock()
        self._sight: Sight | None = None

    @property
    def busy(self) -> bool:
        """Whether a hand is being read."""
        return self._lock.locked()

    def read(self, coded: bytes) -> ReadHand:
        """The cards in a JPEG, PNG or WebP file. Raises NoPicture, Busy."""
        with self._turn() as sight:
            return _hand(unpacked(coded), sight, Zones())

    def look(self, image: Image, zones: Zones) -> ReadHand:
        """The cards in a picture (H, W, 3) of the whole table, but for the piles. Raises Busy."""
        with self._turn() as sight:
            return _hand(image, sight, zones)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[Sight]:
        if not self._lock.acquire(timeout=self._patience):
            raise Busy
        try:
            self._sight = self._sight or self._load()
            yield self._sight
        finally:
            self._lock.release()


async def aside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `work` gives, done in a thread that the end of the program does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(cast(T, result))
        else:
            done.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = work(*given, **named)
        except Exception as found:
            error = found
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="reading", daemon=True).start()
    return await done


def unpacked(coded: bytes) -> Image:
    """The picture in a file, upright, (H, W, 3) uint8 BGR; a large JPEG at a half or a quarter. Raises NoPicture."""
    width, height = _size(coded)
    is_jpeg = coded.startswith(b"\xff\xd8")
    if width * height > (MOST_PIXELS if is_jpeg else MOST_UNPACKED):
        raise NoPicture(f"A picture of {width} by {height} is more than can be read: send a smaller one.")
    flag = next((flag for part, flag in _REDUCED if width * height <= MOST_UNPACKED * part * part), _REDUCED[-1][1])
    image = None
    with quiet(), contextlib.suppress(cv2.error):
        image = cv2.imdecode(np.frombuffer(coded, np.uint8), flag)
    if image is None:
        raise NoPicture("That is no picture that can be read: send a JPEG, PNG or WebP file.")
    return image.astype(np.uint8, copy=False)


def _size(coded: bytes) -> tuple[int, int]:
    """Width and height that the file states, px."""
    kinds = (b"\xff\xd8", b"\x89PNG", b"RIFF")
    size = (-1, -1)
    if coded.startswith(kinds):
        with contextlib.suppress(Exception):  # whatever a parser says to nonsense, it is no picture
            size = imagesize.get(io.BytesIO(coded), exif_rotation=False)
    if min(size) < 1:
        raise NoPicture("That is no picture that can be read: send a JPEG, PNG or WebP file.")
    return int(size[0]), int(size[1])


def closely(sight: Sight, image: Image) -> Detections:
    """The cards of a picture that is looked at once: small ones, too, where the sight can."""
    return sight.see_closely(image) if isinstance(sight, Eyes) else sight.see(image)


def _hand(image: Image, sight: Sight, zones: Zones) -> ReadHand:
    seen = [one for one in without_doubles(closely(sight, image)) if one.face != BACK and not _on_a_pile(one, zones)]
    sure = tuple(one for one in seen if isinstance(one.face, Card) and one.confidence >= SURE)
    return ReadHand(sure, len(seen) - len(sure), image.shape[1], image.shape[0])


def _on_a_pile(card: Detection, zones: Zones) -> bool:
    piles = (zone for zone in (zones.discard, zones.draw) if zone is not None)
    return any(zone.distance(card.centre) < ON_A_PILE for zone in piles)


def _card(one: Detection) -> Card:
    assert isinstance(one.face, Card)
    return one.face


def _order(one: Detection, playable: frozenset[Card] | None) -> tuple[bool, int, int, str]:
    card = _card(one)
    return playable is not None and card not in playable, _COLOURS[card.colour], card.points, str(card)


def _public(one: Detection, playable: frozenset[Card] | None) -> dict[str, Any]:
    card = _card(one)
    return {
        "card": str(card),
        "confidence": round(one.confidence, 4),
        "points": card.points,
        "playable": None if playable is None else card in playable,
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in one.quad],
    }
