"""The event stream: what happens at the table, to every page and program that listens, in order and without a gap.

A listener gets the whole state first, then every event with its version as `id`. One that comes back with the last `id`
it saw gets what it missed first, from memory or from the store, and then the state. One that is too slow loses its
queue and gets a state instead; one that takes nothing at all for `SEND_TIMEOUT` seconds is dropped. Nobody ever waits
for a listener.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Final

from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from service.subscription import Update
from service.table import Table

log = logging.getLogger(__name__)

PING: Final = 15
"""Seconds between two comments that keep a quiet line open."""
SEND_TIMEOUT: Final = 20.0
"""Seconds after which a listener that takes nothing is dropped."""
RETRY: Final = 1000
"""Milliseconds after which a browser comes back."""


def stream(table: Table, after: int | None) -> EventSourceResponse:
    """The stream for one listener that has seen version `after`, or nothing yet."""
    return Stream(messages(table, after), ping=PING, send_timeout=SEND_TIMEOUT, sep="\n")


class Stream(EventSourceResponse):
    """A stream whose listener may stall: it is dropped without a fault of the server being made of it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the listener is gone."""
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            log.warning("a listener took nothing for %g seconds and was dropped", self.send_timeout)


async def messages(table: Table, after: int | None) -> AsyncIterator[bytes]:
    """Everything that one listener is told."""
    with table.subscribe(after) as subscription:
        if subscription.gap is not None:
            for update in await asyncio.to_thread(table.missed, *subscription.gap):
                yield message(update)
        async for update in subscription:
            yield message(update)


@lru_cache(maxsize=64)
def message(update: Update) -> bytes:
    """One update as it goes over the line, coded once for all; its data always hold the whole `state`."""
    return ServerSentEvent(update.wire, event=update.kind, id=str(update.version), retry=RETRY, sep="\n").encode()
