"""A pyttsx3 driver over the eSpeak NG library that comes from pip (`espeakng-loader`).

pyttsx3's own espeak driver wants a library and `aplay` installed by hand, takes a missing one for a finished sentence,
and its `stop` stops nothing. This one hands every stretch of samples on as it is made, so that the first sound comes
within milliseconds, and ends between two stretches when asked to. Source: eSpeak NG's `speak_lib.h`.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import time
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Final

NAME: Final = "espeak-ng"

LOUDEST: Final = 80
"""The engine's own usual loudness is 100: at that some vowels clip (Spanish "todavía"); this leaves a little room."""

LONGEST_VARIANT: Final = 16
"""Letters of a variant; the library has room for 40 in all."""

_SYNCHRONOUS: Final = 2
_DO_NOT_EXIT: Final = 0x8000
_UTF8: Final = 1
_RATE, _VOLUME = 1, 2
_STRETCH_MS: Final = 60
_OK: Final = 0

Samples = Callable[[bytes], bool]
"""Takes 16-bit mono samples in the machine's byte order; False asks the engine to stop."""

_CALLBACK: Final = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class EngineError(RuntimeError):
    """The speech engine does not work here; the message is one sentence."""


class _Voice(ctypes.Structure):
    """How the library tells of a voice (`espeak_VOICE`)."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_void_p),
        ("identifier", ctypes.c_char_p),
        ("numbers", ctypes.c_ubyte * 4),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


class Library:
    """eSpeak NG in this process; there can be only one, and it cannot be taken down and set up again."""

    def __init__(self) -> None:
        try:
            # Loaded when it is wanted: a computer without it plays all the same, with captions only.
            import espeakng_loader

            os.environ["ESPEAK_DATA_PATH"] = data = espeakng_loader.get_data_path()
            self._lib = ctypes.CDLL(espeakng_loader.get_library_path())
        except (ImportError, OSError, RuntimeError) as error:
            raise EngineError(f"the speech library cannot be loaded ({error})") from error
        self._lib.espeak_TextToPhonemes.restype = ctypes.c_char_p
        # without _DO_NOT_EXIT the library ends the process when its data are missing
        self.rate = int(self._lib.espeak_Initialize(_SYNCHRONOUS, _STRETCH_MS, data.encode(), _DO_NOT_EXIT))
        if self.rate <= 0:
            raise EngineError("the speech library does not find its voices")
        self._receive: Samples = _ignore
        self._callback = _CALLBACK(self._on_samples)
        self._lib.espeak_SetSynthCallback(self._callback)

    def _on_samples(self, samples: Any, count: int, _events: int | None) -> int:
        data = ctypes.string_at(samples, count * 2) if samples and count else b""
        return 0 if not data or self._receive(data) else 1

    def speak(self, text: str, receive: Samples) -> None:
        """Turn `text` into samples and give them to `receive`; returns when all are given or it said False."""
        self._receive = receive
        encoded = text.encode()
        result = self._lib.espeak_Synth(encoded, ctypes.c_size_t(len(encoded) + 1), 0, 0, 0, _UTF8, None, None)
        self._receive = _ignore
        if result != _OK:
            raise EngineError(f"the speech library refused a sentence (error {result})")

    def set_voice(self, name: str) -> None:
        """Speak with the voice `name`, such as `en-gb`, or a variant of it, `en-gb+f3`; EngineError when there is none.

        The library itself ends the process at a long name, and takes a path for a file to open: it is only given
        what it has named before.
        """
        known = self._identifier(name)
        if known is None or self._lib.espeak_SetVoiceByName(known.encode()) != _OK:
            raise EngineError(f"the speech library has no voice {name[:40]!r}")

    def has(self, name: str) -> bool:
        """Whether `set_voice` takes this name."""
        return self._identifier(name) is not None

    def _identifier(self, name: str) -> str | None:
        base, plus, variant = name.partition("+")
        known = self._identifiers.get(base)
        if known is None or not plus:
            return known
        return f"{known}+{variant}" if variant in self._variants else None

    def voices(self) -> dict[str, str]:
        """Its voices by the language that each speaks first, such as `en-gb`, with their names; sorted."""
        return {code: name for code, (name, _) in sorted(self._listed.items())}

    @cached_property
    def _listed(self) -> dict[str, tuple[str, str]]:
        """Name and identifier (such as `gmw/en`) by language."""
        self._lib.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_Voice))
        listed, found = self._lib.espeak_ListVoices(None), dict[str, tuple[str, str]]()
        for at in itertools.count():
            if not listed[at]:
                break
            one = listed[at].contents
            # A byte of priority before each language; the first one is its own.
            found[ctypes.string_at(one.languages + 1).decode()] = one.name.decode(), one.identifier.decode()
        return found

    @cached_property
    def _identifiers(self) -> dict[str, str]:
        """Identifiers by all that a voice may be called: its language, its file, its identifier."""
        known = [(code, identifier) for code, (_, identifier) in self._listed.items()]
        files = {identifier.rpartition("/")[2]: identifier for _, identifier in known}
        return {**dict(known), **{identifier: identifier for _, identifier in known}, **files}

    @cached_property
    def _variants(self) -> frozenset[str]:
        folder = Path(os.environ["ESPEAK_DATA_PATH"]) / "voices" / "!v"
        names = (path.name for path in folder.glob("*"))
        return frozenset(name for name in names if len(name) <= LONGEST_VARIANT)

    def set_rate(self, words_a_minute: int) -> None:
        """How fast to speak, 80 to 450."""
        self._lib.espeak_SetParameter(_RATE, words_a_minute, 0)

    def set_volume(self, volume: float) -> None:
        """How loud to speak, 0 to 1."""
        self._lib.espeak_SetParameter(_VOLUME, round(LOUDEST * volume), 0)


def _ignore(_data: bytes) -> bool:
    return False


class Driver:
    """What pyttsx3 calls; the method names are its own (`pyttsx3.drivers.dummy` documents them)."""

    def __init__(self, proxy: Any, library: Library, receive: Samples) -> None:
        self._proxy = proxy
        self._library = library
        self._receive = receive
        self._ended = False
        self._stopping = False
        self._properties: dict[str, object] = {"rate": 175, "volume": 1.0, "voice": "en", "voices": []}

    def say(self, text: str) -> None:
        """Speak `text` to its end or until `stop`."""
        self._stopping = False
        self._proxy.setBusy(True)
        self._proxy.notify("started-utterance")
        self._library.speak(text, self._pass_on)
        self._proxy.notify("finished-utterance", completed=not self._stopping)
        self._proxy.setBusy(False)

    def _pass_on(self, data: bytes) -> bool:
        return not self._stopping and self._receive(data)

    def stop(self) -> None:
        """End the sentence at the next stretch; may be called from another thread."""
        self._stopping = True

    def startLoop(self) -> None:  # noqa: N802
        """Carry out what is queued until `endLoop`, which pyttsx3 may have called already."""
        self._proxy.setBusy(False)
        while not self._ended:
            time.sleep(0.005)
        self._ended = False

    def endLoop(self) -> None:  # noqa: N802
        """Leave `startLoop`."""
        self._ended = True

    def getProperty(self, name: str) -> object:  # noqa: N802
        """`rate` (words a minute), `volume` (0 to 1) or `voice`."""
        return self._properties[name]

    def setProperty(self, name: str, value: Any) -> None:  # noqa: N802
        """Change `rate`, `volume` or `voice`."""
        change: dict[str, Callable[[Any], None]] = {
            "voice": self._library.set_voice,
            "rate": self._library.set_rate,
            "volume": self._library.set_volume,
        }
        change[name](value)
        self._properties[name] = value

    def destroy(self) -> None:
        """Nothing to give back: the library stays until the process ends."""


@cache
def library() -> Library:
    """The one library of this process."""
    return Library()


def sample_rate() -> int:
    """Samples a second of everything spoken; EngineError when the library does not work."""
    return library().rate


def offer_to_pyttsx3(receive: Samples) -> None:
    """Put the driver where `pyttsx3.init(NAME)` finds it; `receive` gets all samples of engines made from now on."""
    speaking = library()
    module = ModuleType(f"pyttsx3.drivers.{NAME}")
    module.buildDriver = lambda proxy: Driver(proxy, speaking, receive)  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
