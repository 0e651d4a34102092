"""Spoken commands: pushed to talk, or behind a wake word; heard as one of a few phrases, or not at all.

While the table itself speaks, and a moment longer, nothing is heard, so that no sentence of its own is ever taken for
a command. A phrase goes to the `Hands` as "ears": draw, challenge and undo are said back there and want a yes. What was
not understood is said to be; silence costs nobody anything.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.commands import grammar
from service.hands import Hands
from service.language import Language
from service.microphone import Listening
from service.opening import STEPS, spelling, spoken
from service.recognisers import RATE, EarsError, Grammar, Recogniser

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EarSettings:
    """Seconds unless said otherwise.

    patience: how long speech is waited for after the key. longest: of an utterance. pause: silence that ends it.
    tail: how long the table's own voice may ring on. before: sound kept from before speech was noticed. loud: how much
    louder than the room speech must be, as a factor. quiet: the least loudness of speech, of 32768.
    """

    patience: float = 2.0
    longest: float = 4.0
    pause: float = 0.5
    tail: float = 0.3
    before: float = 0.3
    loud: float = 2.5
    quiet: float = 150.0


STANDARD: Final = EarSettings()
PLAY: Final = "play"
"""The grammar while a match is under way; others are called as the steps of `opening`."""


def utterances(
    pieces: Iterable[bytes], is_speaking: Callable[[], bool], settings: EarSettings = STANDARD
) -> Iterator[bytes]:
    """The stretches of speech in a sound, each as samples; what came while the table spoke is in none of them."""
    kept: list[bytes] = []
    speech: list[bytes] = []
    room, silent, deaf = settings.quiet / settings.loud, 0.0, 0.0
    for piece in pieces:
        seconds = len(piece) / 2 / RATE
        deaf = settings.tail if is_speaking() else max(0.0, deaf - seconds)
        if deaf:
            kept, speech = [], []
            continue
        level = loudness(piece)
        if level >= max(settings.quiet, settings.loud * room):
            speech, silent = [*speech, *kept, piece], 0.0
            kept = []
        else:
            room = 0.9 * room + 0.1 * level
            silent += seconds
            (speech if speech else kept).append(piece)
            kept = kept[-max(1, round(settings.before / max(seconds, 0.01))) :]
        if speech and (silent >= settings.pause or len(speech) * seconds >= settings.longest):
            yield b"".join(speech)
            speech, silent = [], 0.0
    if speech:
        yield b"".join(speech)


def loudness(piece: bytes) -> float:
    """The loudness (root of the mean square) of samples, of 32768."""
    samples = np.frombuffer(piece, np.int16).astype(np.float64)
    return float(np.sqrt(np.mean(samples * samples))) if len(samples) else 0.0


def grammars(language: Language) -> dict[str, Grammar]:
    """What is listened for in play, and at each step of setting a table up. PhraseError when there are no words."""
    letters: dict[str, frozenset[str]] = {"name": frozenset(spelling(language))}
    steps: dict[str, Grammar] = {
        step: Grammar(frozenset(spoken(language, step)), letters.get(step, frozenset()), confirmed=True)
        for step in STEPS
    }
    return {PLAY: Grammar(frozenset(grammar(language))), **steps}


class Ears:
    """The ears of one table. `push` listens once; `listen` goes on for as long as there is sound (the wake word)."""

    def __init__(
        self,
        hands: Hands,
        recogniser: Recogniser,
        phrases: dict[str, str],
        source: Callable[[], Listening],
        is_speaking: Callable[[], bool] = lambda: False,
        settings: EarSettings = STANDARD,
        hold: Callable[[bool], object] = lambda held: None,
    ) -> None:
        """phrases: spoken words to commands. is_speaking: whether the table's own voice is to be heard now. hold: lets
        it be quiet while one who pushed to talk is listened to, and speak again.
        """
        self._hold = hold
        self._hands, self._recogniser, self._phrases = hands, recogniser, phrases
        self._source, self._is_speaking, self._settings = source, is_speaking, settings
        self._busy = threading.Lock()
        self._open: Listening | None = None

    def push(self, ended: Callable[[], object] = lambda: None) -> bool:
        """Listen for one command, in a thread of its own, and call `ended`; False when they are listening already."""
        if not self._busy.acquire(blocking=False):
            return False
        threading.Thread(target=self._once, args=(ended,), name="ears", daemon=True).start()
        return True

    def listen(self) -> threading.Thread:
        """Listen until `stop`, in a thread of its own: what is understood is done, all else is talk of the table."""
        thread = threading.Thread(target=self._always, name="ears", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Hear no more."""
        source = self._open
        if source is not None:
            source.close()

    def understood(self, samples: bytes) -> bool:
        """Do what an utterance says: a command, or an answer while a table is set up; False when it is none."""
        opening = self._hands.opening
        step = opening.step
        phrase = self._recogniser.hear(samples, step or PLAY)
        if not phrase:
            return False
        if step is not None:
            opening.hear(phrase)
            return True
        command = self._phrases.get(phrase)
        if command is not None:
            self._hands.do(command, source="ears")
        return command is not None

    def _once(self, ended: Callable[[], object]) -> None:
        try:
            self._hold(True)
            samples = next(utterances(self._sound(self._settings.patience), self._is_speaking, self._settings), b"")
            if not samples or not self.understood(samples):
                self._hands.say("not_heard")
        except EarsError as error:
            self._fail(error)
        except Exception:
            log.exception("listening failed")
        finally:
            self._busy.release()
            self._hold(False)
            ended()

    def _always(self) -> None:
        try:
            for samples in utterances(self._sound(None), self._is_speaking, self._settings):
                self.understood(samples)
        except EarsError as error:
            self._fail(error)
        except Exception:
            log.exception("listening failed")

    def _sound(self, patience: float | None) -> Iterator[bytes]:
        """The pieces of one opening of the source; ends after `patience` seconds and an utterance more."""
        self._open = source = self._source()
        until = None if patience is None else time.monotonic() + patience + self._settings.longest
        try:
            for piece in source:
                yield piece
                if until is not None and time.monotonic() > until:
                    return
        finally:
            source.close()
            self._open = None

    def _fail(self, error: EarsError) -> None:
        log.warning("the ears: %s", error)
        self._hands.table.say(str(error), "answer.ears")
