"""A real server on a free port, for the tests of what people see and touch."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from starlette.types import ASGIApp

Serve = Callable[[ASGIApp], str]
Serving = Callable[..., contextlib.AbstractContextManager[str]]


@contextlib.contextmanager
def serving(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """Serves `app` on the loopback address; gives its URL."""
    door = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([door],), name="server of the test")
    thread.start()
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        door.close()
    assert not thread.is_alive()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves applications until the test ends."""
    with contextlib.ExitStack() as running:
        yield lambda app: running.enter_context(serving(app))


@pytest.fixture
def serving_at() -> Serving:
    """Serves an application, on a port of choice, as long as the test wants."""
    return serving
