"""Where speech goes: a sound device, a player program, a WAV file, or nowhere. Used by the speaking process only.

A `Player` takes a sentence as 16-bit mono samples: `begin`, any number of `feed`, then `finish`, which returns when the
sentence has been heard or `cut` was called from another thread. `choose` tries what there is, the best first, and
believes none that only pretends: a missing device is a `SoundError`, not silence.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
import threading
import time
import wave
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

SLICE_SECONDS: Final = 0.02
"""A sentence that is cut ends within this time."""
PATIENCE_SECONDS: Final = 2.0
"""How much longer than its sentence a device may take before it counts as gone."""
PAUSE_SECONDS: Final = 0.25
"""Silence behind each sentence in a WAV file."""


class SoundError(RuntimeError):
    """Nothing can be heard that way; the message is one sentence."""


class Player(Protocol):
    """Something that makes a sentence heard."""

    name: str
    device: str
    """What it sounds on, for people to read."""
    sounded: float | None
    """When the last sentence was first heard, as `time.monotonic` has it; None while it was not."""

    def begin(self, rate: int) -> None:
        """A sentence of `rate` samples a second begins."""

    def feed(self, samples: bytes) -> bool:
        """More of it; never waits. False when the sentence was cut and no more is wanted."""

    def finish(self) -> None:
        """Wait until it was heard, or cut. Raises SoundError when it was not."""

    def cut(self) -> None:
        """Be silent at once; called from another thread."""


class _Collected:
    """A sentence that is collected first and played by `finish`."""

    def __init__(self) -> None:
        self._rate = 22050
        self._samples = bytearray()
        self._cut = threading.Event()
        self.sounded: float | None = None

    def begin(self, rate: int) -> None:
        """A sentence of `rate` samples a second begins."""
        self._rate = rate
        self._samples.clear()
        self._cut.clear()
        self.sounded = None

    def feed(self, samples: bytes) -> bool:
        """More of it."""
        self._samples += samples
        return not self._cut.is_set()

    def cut(self) -> None:
        """Be silent at once."""
        self._cut.set()

    def _seconds(self) -> float:
        return len(self._samples) / 2 / self._rate


class Nowhere(_Collected):
    """Takes as long as the sentence would, and is not heard."""

    name = "none"
    device = "no sound by choice"

    def finish(self) -> None:
        """Wait as long as the sentence lasts."""
        self.sounded = time.monotonic()
        self._cut.wait(self._seconds())


class IntoFile(_Collected):
    """Writes what would be heard into a WAV file, as fast as it would be heard, behind what is there already."""

    name = "file"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.device = str(path)
        try:
            is_new = not path.exists()
            path.open("ab").close()
            if is_new:  # nothing is left where nothing was said
                path.unlink()
        except OSError as error:
            raise SoundError(f"{path} cannot be written ({error.strerror})") from error

    def finish(self) -> None:
        """Write the sentence in real time; the file is whole after every slice."""
        step = int(self._rate * SLICE_SECONDS) * 2
        began = self.sounded = time.monotonic()
        for start in range(0, len(self._samples), step):
            if self._cut.wait(max(0.0, began + start / 2 / self._rate - time.monotonic())):
                break
            append_wav(self._path, bytes(self._samples[start : start + step]), self._rate)
        append_wav(self._path, bytes(2 * int(PAUSE_SECONDS * self._rate)), self._rate)


class Miniaudio:
    """The computer's own sound device, through the library that pip brings; `backend` names one of its ways alone."""

    name = "miniaudio"

    def __init__(self, backend: str | None = None) -> None:
        try:
            import miniaudio
        except (ImportError, OSError) as error:
            raise SoundError(f"miniaudio cannot be loaded ({error})") from error
        self._api: Any = miniaudio
        self._backends = (
            [miniaudio.Backend[backend]]
            if backend
            else [one for one in miniaudio.Backend if one.name not in ("NULL", "CUSTOM")]
        )
        self.device = backend or self._real_device()
        self._playing: Any = None
        self._rate = 0
        self._waiting = bytearray()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._complete = self._is_cut = False
        self.sounded: float | None = None

    def _real_device(self) -> str:
        try:
            names = [str(device["name"]) for device in self._api.Devices(self._backends).get_playbacks()]
        except self._api.MiniaudioError as error:
            raise SoundError(f"there is no sound device ({error})") from error
        real = [name for name in names if not any(sham in name for sham in _SHAMS)]
        if not real:
            raise SoundError("there is no sound device")
        return real[0]

    def begin(self, rate: int) -> None:
        """A sentence of `rate` samples a second begins."""
        with self._lock:
            self._waiting.clear()
            self._complete = self._is_cut = False
            self.sounded = None
        self._ended.clear()
        try:
            self._start(rate)
        except self._api.MiniaudioError as error:
            self._playing = None
            raise SoundError(f"the sound device does not start ({error})") from error

    def _start(self, rate: int) -> None:
        if self._playing is None or rate != self._rate:
            self._playing = self._api.PlaybackDevice(
                output_format=self._api.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=rate,
                buffersize_msec=60,
                backends=self._backends,
                app_name="Tableref",
            )
            self._rate = rate
        generator = self._frames()
        next(generator)
        self._playing.start(generator)

    def _frames(self) -> Generator[bytes, int, None]:
        count = yield b""
        while True:
            with self._lock:
                part = bytes(self._waiting[: 2 * count])
                del self._waiting[: 2 * count]
                if part and self.sounded is None:
                    self.sounded = time.monotonic()
                if self._complete and not self._waiting and not part:
                    self._ended.set()
            count = yield part.ljust(2 * count, b"\0")

    def feed(self, samples: bytes) -> bool:
        """More of it."""
        with self._lock:
            if not self._is_cut:
                self._waiting += samples
            return not self._is_cut

    def finish(self) -> None:
        """Wait until the device has asked for more than there was."""
        with self._lock:
            self._complete = True
            seconds = len(self._waiting) / 2 / self._rate
        heard = self._ended.wait(seconds + PATIENCE_SECONDS)
        self._playing.stop()
        if not heard:
            self._playing = None
            raise SoundError("the sound device does not play")

    def cut(self) -> None:
        """Be silent at once."""
        with self._lock:
            self._waiting.clear()
            self._complete = self._is_cut = True


_SHAMS: Final = ("Discard all samples", "Dummy Output", "Null Output")
"""Names under which ALSA, PulseAudio and PipeWire offer a device that nobody hears."""


class Program(_Collected):
    """A player program that the system has."""

    def __init__(self, name: str, arguments: Callable[[int, str], list[str]]) -> None:
        super().__init__()
        self.name = name
        self.device = "the system's default"
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        if shutil.which(name) is None:
            raise SoundError(f"{name} is not installed")

    def finish(self) -> None:
        """Give the sentence to the program and wait for its end."""
        if self._cut.is_set():
            return
        with tempfile.TemporaryDirectory(prefix="tableref-") as folder:
            path = Path(folder) / "sentence.wav"
            write_wav(path, bytes(self._samples), self._rate)
            self._play(path)

    def _play(self, path: Path) -> None:
        command = self._arguments(self._rate, str(path))
        no = subprocess.DEVNULL
        self.sounded = time.monotonic()
        with subprocess.Popen(command, stdin=no, stdout=no, stderr=subprocess.PIPE) as self._process:
            try:
                _, said = self._process.communicate(timeout=self._seconds() + PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                raise SoundError(f"{self.name} hangs") from None
            if self._process.returncode != 0 and not self._cut.is_set():
                reason = said.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
                raise SoundError(f"{self.name} cannot play ({reason[0]})")

    def cut(self) -> None:
        """Be silent at once."""
        super().cut()
        if self._process is not None:
            self._process.kill()


PROGRAMS: Final[Mapping[str, Callable[[int, str], list[str]]]] = {
    "pw-play": lambda rate, path: ["pw-play", path],
    "paplay": lambda rate, path: ["paplay", path],
    "aplay": lambda rate, path: ["aplay", "-q", path],
    "afplay": lambda rate, path: ["afplay", path],
}

WAYS: Final = ("auto", "none", "miniaudio", *PROGRAMS)
"""What `sound` may be, besides file:PATH."""


def _candidates(spec: str) -> Iterator[Callable[[], Player]]:
    if spec.startswith("file:"):
        yield lambda: IntoFile(Path(spec.removeprefix("file:")))
    elif spec == "none":
        yield Nowhere
    if spec in ("auto", "miniaudio"):
        yield Miniaudio
    for name, arguments in PROGRAMS.items():
        if spec in ("auto", name):
            yield partial(Program, name, arguments)


def choose(spec: str) -> Player:
    """The player for a setting `sound`: auto, none, miniaudio, the name of a program, or file:PATH.

    With `auto` every program must play a moment of silence to be believed. Raises SoundError with all reasons.
    """
    reasons: list[str] = []
    for make in _candidates(spec):
        try:
            player = make()
            _prove(player)
        except SoundError as error:
            reasons.append(str(error))
        else:
            return player
    if not reasons:
        raise SoundError(f"there is no way {spec!r} to make sound; there are {', '.join(WAYS)}, file:PATH")
    missing = [reason for reason in reasons if reason.endswith("not installed")]
    told = [reason for reason in reasons if reason not in missing] or missing
    raise SoundError("; ".join(dict.fromkeys(told)))


def _prove(player: Player) -> None:
    """Let a player that may fail play a moment of silence."""
    if isinstance(player, (Program, Miniaudio)):
        player.begin(22050)
        player.feed(bytes(2 * 1102))
        player.finish()


def write_wav(path: Path, samples: bytes, rate: int) -> None:
    """Write 16-bit mono samples as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", "not compressed"))
        file.writeframes(samples)


def append_wav(path: Path, samples: bytes, rate: int) -> None:
    """Put samples behind those in a WAV file of the same kind, or begin one; whole again when this returns."""
    if not path.exists() or path.stat().st_size == 0:
        write_wav(path, samples, rate)
        return
    with path.open("r+b") as file:
        end = file.seek(0, 2)
        file.write(samples)
        size = end + len(samples)
        for place, value in ((4, size - 8), (40, size - 44)):
            file.seek(place)
            file.write(struct.pack("<I", value))
