"""What makes speech of words: one of pyttsx3's drivers, our own among them, or a neural voice.

`open_engine` tries what the settings name, or what fits the system, and says in one sentence why nothing works. An
engine hands its samples to whoever opened it; where the system speaks by itself (macOS, Windows) it makes the sound.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from service import espeak, piper
from service.espeak import EngineError, Samples

NATIVE: Final[Mapping[str, str]] = {"darwin": "nsss", "win32": "sapi5"}
"""pyttsx3's own drivers, preferred where the system speaks well by itself."""


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """What speaking needs to know: an engine's name or `auto`, a voice or the language's own, and `Settings.sound`."""

    engine: str = "auto"
    language: str = "en"
    espeak_voice: str = "en"
    voice: str | None = None
    rate: int = 175
    volume: float = 1.0
    sound: str = "auto"

    @staticmethod
    def environment() -> dict[str, str]:
        """The environment in which a process finds this program, installed or not."""
        path = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONUNBUFFERED": "1"}


class Engine(Protocol):
    """Something that speaks; its text is its name."""

    rate: int
    """Samples a second."""
    own_sound: bool
    """Whether it makes itself heard, so that no samples come."""

    def speak(self, text: str) -> None:
        """Speak a sentence to its end, or until the receiver of the samples says False. Raises EngineError."""


def engine_names() -> tuple[str, ...]:
    """What `engine` may be on this system."""
    return tuple(name for name in ("auto", espeak.NAME, piper.NAME, NATIVE.get(sys.platform)) if name)


def open_engine(settings: SpeechSettings, receive: Samples) -> Engine:
    """The engine for these settings; EngineError says why there is none."""
    if settings.engine not in engine_names():
        raise EngineError(f"there is no engine {settings.engine!r}; there are {', '.join(engine_names())}")
    reasons = []
    for name in chosen_engines(settings.engine, settings.voice, settings.sound):
        try:
            if name == piper.NAME:
                return piper.Piper(settings.voice, settings.rate, settings.volume, receive)
            return Pyttsx(name, settings, receive)
        except Exception as error:
            reasons.append(f"{name}: {first_line(error)}")
    raise EngineError(f"no speech engine works ({'; '.join(reasons)})")


def chosen_engines(engine: str, voice: str | None, sound: str) -> list[str]:
    """The engines that are tried for these settings, the best first; never none."""
    if engine != "auto":
        return [engine]
    if voice is not None and voice.endswith(".onnx"):
        return [piper.NAME]
    native = NATIVE.get(sys.platform) if sound == "auto" else None  # it cannot be led elsewhere
    return [name for name in (native, espeak.NAME) if name]


class Pyttsx:
    """A pyttsx3 engine. One sentence per `runAndWait`: of several it speaks only the last."""

    def __init__(self, name: str, settings: SpeechSettings, receive: Samples) -> None:
        self.own_sound = name != espeak.NAME
        if not self.own_sound:
            espeak.offer_to_pyttsx3(receive)
        import pyttsx3

        self._engine: Any = pyttsx3.init(name)
        usual = _native_voice(self._engine, settings.language) if self.own_sound else settings.espeak_voice
        voice = settings.voice or usual
        if voice is not None:
            self._engine.setProperty("voice", voice)
        self._engine.setProperty("rate", settings.rate)
        self._engine.setProperty("volume", settings.volume)
        self.rate = 22050 if self.own_sound else espeak.sample_rate()
        if not self.own_sound:
            self.speak("")

    def __str__(self) -> str:
        return str(self._engine)

    def speak(self, text: str) -> None:
        """Speak `text`. pyttsx3 keeps errors to itself; here they are raised."""
        errors: list[Exception] = []
        watch = self._engine.connect("error", lambda name, exception: errors.append(exception))
        if text:
            self._engine.say(text)
        self._engine.runAndWait()
        self._engine.disconnect(watch)
        if errors:
            raise errors[0]


def _native_voice(engine: Any, language: str) -> str | None:
    """The first voice of the system that speaks a language."""
    for voice in engine.getProperty("voices") or ():
        if any(language in str(spoken).lower()[:4] for spoken in voice.languages or ()):
            return str(voice.id)
    return None


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
