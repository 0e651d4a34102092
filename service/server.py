"""The server of pages and API, and its end: a stream, or a request that is half sent, keeps nobody waiting.

Who is being answered gets `GRACE` seconds; lines that would go on for ever (streams), or whose request is still coming,
are closed at once. A page whose line is closed comes back by itself when the service does.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Final, cast

import uvicorn
from starlette.types import ASGIApp

from service.connections import MOST, Connection

GRACE: Final = 0.5
"""Seconds in which answers that were begun may be finished when the service ends."""

_OF_OTHERS: Final = (
    "ASGI callable returned without completing",
    "Cancel ",
    "Invalid HTTP request",
    "No supported WebSocket library",
    "Unsupported upgrade request",
    "socket.send() raised exception",
)
"""What uvicorn says of programs at the other end, that leave in the middle or speak something else."""


class Server(uvicorn.Server):
    """Serves `app` until `should_exit` is set or a signal comes."""

    def __init__(self, app: ASGIApp) -> None:
        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            proxy_headers=False,
            limit_concurrency=MOST,
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,  # for what does not let itself be cut
            server_header=False,
        )
        super().__init__(config)
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(_is_worth_saying)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody in any more, let what can be finished be finished, and close every line."""
        for connection in self._connections():
            connection.leave()
        last = asyncio.get_running_loop().call_later(GRACE, self._cut)
        await super().shutdown(sockets)
        last.cancel()

    def _cut(self) -> None:
        for connection in self._connections():
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()

    def _connections(self) -> list[Connection]:
        return cast(list[Connection], list(self.server_state.connections))


def _is_worth_saying(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_OF_OTHERS)
