"""What the camera saw when it told of something: the last pictures, in memory alone, to put a misreading right by."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

KEPT: Final = 64
"""Pictures; each takes about a tenth of a megabyte."""


class Pictures:
    """The newest `KEPT` pictures by the version of the event that they led to; used from any thread."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, threading.Lock()
        self._jpegs: OrderedDict[int, bytes] = OrderedDict()

    def keep(self, version: int, jpeg: bytes) -> None:
        """Keep the picture of one event; the oldest one goes."""
        with self._lock:
            self._jpegs[version] = jpeg
            while len(self._jpegs) > self._kept:
                self._jpegs.popitem(last=False)

    def of(self, version: int) -> bytes | None:
        """The picture of an event as JPEG, while it is in memory."""
        with self._lock:
            return self._jpegs.get(version)

    def versions(self) -> frozenset[int]:
        """The events that there is a picture of."""
        with self._lock:
            return frozenset(self._jpegs)
