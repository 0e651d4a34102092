"""The process that speaks: one sentence after the other through pyttsx3, told by lines of JSON.

`voice` starts it and may kill it at any moment; a killed process is silent at once, whatever its engine does. It reads
`{"id": 1, "say": "..."}` and `{"cut": true}` from standard input, one object a line, and answers with
`{"ready": {...}}` once, then for each sentence `{"id": 1, "heard": seconds}` when the first sound is made and
`{"id": 1, "done": true}` or `{"id": 1, "error": "..."}`. It ends with its input. `save` makes a WAV file instead.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from service import espeak, sound
from service.espeak import EngineError
from service.sound import Player, SoundError

NATIVE: Final[Mapping[str, str]] = {"darwin": "nsss", "win32": "sapi5"}
"""pyttsx3's own drivers, preferred where the system speaks well by itself."""


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """What the process must know: a driver's name or `auto`, a voice or the language's own, and `Settings.sound`."""

    engine: str = "auto"
    language: str = "en"
    espeak_voice: str = "en"
    voice: str | None = None
    rate: int = 175
    volume: float = 1.0
    sound: str = "auto"

    def command(self) -> list[str]:
        """The command line of the process."""
        return [sys.executable, "-P", "-m", "service.speech", json.dumps(asdict(self))]

    @staticmethod
    def environment() -> dict[str, str]:
        """The environment in which the process finds this program, installed or not."""
        path = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONUNBUFFERED": "1"}


class Speaker:
    """An engine and, unless it makes its own sound, the player it speaks through."""

    def __init__(self, settings: SpeechSettings, player: Player | None) -> None:
        self._player = player
        self._began: float | None = None
        self.heard: float | None = None
        """Seconds from the order to the first sound of the last sentence; None when the engine does not tell."""
        self.engine, self.own_sound = self._engine(settings)
        self.name = str(self.engine)

    def _engine(self, settings: SpeechSettings) -> tuple[Any, bool]:
        native = NATIVE.get(sys.platform) if settings.sound == "auto" else None  # it cannot be led elsewhere
        names = [settings.engine] if settings.engine != "auto" else [name for name in (native, espeak.NAME) if name]
        reasons = []
        for name in names:
            try:
                return _start(name, settings, self._take), name != espeak.NAME
            except Exception as error:
                reasons.append(f"{name}: {_sentence(error)}")
        raise EngineError(f"no speech engine works ({'; '.join(reasons)})")

    def _take(self, samples: bytes) -> bool:
        if self._player is None:
            return False
        self._player.feed(samples)
        if self.heard is None and self._began is not None:
            self.heard = time.monotonic() - self._began
        return True

    def say(self, text: str) -> None:
        """Speak a sentence to its end, or until the player is cut."""
        self._began, self.heard = time.monotonic(), None
        if not self.own_sound and self._player is not None:
            self._player.begin(espeak.sample_rate())
        _run(self.engine, text)
        if not self.own_sound and self._player is not None:
            self._player.finish()


def _start(name: str, settings: SpeechSettings, take: espeak.Samples) -> Any:
    """A pyttsx3 engine, set."""
    if name == espeak.NAME:
        espeak.offer_to_pyttsx3(take)
    import pyttsx3

    engine = pyttsx3.init(name)
    usual = settings.espeak_voice if name == espeak.NAME else _native_voice(engine, settings.language)
    voice = settings.voice or usual
    if voice is not None:
        engine.setProperty("voice", voice)
    engine.setProperty("rate", settings.rate)
    engine.setProperty("volume", settings.volume)
    if name == espeak.NAME:
        _run(engine)
    return engine


def _run(engine: Any, text: str = "") -> None:
    """Let an engine do what it was told, and speak `text`. pyttsx3 keeps errors to itself; here they are raised."""
    errors: list[Exception] = []
    watch = engine.connect("error", lambda name, exception: errors.append(exception))
    if text:
        engine.say(text)
    engine.runAndWait()
    engine.disconnect(watch)
    if errors:
        raise errors[0]


def _native_voice(engine: Any, language: str) -> str | None:
    """The first voice of the system that speaks a language."""
    for voice in engine.getProperty("voices") or ():
        if any(language in str(spoken).lower()[:4] for spoken in voice.languages or ()):
            return str(voice.id)
    return None


def save(text: str, path: Path, settings: SpeechSettings = SpeechSettings()) -> float:
    """Speak `text` into a WAV file instead of aloud, in the calling process; returns its seconds."""
    samples = bytearray()

    def take(data: bytes) -> bool:
        samples.extend(data)
        return True

    engine = _start(espeak.NAME, settings, take)
    _run(engine, text)
    sound.write_wav(path, bytes(samples), espeak.sample_rate())
    return len(samples) / 2 / espeak.sample_rate()


class _Line:
    """The way back to `voice`: one object a line, from any thread."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, **fields: object) -> None:
        """Write one line; a parent that is gone is no error."""
        with self._lock:
            try:
                self._stream.write(json.dumps(fields) + "\n")
                self._stream.flush()
            except OSError:
                os._exit(0)


def _private_output() -> IO[str]:
    """Standard output for this module alone: what sound libraries print must not get between the lines."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "w", encoding="utf-8")


def _orders(player: Player | None, orders: queue.Queue[dict[str, Any] | None]) -> None:
    """Read the input; a cut is carried out at once, even while a sentence is spoken."""
    for line in sys.stdin:
        order = json.loads(line)
        if not order.get("cut"):
            orders.put(order)
        elif player is not None:
            player.cut()
    orders.put(None)
    if player is not None:
        player.cut()


def _queued(orders: queue.Queue[dict[str, Any] | None]) -> Iterator[dict[str, Any]]:
    while (order := orders.get()) is not None:
        yield order


def main() -> None:
    """Speak what comes in on standard input."""
    line = _Line(_private_output())
    settings = SpeechSettings(**json.loads(sys.argv[1]))
    try:
        player: Player | None = sound.choose(settings.sound)
        reason = ""
    except SoundError as error:
        player, reason = None, str(error)
    try:
        speaker = Speaker(settings, player)
    except EngineError as error:
        line.tell(ready={"engine": "", "player": "", "reason": str(error)})
        return
    told = {"player": player.name, "device": player.device} if player else {"player": "", "device": ""}
    if speaker.own_sound:
        told, reason = {"player": speaker.name, "device": "the system's default"}, ""
    line.tell(ready={"engine": speaker.name, **told, "reason": reason})
    if not reason:
        _speak(speaker, player, line)


def _speak(speaker: Speaker, player: Player | None, line: _Line) -> None:
    orders: queue.Queue[dict[str, Any] | None] = queue.Queue()
    threading.Thread(target=_orders, args=(player, orders), daemon=True).start()
    for order in _queued(orders):
        try:
            speaker.say(order["say"])
        except (SoundError, EngineError, OSError, RuntimeError) as error:
            line.tell(id=order["id"], error=_sentence(error))
        else:
            line.tell(id=order["id"], done=True, heard=speaker.heard)


def _sentence(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


if __name__ == "__main__":
    main()
