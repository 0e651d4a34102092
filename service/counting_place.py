"""A second camera, over the place where hands are laid open: looked at only while hands are counted, or when asked.

Between looks nothing is taken from it; cameras keep their newest picture, a folder waits with its next one. A hand that
fits a seat is told as soon as it lies still; one that fits nobody when it has lain so for a while, so that somebody who
lays cards down one after the other is left alone.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.cards import Card
from service.reading import Busy, ReadHand
from vision.changes import CardsShown
from vision.detections import Image
from vision.frames import Frame, PictureSource, Source, SourceError
from vision.zones import Zones

log = logging.getLogger(__name__)

NAP: Final = 0.2
"""Seconds after which it is asked again whether hands are counted."""


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """Seconds unless said otherwise.

    settle: how long a hand that fits must be read alike. Shorter: hands are told while cards are added; longer: later.
    patience: the same for one that fits nobody. pause: between two looks.
    same: grey levels by which a small copy of the picture may differ from the one before without being read again.
    """

    settle: float = 1.2
    patience: float = 3.0
    pause: float = 0.4
    same: float = 3.0


class CountingPlace(threading.Thread):
    """Reads the hands that lie at the counting place.

    read: gives the cards of a picture; raises Busy. expected: how many cards the hands have that are still to be
    counted, empty while none is. tell: takes each hand.
    """

    def __init__(
        self,
        source: Source,
        read: Callable[[Image, Zones], ReadHand],
        expected: Callable[[], tuple[int, ...]],
        tell: Callable[[CardsShown], object],
        settings: PlaceSettings = PlaceSettings(),
    ) -> None:
        super().__init__(name="counting place", daemon=True)
        self._source, self._read, self._expected, self._tell = source, read, expected, tell
        self._settings = settings
        self._settle = 0.0 if isinstance(source, PictureSource) else settings.settle
        self._image: Image | None = None
        self._wanted, self._came, self._stopping = threading.Event(), threading.Event(), threading.Event()
        self._small: Image | None = None
        self._seen: tuple[Card | None, ...] = ()
        self._sure, self._since = 0.0, 0.0
        self._told: tuple[Card | None, ...] = ()

    def picture(self, timeout: float = 2.0) -> Image | None:
        """What lies there now, (H, W, 3); the newest picture there is when no other comes in time."""
        self._came.clear()
        self._wanted.set()
        self._came.wait(timeout)
        return self._image

    def stop(self) -> None:
        """End; returns when the thread is gone, or after a second all the same."""
        self._stopping.set()
        self._wanted.set()
        self._source.close()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(1)

    def run(self) -> None:
        """The thread itself."""
        try:
            with self._source:
                for glimpse in self._source:
                    if isinstance(glimpse, Frame):
                        self._take(glimpse)
                    self._wait()
                    if self._stopping.is_set():
                        return
        except SourceError as error:
            log.warning("the counting place is no longer seen: %s", error)
        except Exception:
            log.exception("watching the counting place failed")

    def _wait(self) -> None:
        """Until another picture is wanted: hands are counted, or somebody asks."""
        if self._expected():
            self._stopping.wait(self._settings.pause)
        while not (self._expected() or self._wanted.wait(NAP) or self._stopping.is_set()):
            pass

    def _take(self, frame: Frame) -> None:
        self._image = frame.image
        self._wanted.clear()
        self._came.set()
        expected = self._expected()
        if not expected:
            self._small, self._seen, self._told = None, (), ()
            return
        with contextlib.suppress(Busy):
            self._look(frame, expected)

    def _look(self, frame: Frame, expected: tuple[int, ...]) -> None:
        if self._is_new(frame.image):
            hand = self._read(frame.image, Zones())
            cards = _cards(hand)
            if cards != self._seen:
                self._seen, self._since = cards, frame.seconds
            self._sure = min((one.confidence for one in hand.cards), default=0.0)
        if not self._seen:
            self._told = ()
            return
        fits = None not in self._seen and len(self._seen) in expected
        lain = frame.seconds - self._since
        if self._seen != self._told and lain >= (self._settle if fits else self._settings.patience):
            self._told = self._seen
            self._tell(CardsShown(self._seen, self._sure, frame.seconds, self._since))

    def _is_new(self, image: Image) -> bool:
        """Whether the picture differs from the one that was read last."""
        small = np.asarray(cv2.resize(image, (64, 48), interpolation=cv2.INTER_AREA), np.uint8)
        before, self._small = self._small, small
        if before is None or float(cv2.absdiff(before, small).mean()) > self._settings.same:
            return True
        self._small = before
        return False


def _cards(hand: ReadHand) -> tuple[Card | None, ...]:
    """The cards of a hand in an order of their own; None for each that could not be read."""
    faces = [one.face for one in hand.cards if isinstance(one.face, Card)]
    return (*sorted(faces, key=str), *(None,) * hand.unsure)
