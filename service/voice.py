"""What is said when: a queue that keeps to the truth, and a process that speaks and may fail.

The game never waits for the voice. `say` returns at once; a thread hands one sentence after the other to a `speech`
process, kills it when it hangs or must fall silent, and starts it again. Without an engine or a sound device nothing is
spoken, `status` says why, and listeners are told once; after a while it is tried again.
"""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from service.language import Language, load_language
from service.phrases import Priority, Utterance
from service.settings import Settings
from service.speech import SpeechSettings

log = logging.getLogger(__name__)

READY_SECONDS: Final = 15.0
"""How long the process may take to start; loading an engine from a slow card takes seconds."""
MARGIN_SECONDS: Final = 4.0
"""How much longer than expected a sentence may take before the process counts as hung."""
CUT_SECONDS: Final = 0.15
"""How long a process may take to fall silent before it is killed."""
RETRY_SECONDS: Final = 30.0
"""How long after a failure sound is tried again."""
BACKLOG_SECONDS: Final = 8.0
"""More speech than this in waiting, and older moves are no longer told one by one."""
TRIES: Final = 2
"""How often a sentence is begun before it is given up."""

FRESH_SECONDS: Final = {Priority.URGENT: 30.0, Priority.TURN: 10.0, Priority.EVENT: 20.0, Priority.CHATTER: 4.0}
"""How long a sentence is worth saying."""


def seconds_of(text: str, rate: int = 175) -> float:
    """About how long a sentence takes at `rate` words a minute."""
    return 0.4 + len(text) * 11.5 / rate


def interrupts(utterance: Utterance) -> bool:
    """Whether a sentence does not wait for the one being spoken: urgent news and answers; a question does."""
    return utterance.about == "answer" or (utterance.priority is Priority.URGENT and utterance.about != "question")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sentence in the queue, since when, and how often it was begun."""

    utterance: Utterance
    since: float
    tries: int = 0


@dataclass
class SpeechQueue:
    """Sentences in the order in which they are to be said; `now` is any clock in seconds."""

    rate: int = 175
    waiting: list[Waiting] = field(default_factory=list)

    def put(self, utterances: Iterable[Utterance], now: float) -> None:
        """Take in the sentences of one moment: what they make untrue goes, urgent ones go first."""
        batch = [Waiting(utterance, now) for utterance in utterances]
        newest = max((waiting.utterance.version for waiting in batch), default=0)
        self._drop(lambda old: old.version < newest and _passes(old))
        if any(interrupts(waiting.utterance) for waiting in batch):
            self.waiting = batch + self.waiting
        else:
            self.waiting += batch
        if self.backlog > BACKLOG_SECONDS:
            self._drop(lambda old: old.priority > Priority.URGENT and old.version < newest)

    def take(self, now: float) -> Waiting | None:
        """The next sentence that is still worth saying."""
        while self.waiting:
            first = self.waiting.pop(0)
            if now - first.since <= FRESH_SECONDS[first.utterance.priority]:
                return first
        return None

    @property
    def backlog(self) -> float:
        """Seconds of speech in waiting."""
        return sum(seconds_of(waiting.utterance.text, self.rate) for waiting in self.waiting)

    def _drop(self, untrue: Callable[[Utterance], bool]) -> None:
        self.waiting = [waiting for waiting in self.waiting if not untrue(waiting.utterance)]


def _passes(utterance: Utterance) -> bool:
    """Whether a sentence is no longer true, or no longer worth it, once something else has happened."""
    return utterance.about in ("turn", "question") or utterance.priority is Priority.CHATTER


class _Process:
    """The speaking process, started; everything it says comes to `heard` from a thread of its own."""

    def __init__(self, settings: SpeechSettings) -> None:
        self._process = subprocess.Popen(
            settings.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=settings.environment(),
            text=True,
            encoding="utf-8",
        )
        self.pid = self._process.pid
        self._answers: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._gone = False
        self._reader = threading.Thread(target=self._read, name="speech-answers", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news, contextlib.suppress(ValueError):
                self._answers.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._gone = True
            self._news.notify_all()

    @property
    def alive(self) -> bool:
        """Whether it can still be told anything."""
        return not self._gone

    def tell(self, **order: object) -> None:
        """Write one order; a process that is gone shows in `answer`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()

    def answer(self, wanted: Callable[[dict[str, Any]], bool], seconds: float) -> dict[str, Any] | None:
        """The first answer that is wanted; None when the process ended, or `seconds` passed, without it."""
        until = time.monotonic() + seconds
        with self._news:
            while True:
                for index, found in enumerate(self._answers):
                    if wanted(found):
                        del self._answers[: index + 1]
                        return found
                left = until - time.monotonic()
                if self._gone or left <= 0:
                    return None
                self._news.wait(left)

    def kill(self) -> None:
        """End it, silent at once."""
        self._process.kill()
        self._process.wait()
        self._reader.join(2)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Voice:
    """The voice of one table."""

    def __init__(self, settings: Settings, language: Language | None = None) -> None:
        language = language or load_language(settings.lang)
        self._settings = SpeechSettings(
            engine=settings.engine,
            language=language.code,
            espeak_voice=str(language.find("language.espeak")),
            voice=settings.voice,
            rate=settings.rate,
            volume=settings.volume,
            sound=settings.sound,
        )
        self._queue = SpeechQueue(settings.rate)
        self._lock = threading.Condition()
        self._muted = settings.mute
        self._stopping = False
        self._process: _Process | None = None
        self._speaking: Waiting | None = None
        self._cut = False
        self._number = 0
        self._starts = 0
        self._report: dict[str, Any] = {}
        self._reason: str | None = None
        self._failed_at = -RETRY_SECONDS
        self._settled = threading.Event()
        self._listeners: list[Callable[[str | None], None]] = []
        self.first_sounds: list[float] = []
        """Seconds from `say` to the first sound, of the last hundred sentences."""
        if self._muted:
            self._settled.set()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def listen(self, listener: Callable[[str | None], None]) -> None:
        """Call `listener` whenever sound goes (with the reason, a sentence) or comes back (with None)."""
        with self._lock:
            self._listeners.append(listener)
            reason = self._reason
        if reason is not None:
            listener(reason)

    def say(self, utterances: Iterable[Utterance]) -> None:
        """Say these after one another as soon as their turn comes; never waits."""
        utterances = tuple(utterances)
        with self._lock:
            if self._muted or self._stopping or self._reason is not None or not utterances:
                return
            self._queue.put(utterances, time.monotonic())
            speaking = self._speaking
            if speaking is not None and any(map(interrupts, utterances)) and not interrupts(speaking.utterance):
                self._cut = True
                if self._process is not None:
                    self._process.tell(cut=True)
            self._lock.notify_all()

    def mute(self, muted: bool) -> None:
        """Fall silent, or speak again from the next sentence on."""
        with self._lock:
            self._muted = muted
            if muted:
                self._queue.waiting.clear()
                self._cut = True
                if self._process is not None:
                    self._process.tell(cut=True)
            self._lock.notify_all()

    def status(self, patience: float = READY_SECONDS) -> dict[str, Any]:
        """What works: `works`, a `reason` when it does not, engine, player, device, starts of the process.

        Waits at most `patience` seconds for the first start to succeed or fail.
        """
        self._settled.wait(patience)
        with self._lock:
            return {
                "works": not self._muted and self._reason is None and bool(self._report),
                "reason": "the voice is muted" if self._muted else self._reason,
                "muted": self._muted,
                "engine": self._report.get("engine", ""),
                "player": self._report.get("player", ""),
                "device": self._report.get("device", ""),
                "starts": self._starts,
                "waiting": len(self._queue.waiting),
            }

    def wait(self, seconds: float = 30.0) -> bool:
        """Wait until everything was said; False when it takes longer than `seconds`."""
        with self._lock:
            return self._lock.wait_for(lambda: not self._queue.waiting and self._speaking is None, seconds)

    def stop(self) -> None:
        """Fall silent for good; at most a second."""
        with self._lock:
            self._stopping = True
            self._queue.waiting.clear()
            process = self._process
            self._lock.notify_all()
        if process is not None:
            process.kill()
        self._thread.join(2)

    # The thread

    def _run(self) -> None:
        while (process := self._prepared()) is not None:
            waiting = self._next()
            if waiting is None:
                break
            self._speak(process if process.alive else None, waiting)
        self._drop_process()

    def _next(self) -> Waiting | None:
        """The next sentence, when there is one; None when the voice is stopped."""
        with self._lock:
            while not self._stopping:
                self._speaking = self._queue.take(time.monotonic())
                self._cut = False
                self._lock.notify_all()
                if self._speaking is not None:
                    return self._speaking
                self._lock.wait()
        return None

    def _prepared(self) -> _Process | None:
        """A process that can speak; waits for one for as long as it takes. None when the voice is stopped."""
        while True:
            with self._lock:
                while self._muted and not self._stopping:
                    self._lock.wait()
                if self._stopping:
                    return None
                process = self._process
            if process is not None and process.alive and self._reason is None:
                return process
            self._drop_process()
            if self._start():
                continue
            with self._lock:
                self._forget_all()
                self._lock.wait_for(lambda: self._stopping, RETRY_SECONDS)

    def _start(self) -> bool:
        """Start the process; whether it can speak."""
        process = _Process(self._settings)
        with self._lock:
            self._process = process
            self._starts += 1
        answer = process.answer(lambda answer: "ready" in answer, READY_SECONDS)
        ready = answer["ready"] if answer else {"reason": "the speaking process does not start"}
        with self._lock:
            self._report = ready
            stopping = self._stopping
        if not stopping:
            self._tell(ready["reason"] or None)
        self._settled.set()
        return not ready["reason"]

    def _speak(self, process: _Process | None, waiting: Waiting) -> None:
        """Let a sentence be spoken; after a failure it goes back to the front, and the process is ended."""
        answer = None
        if process is not None:
            self._number += 1
            number = self._number
            process.tell(id=number, say=waiting.utterance.text)
            answer = self._answer(process, number, seconds_of(waiting.utterance.text, self._settings.rate))
        with self._lock:
            self._speaking = None
            again = self._cut and waiting.utterance.priority is Priority.EVENT
            failed = not self._cut and (answer is None or "error" in answer)
            if (failed or again) and waiting.tries + 1 < TRIES and not self._muted:
                place = sum(1 for other in self._queue.waiting if interrupts(other.utterance)) if again else 0
                self._queue.waiting.insert(place, Waiting(waiting.utterance, waiting.since, waiting.tries + 1))
            if answer is not None and answer.get("heard") is not None:
                self.first_sounds = [*self.first_sounds[-99:], float(answer["heard"])]
            self._lock.notify_all()
        if answer is None or "error" in answer:
            self._drop_process()
            if answer is not None:
                log.warning("the voice failed: %s", answer["error"])

    def _answer(self, process: _Process, number: int, seconds: float) -> dict[str, Any] | None:
        """The process's word about sentence `number`; None when it hangs, is gone, or does not fall silent."""
        until = time.monotonic() + seconds + MARGIN_SECONDS
        cut_at: float | None = None
        while time.monotonic() < until and process.alive:
            answer = process.answer(lambda answer: answer.get("id") == number, 0.05)
            if answer is not None:
                return answer
            if self._cut:
                cut_at = cut_at or time.monotonic()
                if time.monotonic() - cut_at > CUT_SECONDS:
                    return None
        return None

    def _forget_all(self) -> None:
        self._queue.waiting.clear()
        self._speaking = None
        self._lock.notify_all()

    def _drop_process(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _tell(self, reason: str | None) -> None:
        """Tell the listeners when sound went or came."""
        with self._lock:
            changed = reason != self._reason
            self._reason = reason
            listeners = tuple(self._listeners)
        if not changed:
            return
        log.warning("no sound: %s", reason) if reason else log.info("sound works")
        for listener in listeners:
            listener(reason)
