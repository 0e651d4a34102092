"""From the table's threads to an asyncio loop: updates in order, and never a wait.

A listener that falls behind by more than `QUEUE` updates loses them and gets the whole state instead, so that a slow
display costs the table nothing and is itself right again at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Final, Self, TypedDict

QUEUE: Final = 32


class Update(TypedDict):
    """What listeners are told: `kind` is `event`, `state` or `notice`; `data` always has the whole `state`."""

    version: int
    kind: str
    data: dict[str, Any]


class Subscription:
    """One listener: a context manager and asynchronous iterator of updates, for the loop it was made in."""

    def __init__(
        self, first: Iterable[Update], whole: Callable[[], Update], leave: Callable[[Subscription], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._whole, self._leave = whole, leave
        self._waiting: deque[Update] = deque(first)
        self._news = asyncio.Event()
        self._lock = threading.Lock()
        self._behind = False
        if self._waiting:
            self._news.set()

    def put(self, update: Update) -> None:
        """Tell the listener, from any thread, without waiting."""
        with self._lock:
            if len(self._waiting) >= QUEUE:
                self._waiting.clear()
                self._behind = True
            elif not self._behind:
                self._waiting.append(update)
        with contextlib.suppress(RuntimeError):  # the loop has ended, and the listener with it
            self._loop.call_soon_threadsafe(self._news.set)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Listen no more."""
        self._leave(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        """The next update; waits for it as long as it takes."""
        while True:
            with self._lock:
                behind, self._behind = self._behind, False
                if not behind and self._waiting:
                    return self._waiting.popleft()
                self._news.clear()
            if behind:
                return self._whole()
            await self._news.wait()
