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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import cv2

from vision.changes import ViewBack, ViewLost
from vision.frames import Frame, Glimpse, SourceError, is_there, opencv_silent

LOST: Final = "No picture comes from {}: check its cable; I go on when it is back."


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
    first_pause, longest_pause: the pause before opening it again; doubles from the first to the longest.
    """

    lost: float = 2.0
    first_pause: float = 0.5
    longest_pause: float = 8.0


class LiveSource:
    """A camera or stream. `seconds` count on the computer's monotonic clock from when it was opened.

    name: as people would call it, for the sentences. first: the capture already open, so that a missing camera is told
    at once.
    """

    def __init__(self, name: str, first: Capture, reopen: Opener, patience: Patience = Patience()) -> None:
        self._name, self._reopen, self._patience = name, reopen, patience
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
            if frame is None and not self._lost:
                self._lost = True
                yield ViewLost(self._now(), LOST.format(self._name), "silent", self._name)
            elif frame is not None:
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
        with opencv_silent():
            return _opened(cv2.VideoCapture(device))

    first = opener()
    if first is None:
        raise SourceError(f"No camera answers as camera:{which}: plug one in or close other programs that use it.")
    return LiveSource(f"camera {which}", first, opener)


def open_stream(url: str) -> LiveSource:
    """The pictures behind an address. Raises SourceError."""

    def opener() -> Capture | None:
        with opencv_silent():
            return _opened(cv2.VideoCapture(url, cv2.CAP_FFMPEG))

    first = opener()
    if first is None:
        raise SourceError(f"No pictures come from {url}: check the address and the network, or use camera:0.")
    return LiveSource("the stream", first, opener)


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
