"""The camera's thread: frames in, changes of the table out, and nothing that goes wrong with them stops the game."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from typing import Final

from referee.cards import Card
from referee.events import Event
from service.films import words_of
from service.preview import Preview
from vision.changes import TableChange, ViewLost
from vision.frames import Frame, Glimpse, Source, SourceError
from vision.pipeline import TableWatch
from vision.sight import Sight
from vision.zones import PileName, Zone, Zones

log = logging.getLogger(__name__)

BROKEN: Final = "The pictures can no longer be followed: tell the plays on the host's page, or start the program again."


class Watcher(threading.Thread):
    """Watches one source until it ends or `stop` is called.

    tell: takes each change of the table. clock: told the time of every frame, seconds of the film, after what it showed
    was told.
    """

    def __init__(
        self,
        source: Source,
        sight: Sight,
        tell: Callable[[TableChange], object],
        preview: Preview,
        clock: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._source, self._tell, self._preview, self._clock = source, tell, preview, clock
        self._watch = TableWatch(sight)
        self._seconds = 0.0
        self._moves: dict[PileName, Zone | None] = {}
        """Moves that the next frame will take in."""
        self.ended = threading.Event()
        """Set once no more frames come."""
        self.failed = False
        """Whether it ended because the pictures could not be followed; the table was told."""
        self.stopped = False
        """Whether it ended because `stop` was called."""

    @property
    def zones(self) -> Zones:
        """Where the piles lie, those just put elsewhere among them."""
        zones = self._watch.zones
        for pile, zone in tuple(self._moves.items()):
            zones = zones.moved(pile, zone)
        return zones

    def move(self, pile: PileName, zone: Zone | None) -> None:
        """Put a pile elsewhere by hand, from any thread; None leaves it to the camera again."""
        self._moves[pile] = zone
        self._watch.move(pile, zone)

    def corrected(self, was: Card, now: Card) -> None:
        """A card read as `was` is `now`, from any thread: it stays that card however it is read later."""
        self._watch.corrected(was, now)

    def run(self) -> None:
        """The thread itself."""
        try:
            with self._source:
                for glimpse in self._source:
                    self._step(glimpse)
        except SourceError as error:
            self._fail(str(error))
        except Exception:
            log.exception("watching the table failed")
            self._fail(BROKEN)
        finally:
            self._preview.end()
            self.ended.set()

    def stop(self) -> None:
        """End at the next frame; returns when the thread is gone, or after a second all the same."""
        self.stopped = True
        self._source.close()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(1)

    def _fail(self, sentence: str) -> None:
        self.failed = True
        self._tell(ViewLost(self._seconds, sentence))

    def _step(self, glimpse: Glimpse) -> None:
        changes = self._watch.step(glimpse)
        self._moves.clear()
        if isinstance(glimpse, Frame):
            self._preview.show(glimpse.image, self._watch.cards, self._watch.zones)
            self._seconds = glimpse.seconds
        for change in changes:
            self._tell(change)
        self._clock(self._seconds)


class Prompter:
    """Speaks for the people of a film: tells the words of its true record when their time has come.

    delay: seconds that a word takes to reach the table, as it would through any microphone or button. The camera needs
    about as long to be sure of the card that the word is about.
    """

    def __init__(self, truth: Iterable[Event], tell: Callable[[Event], object], delay: float = 1.0) -> None:
        self._words = words_of(truth)
        self._tell, self._delay = tell, delay

    def at(self, seconds: float) -> None:
        """The film has come to `seconds`."""
        while self._words and (self._words[0].seconds or 0.0) + self._delay <= seconds:
            self._tell(self._words.pop(0))

    def finish(self) -> None:
        """The film is over: what is left is told."""
        self.at(float("inf"))
