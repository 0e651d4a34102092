"""From the table's threads to an asyncio loop: updates in order, and never a wait.

A listener that falls behind by more than `QUEUE` updates loses them and gets the whole state instead, so that a slow
display costs the table nothing and is itself right again at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Literal, Self

QUEUE: Final = 32

Kind = Literal["event", "state", "notice"]


@dataclass(frozen=True, slots=True)
class Update:
    """What listeners are told: `wire` is its data as JSON, coded once for all; they always have the whole `state`."""

    version: int
    kind: Kind
    wire: str

    @classmethod
    def of(cls, version: int, kind: Kind, data: dict[str, Any]) -> Update:
        """The update that carries `data`."""
        return cls(version, kind, json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    @property
    def data(self) -> dict[str, Any]:
        """What it carries."""
        return dict(json.loads(self.wire))


class Subscription:
    """One listener: a context manager and asynchronous iterator of updates, for the loop it was made in.

    gap: the versions (after, up to) that it missed and that `first` does not hold; they come before everything else.
    """

    def __init__(
        self,
        first: Iterable[Update],
        whole: Callable[[], Update],
        leave: Callable[[Subscription], None],
        gap: tuple[int, int] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._whole, self._leave, self.gap = whole, leave, gap
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
