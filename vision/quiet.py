"""Silence for the libraries below OpenCV, whose complaints would stand beside our own sentence.

libpng, libjpeg and FFmpeg write what they think of a damaged file to the standard error of the process itself (file
descriptor 2), past every logger. What this program logs meanwhile has a way of its own (`service.logs`).
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Final

import cv2

STANDARD_ERROR: Final = 2


class _Silence:
    """Standard error led to nowhere while anybody wants it so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = 0
        self._kept: int | None = None

    def begin(self) -> None:
        with self._lock:
            self._wanted += 1
            if self._wanted == 1:
                with contextlib.suppress(OSError):  # closed by who started the program
                    self._kept = os.dup(STANDARD_ERROR)
                    nowhere = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(nowhere, STANDARD_ERROR)
                    os.close(nowhere)

    def end(self) -> None:
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0 and self._kept is not None:
                os.dup2(self._kept, STANDARD_ERROR)
                os.close(self._kept)
                self._kept = None


_SILENCE: Final = _Silence()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps OpenCV, and what it decodes with, from writing; may be used by several threads at a time."""
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()
        cv2.utils.logging.setLogLevel(before)
