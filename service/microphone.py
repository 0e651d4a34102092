"""Where the ears listen: the computer's microphone through miniaudio, or a WAV file for tests and rehearsals.

Pieces of sound come as 16 kHz mono, 16 bit; each is about a tenth of a second. `open_ears` picks by name.
"""

from __future__ import annotations

import queue
import time
import wave
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from service.recognisers import RATE, EarsError

PIECE_SECONDS: Final = 0.1
SILENT_SECONDS: Final = 2.0
"""Seconds without any sound data after which the microphone counts as gone."""


class Listening(Protocol):
    """A source of sound. Iterate it for pieces; `close` ends the iteration from any thread."""

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None:
        """End the iteration and free the device."""
        ...


class WavFile:
    """A WAV file as if it were spoken now; `hurry` gives it as fast as it is taken. EarsError when it is none."""

    def __init__(self, path: Path, *, hurry: bool = False) -> None:
        self._hurry, self._closed = hurry, False
        self._samples = read_wav(path)

    def __iter__(self) -> Iterator[bytes]:
        step, began = int(RATE * PIECE_SECONDS), time.monotonic()
        for at in range(0, len(self._samples), step):
            if self._closed:
                return
            if not self._hurry:
                time.sleep(max(0.0, began + at / RATE - time.monotonic()))
            yield self._samples[at : at + step].tobytes()

    def close(self) -> None:
        """End the iteration."""
        self._closed = True


def read_wav(path: Path) -> npt.NDArray[np.int16]:
    """The samples of a WAV file, made 16 kHz mono."""
    try:
        with wave.open(str(path), "rb") as file:
            channels, width, rate, count = file.getparams()[:4]
            data = file.readframes(count)
    except (OSError, EOFError, wave.Error) as error:
        raise EarsError(f"{path} is no WAV file that can be read ({error}).") from None
    if width != 2:
        raise EarsError(f"{path} has {8 * width} bits a sample: give a WAV file of 16 bits.")
    sound = np.frombuffer(data, np.int16).reshape(-1, channels).mean(axis=1)
    places = np.arange(int(len(sound) * RATE / rate)) * rate / RATE
    return np.asarray(np.interp(places, np.arange(len(sound)), sound), np.int16)


class Microphone:
    """The system's microphone, open only while it is iterated. EarsError when there is none."""

    def __init__(self) -> None:
        try:
            import miniaudio
        except (ImportError, OSError) as error:
            raise EarsError(f"The microphone needs miniaudio, which cannot be loaded here ({error}).") from error
        self._api: Any = miniaudio
        try:
            names = [str(device["name"]) for device in miniaudio.Devices().get_captures()]
        except miniaudio.MiniaudioError as error:
            raise EarsError(f"There is no microphone ({error}): plug one in, or use keys and command cards.") from None
        real = [name for name in names if not any(sham in name for sham in SHAMS)]
        if not real:
            raise EarsError("There is no microphone: plug one in, or use keys and command cards.")
        self.device = real[0]
        self._pieces: queue.Queue[bytes | None] = queue.Queue(maxsize=100)

    def __iter__(self) -> Iterator[bytes]:
        try:
            capture = self._api.CaptureDevice(
                input_format=self._api.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=RATE,
                buffersize_msec=int(1000 * PIECE_SECONDS),
                app_name="Tableref",
            )
        except self._api.MiniaudioError as error:
            raise EarsError(f"The microphone does not start ({error}).") from None
        with capture:
            taking = self._take()
            next(taking)
            capture.start(taking)
            while (piece := self._next()) is not None:
                yield piece

    def _next(self) -> bytes | None:
        try:
            return self._pieces.get(timeout=SILENT_SECONDS)
        except queue.Empty:
            raise EarsError("The microphone gives no sound: check that it is switched on.") from None

    def _take(self) -> Generator[None, bytes, None]:
        while True:
            piece = yield
            if not self._pieces.full():  # a reader that is late loses sound, never memory
                self._pieces.put(piece)

    def close(self) -> None:
        """End the iteration."""
        self._pieces.put(None)


SHAMS: Final = ("Monitor of", "Discard all samples", "Dummy", "Null")
"""Names under which systems offer a microphone that hears nothing, or only the computer itself."""


def open_ears(spec: str) -> Callable[[], Listening]:
    """What makes a source of sound anew for each listening: `microphone`, or a WAV file. Raises EarsError at once."""
    if spec == "microphone":
        Microphone()
        return Microphone
    path = Path(spec)
    if not path.is_file():
        raise EarsError(f"There is no file {spec}: give a WAV file, or leave --ears-source out for the microphone.")
    read_wav(path)
    return lambda: WavFile(path)
