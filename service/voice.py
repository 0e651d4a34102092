"""What is heard: a thread that hands one sentence after the other to a process that speaks and may fail.

The game never waits for the voice. `say` returns at once; the queue (`waiting`) keeps to the truth, the thread lets the
process (`mouth`) speak, kills it when it hangs or must fall silent, and starts it again. Without an engine or a sound
device nothing is spoken, `status` says why, and listeners are told once; after a while it is tried again, and what is
urgent or still holds is said then.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from service import piper
from service.earcons import earcon_of
from service.engines import SpeechSettings
from service.kinds import is_switched_off
from service.language import Language, load_language
from service.mouth import Mouth
from service.phrases import Priority, Utterance
from service.settings import Settings
from service.waiting import SpeechQueue, Waiting, interrupts, seconds_of

log = logging.getLogger(__name__)

READY_SECONDS: Final = 15.0
"""How long the process may take to start; loading an engine from a slow card takes seconds."""
NEURAL_SECONDS: Final = 60.0
"""The same for a neural voice, which is a model of 60 MB."""
MARGIN_SECONDS: Final = 4.0
"""How much longer than expected a sentence may take before the process counts as hung."""
CUT_SECONDS: Final = 0.15
"""How long a process may take to fall silent before it is killed."""
HELD_SECONDS: Final = 8.0
"""How long it is quiet at most for somebody who speaks."""
RETRY_SECONDS: Final = 30.0
"""How long after a failure sound is tried again."""
TRIES: Final = {Priority.URGENT: 6, Priority.TURN: 3, Priority.EVENT: 3, Priority.CHATTER: 1}
"""How often a sentence is begun before it is given up."""
NO_START: Final = {"reason": "the speaking process does not start", "fault": "process"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """One sentence that was begun; times as `time.monotonic` has them.

    since: when it came in. free: when the one before it ended. began: when it was given to the engine. sounded: when it
    was first heard, None where nobody can tell. complete: whether it was said to its end.
    """

    utterance: Utterance
    since: float
    free: float
    began: float
    sounded: float | None
    complete: bool

    @property
    def waited(self) -> float | None:
        """Seconds until the first sound since it came in, or, unless it interrupts, since the one before it ended."""
        if self.sounded is None:
            return None
        return self.sounded - (self.since if interrupts(self.utterance) else max(self.since, self.free))


class Voice:
    """The voice of one table."""

    def __init__(self, settings: Settings, language: Language | None = None) -> None:
        self._wishes, self._settings = settings, _speech(settings, language)
        self._queue = SpeechQueue(settings.rate)
        self._lock = threading.Condition()
        self._muted = settings.mute
        self._stopping = False
        self._process: Mouth | None = None
        self._speaking: Waiting | None = None
        self._cut = False
        self._number = 0
        self._starts = 0
        self._report: dict[str, Any] = {}
        self._reason: str | None = None
        self._fault: str | None = None
        self._failed_at = -RETRY_SECONDS
        self._settled = threading.Event()
        self._listeners: list[Callable[[str | None], None]] = []
        self._free = self._held_until = 0.0
        self.spoken: deque[Spoken] = deque(maxlen=1000)
        """What was begun, the newest last."""
        if self._muted:
            self._settled.set()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def listen(self, listener: Callable[[str | None], None]) -> None:
        """Call `listener` when sound goes (with its `fault`, a phrase `sound.FAULT`), and with None when it is back."""
        with self._lock:
            self._listeners.append(listener)
            fault = self._fault
        if fault is not None:
            listener(fault)

    def say(self, utterances: Iterable[Utterance]) -> None:
        """Say these after one another as soon as their turn comes; never waits."""
        with self._lock:
            told = tuple(utterances)
            if self._muted or self._stopping or not told:
                return
            wanted = [one for one in told if not is_switched_off(one, self._wishes.silent)]
            self._queue.put(wanted, time.monotonic(), told)
            if any(one.about == "answer" for one in wanted):
                self._held_until = 0.0
            if self._speaking is not None and self._gives_way(self._speaking.utterance, wanted):
                self._fall_silent()
            self._lock.notify_all()

    def _gives_way(self, spoken: Utterance, news: Iterable[Utterance]) -> bool:
        """Whether the sentence being spoken ends here: for an answer, for what is more urgent, or as untrue."""
        if any(one.about == "answer" for one in news) or not self._queue.is_true(spoken):
            return True
        return any(map(interrupts, news)) and not interrupts(spoken)

    def _fall_silent(self) -> None:
        self._cut = True
        if self._process is not None:
            self._process.tell(cut=True)

    def change(self, settings: Settings, language: Language | None = None) -> None:
        """Speak with other settings from the next sentence on: rate, volume, voice, language, what is not spoken."""
        with self._lock:
            self._wishes, self._settings = settings, _speech(settings, language)
            self._queue.rate = settings.rate
            self._lock.notify_all()
        if settings.mute != self._muted:
            self.mute(settings.mute)

    def hold(self, held: bool) -> None:
        """Be quiet for somebody who speaks: until told that it is over, an answer is wanted, or a while is over."""
        with self._lock:
            self._held_until = time.monotonic() + HELD_SECONDS if held else 0.0
            if held and self._speaking is not None:
                self._fall_silent()
            self._lock.notify_all()

    def mute(self, muted: bool) -> None:
        """Fall silent, or speak again from the next sentence on."""
        with self._lock:
            self._muted = muted
            if muted:
                self._queue.waiting.clear()
                self._fall_silent()
            self._lock.notify_all()

    def status(self, patience: float = READY_SECONDS) -> dict[str, Any]:
        """What works: `works`, engine, player, device, starts of the process, and why nothing is heard: the `fault`
        muted, engine, device, file or process, of which `sound.FAULT` is a phrase, and the `reason`, for experts.

        Waits at most `patience` seconds for the first start to succeed or fail.
        """
        self._settled.wait(patience)
        with self._lock:
            return {
                "works": not self._muted and self._reason is None and bool(self._report),
                "reason": "the voice is muted" if self._muted else self._reason,
                "fault": "muted" if self._muted else self._fault,
                "muted": self._muted,
                "engine": self._report.get("engine", ""),
                "player": self._report.get("player", ""),
                "device": self._report.get("device", ""),
                "starts": self._starts,
                "waiting": len(self._queue.waiting),
            }

    def wait(self, seconds: float = 30.0) -> bool:
        """Wait until everything was said, or nothing can be; False when it takes longer than `seconds`."""
        with self._lock:
            return self._lock.wait_for(self._is_done, seconds)

    def _is_done(self) -> bool:
        return self._reason is not None or (not self._queue.waiting and self._speaking is None)

    @property
    def is_speaking(self) -> bool:
        """Whether a sentence is being spoken now."""
        return self._speaking is not None

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
            waiting = self._next(process.settings)
            if waiting is not None:
                self._speak(process if process.alive else None, waiting)
        self._drop_process()

    def _next(self, settings: SpeechSettings) -> Waiting | None:
        """The next sentence, when there is one; None when the process with these settings is to speak no longer."""
        with self._lock:
            while not self._is_called_off(settings):
                now = time.monotonic()
                self._speaking = self._queue.take(now) if now >= self._held_until else None
                self._cut = False
                self._lock.notify_all()
                if self._speaking is not None:
                    return self._speaking
                self._lock.wait(self._held_until - now if now < self._held_until else None)
        return None

    def _prepared(self) -> Mouth | None:
        """A process that can speak; waits for one for as long as it takes. None when the voice is stopped."""
        while True:
            with self._lock:
                while self._muted and not self._stopping:
                    self._lock.wait()
                if self._stopping:
                    return None
                process = self._process
                settings = self._settings
            if process is not None and process.alive and self._reason is None and process.settings == settings:
                return process
            self._drop_process()
            if self._start():
                continue
            with self._lock:
                self._speaking = None
                self._lock.notify_all()
                self._lock.wait_for(partial(self._is_called_off, settings), RETRY_SECONDS)

    def _is_called_off(self, settings: SpeechSettings) -> bool:
        """Whether waiting with these settings is over: the voice is stopped, or speaks with others."""
        return self._stopping or self._settings != settings

    def _start(self) -> bool:
        """Start the process; whether it can speak."""
        process = Mouth(self._settings)
        with self._lock:
            self._process = process
            self._starts += 1
        patience = READY_SECONDS if process.settings.engine != piper.NAME else NEURAL_SECONDS
        answer = process.answer(lambda answer: "ready" in answer, patience)
        ready = answer["ready"] if answer else NO_START
        with self._lock:
            self._report = ready
            stopping = self._stopping
        if not stopping:
            self._tell(ready["reason"] or None, ready["fault"] or None)
        self._settled.set()
        return not ready["reason"]

    def _speak(self, process: Mouth | None, waiting: Waiting) -> None:
        """Let a sentence be spoken; cut or failed it goes back into the queue, and a failed process is ended."""
        utterance = waiting.utterance
        ordered = self._order(process, utterance)
        answer = None
        if process is not None and ordered is not None:
            answer = self._answer(process, self._number, seconds_of(utterance.text, self._settings.rate))
        now = time.monotonic()
        with self._lock:
            self._speaking = None
            failed = answer is None or "error" in answer
            if (self._cut or failed) and not self._muted and waiting.tries + 1 < TRIES[utterance.priority]:
                self._queue.put_back(waiting, now)
            if ordered is not None:
                heard = (answer or {}).get("heard")
                sounded = None if heard is None else ordered + float(heard)
                complete = not failed and not self._cut
                self.spoken.append(Spoken(utterance, waiting.since, self._free, ordered, sounded, complete))
                self._free = now
            self._lock.notify_all()
        if ordered is None and process is not None:
            return
        if answer is None or "error" in answer:
            self._drop_process()
            if answer is not None:
                log.warning("the voice failed: %s", answer["error"])

    def _order(self, process: Mouth | None, utterance: Utterance) -> float | None:
        """Give a sentence to the process: when, or None when there is no process, or no need any more."""
        earcon = earcon_of(utterance.topic) if self._wishes.earcons else ""
        with self._lock:  # what comes in meanwhile and makes it untrue is said to a process that has it already
            if process is None or self._cut:
                return None
            self._number += 1
            ordered = time.monotonic()
            process.tell(id=self._number, say=utterance.text, earcon=earcon)
            return ordered

    def _answer(self, process: Mouth, number: int, seconds: float) -> dict[str, Any] | None:
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

    def _drop_process(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _tell(self, reason: str | None, fault: str | None) -> None:
        """Tell the listeners when sound went or came."""
        with self._lock:
            changed = reason != self._reason
            self._reason, self._fault = reason, fault
            listeners = tuple(self._listeners)
        if not changed:
            return
        log.warning("no sound: %s", reason) if reason else log.info("sound works")
        for listener in listeners:
            listener(fault)


def _speech(settings: Settings, language: Language | None) -> SpeechSettings:
    """What the speaking process must know of the settings."""
    language = language or load_language(settings.lang)
    return SpeechSettings(
        engine=settings.engine,
        language=language.code,
        espeak_voice=str(language.find("language.espeak")),
        voice=settings.voice,
        rate=settings.rate,
        volume=settings.volume,
        sound=settings.sound,
    )
