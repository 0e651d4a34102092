"""Connections of the service: those that ask nothing are closed, and no computer in the network holds too many.

uvicorn waits for ever for the rest of a request that was begun. Here the head of a request has `HEAD_SECONDS`; bodies
and answers have their own times in `guard`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from service.guard import is_this_computer

HEAD_SECONDS: Final = 10.0
"""How long a connection may be open without a whole request on it."""
MOST: Final = 512
"""Connections in all; one more is answered with 503."""
MOST_OF_ONE: Final = 48
"""Connections of one address in the network, more than its requests so that these can be refused in words."""


class Connection(H11Protocol):
    """One connection. It is closed when it goes `HEAD_SECONDS` without a request."""

    head_seconds: ClassVar[float] = HEAD_SECONDS
    _held: ClassVar[Counter[str]] = Counter()
    _address = ""
    _is_leaving = False
    _patience: asyncio.TimerHandle | None = None

    @classmethod
    def held(cls, address: str) -> int:
        """How many connections somebody has open."""
        return cls._held[address]

    def connection_made(self, transport: Any) -> None:
        """Somebody came."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        self._held[self._address] += 1
        if self._held[self._address] > MOST_OF_ONE and not is_this_computer(self._address):
            transport.abort()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody left."""
        super().connection_lost(exc)
        if self._patience is not None:
            self._patience.cancel()
        self._held[self._address] -= 1
        if self._held[self._address] <= 0:
            del self._held[self._address]

    def leave(self) -> None:
        """The service ends: close the line, unless there is an answer on its way that will be whole in a moment."""
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and (cycle.more_body or cycle.response_started):
            self.transport.close()

    def _wait(self) -> None:
        self._patience = self.loop.call_later(self.head_seconds, self._look, self.cycle)

    def _look(self, before: object) -> None:
        """Close when nothing was asked since the last look and nothing is being answered.

        One that is closed already waits for its last bytes to be taken: not longer than to the look after the next.
        """
        is_idle = self.cycle is None or self.cycle.response_complete
        if self._is_leaving:
            self.transport.abort()
            return
        self._is_leaving = self.transport.is_closing()
        if is_idle and self.cycle is before and not self._is_leaving:
            self.transport.close()
            self._is_leaving = True
        self._wait()
