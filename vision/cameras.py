"""Cameras and streams: a thread reads, the newest frame wins, and a camera that was pulled out is waited for.

The reading thread keeps one frame, never a queue, so memory stays flat however slow the reader is. Whether the view is
lost is decided where frames are taken, so a driver that hangs in its read is noticed too; the thread only tries again,
with growing pauses.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import cv2
import numpy as np

from vision.changes import ViewBack, ViewLost
from vision.detections import Image
from vision.frames import Frame, Glimpse, SourceError, is_there
from vision.quiet import quiet

SENTENCES: Final = {
    "silent": "No picture comes from {}: check its cable; I go on when it is back.",
    "black": "{} shows only black: take off its cap or switch on a light; I go on when it sees again.",
    "frozen": "{} shows the same picture all the time: unplug it and plug it in again; I go on when it moves.",
}
"""Why the view is lost, by the key of the phrase that says it."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def read(self) -> tuple[bool, Any]:
        """The next picture, or False when there is none."""
        ...

    def release(self) -> None:
        """Free the device."""
        ...


Opener = Callable[[], Capture | None]
"""Opens the device; None when it is not there."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera is waited for, in seconds.

    lost: without a new picture for this long the view counts as lost. Shorter reports more hiccups of slow cameras,
        longer leaves people playing unseen.
    frozen: pictures that are equal to the last bit for this long come from a camera that hangs.
    dark: grey level that some place must reach for a picture not to be black.
    first_pause, longest_pause: the pause before opening it again; doubles from the first to the longest.
    """

    lost: float = 2.0
    frozen: float = 8.0
    dark: float = 14.0
    first_pause: float = 0.5
    longest_pause: float = 8.0


class Picture:
    """Whether what a camera sends is a picture at all: not only black, and not one and the same for ever.

    A sensor is never quite still: frames that are equal to the last bit come from a driver that hangs.
    """

    def __init__(self, patience: Patience, may_freeze: bool) -> None:
        self._patience, self._may_freeze = patience, may_freeze
        self._sample: Image | None = None
        self._dark_since: float | None = None
        self._same_since = 0.0

    def fault(self, frame: Frame) -> str | None:
        """What is wrong with the pictures up to this one, `black` or `frozen`, or None."""
        sample = frame.image[::16, ::16].copy()
        dark = float(sample.max()) < self._patience.dark
        self._dark_since = (frame.seconds if self._dark_since is None else self._dark_since) if dark else None
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._same_since = frame.seconds
        self._sample = sample
        if self._dark_since is not None and frame.seconds - self._dark_since >= self._patience.lost:
            return "black"
        same = frame.seconds - self._same_since >= self._patience.frozen
        return "frozen" if same and self._may_freeze and not dark else None


class LiveSource:
    """A camera or stream. `seconds` count on the computer's monotonic clock from when it was opened.

    may_freeze: whether equal pictures tell of a camera that hangs, as they do not where somebody else sends them.
    name: as people would call it, for the sentences. first: the capture already open, so that a missing camera is told
    at once.
    """

    def __init__(
        self, name: str, first: Capture, reopen: Opener, patience: Patience = Patience(), may_freeze: bool = False
    ) -> None:
        self._name, self._reopen, self._patience = name, reopen, patience
        self._picture = Picture(patience, may_freeze)
        self._began = time.monotonic()
        self._newest: Frame | None = None
        self._lost = False
        self._arrived = threading.Condition()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(first,), name=f"frames of {name}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration and free the device; returns even when the driver hangs."""
        self._closed.set()
        with self._arrived:
            self._arrived.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=2)

    def __iter__(self) -> Iterator[Glimpse]:
        while not self._closed.is_set():
            frame = self._take(self._patience.lost)
            if self._closed.is_set():
                return
            fault = "silent" if frame is None else self._picture.fault(frame)
            if fault is not None and not self._lost:
                self._lost = True
                yield ViewLost(self._now(), SENTENCES[fault].format(self._name), fault, self._name)
            elif frame is not None and fault is None:
                if self._lost:
                    self._lost = False
                    yield ViewBack(frame.seconds)
                yield frame

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _take(self, timeout: float) -> Frame | None:
        """The newest frame not yet taken, or None when none came in time."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._newest is not None or self._closed.is_set(), timeout)
            frame, self._newest = self._newest, None
            return frame

    def _read(self, first: Capture) -> None:
        capture: Capture | None = first
        index, pause = 0, self._patience.first_pause
        while not self._closed.is_set():
            done, image = capture.read() if capture else (False, None)
            if done and image is not None:
                self._put(Frame(image, self._now(), index))
                index, pause = index + 1, self._patience.first_pause
                continue
            if capture:
                capture.release()
            self._closed.wait(pause)
            pause = min(2 * pause, self._patience.longest_pause)
            capture = None if self._closed.is_set() else self._reopen()
        if capture:
            capture.release()

    def _put(self, frame: Frame) -> None:
        with self._arrived:
            self._newest = frame
            self._arrived.notify_all()


def open_camera(which: str) -> LiveSource:
    """The camera with that index, device path or part of a name (names on Linux only). Raises SourceError."""
    device = _device(which)

    def opener() -> Capture | None:
        with quiet():
            return _opened(cv2.VideoCapture(device))

    first = opener()
    if first is None:
        raise SourceError(f"No camera answers as camera:{which}: plug one in or close other programs that use it.")
    return LiveSource(f"camera {which}", first, opener, may_freeze=True)


def open_stream(url: str) -> LiveSource:
    """The pictures behind an address. Raises SourceError."""

    def opener() -> Capture | None:
        with quiet():
            return _opened(cv2.VideoCapture(url, cv2.CAP_FFMPEG))

    first = opener()
    if first is None:
        raise SourceError(_silent_stream(url))
    return LiveSource("the stream", first, opener)


def _silent_stream(url: str) -> str:
    """Why no pictures come from an address, without the password that may stand in it."""
    parts = urllib.parse.urlsplit(url)
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    if parts.username is None and _is_locked(url):
        name = parts._replace(netloc=f"NAME:PASSWORD@{parts.netloc}").geturl()
        return f"The stream at {shown} wants a name and a password: give them in the address, {name}."
    why = "check the address, its name and password" if parts.username else "check the address (and its password)"
    return f"No pictures come from {shown}: {why} and the network, or use camera:0."


def _is_locked(url: str) -> bool:
    """Whether an HTTP address answers that it wants a password."""
    if not url.startswith(("http://", "https://")):
        return False
    try:
        with urllib.request.urlopen(url, timeout=3):
            return False
    except urllib.error.HTTPError as error:
        error.close()
        return error.code in (401, 403)
    except (OSError, ValueError):
        return False


def _opened(capture: cv2.VideoCapture) -> Capture | None:
    if not capture.isOpened():
        capture.release()
        return None
    # An old frame is worse than none: ask the driver for the shortest queue it has.
    with contextlib.suppress(cv2.error):
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _device(which: str) -> int | str:
    if re.fullmatch("[0-9]{1,4}", which):
        return int(which)
    if not which.strip():
        raise SourceError("No camera is named: give its number, such as camera:0.")
    if is_there(Path(which)):
        return which
    for index, name in camera_names().items():
        if which.lower() in name.lower():
            return index
    raise SourceError(f"No camera is called {which}: give its number, such as camera:0.")


def camera_names() -> dict[int, str]:
    """Index and name of the cameras that the system lists (Linux; elsewhere empty, cameras have numbers only)."""
    if not sys.platform.startswith("linux"):
        return {}
    nodes = sorted(Path("/sys/class/video4linux").glob("video*/name"))
    return {int(node.parent.name.removeprefix("video")): node.read_text().strip() for node in nodes}
