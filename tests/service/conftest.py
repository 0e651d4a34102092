"""A real server on a free port, for the tests of what people see and touch."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.types import ASGIApp

from service.api import create_app
from service.desk import Desk
from service.phrases import Phrases
from service.preview import Preview
from service.store import Store
from service.table import Table
from tests.service.browsing import CHROMIUM, FLAGS, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A table without a match, in English."""
    with Store.open(tmp_path / "table.sqlite") as store:
        yield Desk(Table.open(store, Phrases.load("en")), store, Preview())


@pytest.fixture
def url(desk: Desk, serve: Serve) -> str:
    """Where the pages of `desk` are."""
    return serve(create_app(desk))


# what drives it leaves an event loop running in this thread as long as it lives: nothing for the modules after it
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module's tests; without Chromium, or what drives it, they skip."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed, and the pages are tested in one")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright, which drives Chromium, is not installed"
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Opens pages; afterwards none of them may have complained."""
    complaints: list[str] = []
    with contextlib.ExitStack() as closing:

        def opened(url: str, width: int = 1280, height: int = 720, **context: Any) -> Page:
            page = closing.enter_context(
                browser.new_context(viewport={"width": width, "height": height}, **context)
            ).new_page()
            page.set_default_timeout(15_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            page.goto(url)
            return page

        yield opened
    # A server that is not there, and a picture that is not there yet, are part of the tests.
    assert [text for text in complaints if "ERR_" not in text and "status of 4" not in text] == []
