"""One evening at the table: camera, table, voice and pages put together, and taken apart again in order.

    with Evening.open(settings, door, settings.database) as evening:
        evening.watch(source, sight)
        evening.serve()

`serve` runs in the thread that calls it until it is interrupted or `end` is called. The camera has its own thread, the
voice its own process; none of them waits for another, and each may fail without the others noticing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, Self

import uvicorn

from referee.options import MatchSettings
from service.api import Desk, create_app
from service.outputs import may_become_a_record
from service.phrases import Phrases
from service.preview import Preview
from service.sentences import Refusal
from service.settings import Settings
from service.store import Store
from service.table import Table
from service.voice import Voice
from service.watching import Watcher
from vision.frames import Source
from vision.sight import Sight

log = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
GRACE: Final = 1
"""Seconds that open connections are given when the service ends."""
RECORD_SECONDS: Final = 0.25
"""How soon a line stands in the file of `--record`."""


def open_door(port: int) -> socket.socket:
    """The port of pages and API, bound on this computer only; Refusal when it is taken."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # On Windows the option would let two programs share the port.
    if os.name == "posix":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((HOST, port))
    except OSError as error:
        door.close()
        reason = error.strerror or str(error)
        raise Refusal(
            f"Port {port} cannot be used ({reason}): close the other program, or choose one with --port."
        ) from None
    return door


@dataclass
class Evening:
    """All that runs while people play. `url` is where its pages are."""

    desk: Desk
    voice: Voice
    door: socket.socket
    watcher: Watcher | None = None
    recorder: Recorder | None = None
    _server: uvicorn.Server = field(init=False)

    def __post_init__(self) -> None:
        config = uvicorn.Config(
            create_app(self.desk),
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=GRACE,
            server_header=False,
        )
        # Event streams are cut off when the service ends; that is no fault to report.
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(_is_worth_saying)
        self._server = uvicorn.Server(config)

    @classmethod
    @contextlib.contextmanager
    def open(cls, settings: Settings, door: socket.socket, database: Path) -> Iterator[Self]:
        """Store, voice and table; on leaving everything is closed. Raises StoreError, PhraseError."""
        phrases = Phrases.load(settings.lang, settings.level)
        with contextlib.ExitStack() as closing:
            closing.callback(door.close)
            store = closing.enter_context(Store.open(database))
            voice = Voice(settings)
            closing.callback(voice.stop)
            table = Table.open(store, phrases, voice)
            desk = Desk(table, store, Preview(), settings.lang, lambda: voice.status(patience=0))
            evening = cls(desk, voice, door)
            closing.callback(evening._stop_threads)
            if store.kept_aside is not None:
                table.notice("kept_aside", file=str(store.kept_aside))
            yield evening

    @property
    def table(self) -> Table:
        """The table."""
        return self.desk.table

    @property
    def url(self) -> str:
        """Where the pages are."""
        host, port = self.door.getsockname()[:2]
        return f"http://{host}:{port}"

    def play(self, match: MatchSettings) -> None:
        """The match with these settings: goes on with the one in play when its players and rules are the same."""
        state = self.table.state
        if state is not None and state.settings == match and state.winner is None:
            self.table.notice("resumed")
        else:
            self.table.new_match(match)

    def watch(self, source: Source, sight: Sight, clock: Callable[[float], object] = lambda seconds: None) -> Watcher:
        """Watch the table in a thread of its own."""
        self.watcher = Watcher(source, sight, self.table.see, self.desk.preview, clock)
        self.watcher.start()
        return self.watcher

    def record(self, path: Path) -> None:
        """Keep the record of the match in the file `path`, from now on; Refusal when it cannot be written."""
        self.recorder = Recorder(self.table, path)
        self.recorder.start()

    def serve(self, page: str | None = None) -> None:
        """Serve pages and API until interrupted; opens `page`, such as `/setup`, in the browser when one is given."""
        if page is not None:
            threading.Thread(target=_browse, args=(self.url + page,), name="browser", daemon=True).start()
        with _ended_by_terminate():
            self._server.run([self.door])

    def end(self) -> None:
        """Let `serve` return, from any thread."""
        self._server.should_exit = True

    def _stop_threads(self) -> None:
        if self.watcher is not None:
            self.watcher.stop()
        if self.recorder is not None:
            self.recorder.stop()


class Recorder(threading.Thread):
    """Keeps a file equal to the record of the match in play. Writes nothing when nothing happens."""

    def __init__(self, table: Table, path: Path) -> None:
        super().__init__(name="record", daemon=True)
        may_become_a_record(path)
        # A link stays one: what it leads to is written.
        self._table, self._path = table, path.resolve()
        self._stopping = threading.Event()
        try:
            self._write()
        except OSError as error:
            raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None

    def run(self) -> None:
        """The thread itself."""
        written = -1
        while not self._stopping.wait(RECORD_SECONDS):
            version = self._table.version
            if version != written:
                written = version
                self._try()

    def stop(self) -> None:
        """Write once more and end."""
        self._stopping.set()
        self.join(2)
        self._try()

    def _try(self) -> None:
        try:
            self._write()
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)

    def _write(self) -> None:
        beside = self._path.with_name(self._path.name + ".part")
        beside.write_text(self._table.record(), encoding="utf-8", newline="\n")
        beside.replace(self._path)


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Not what programs at the other end do: leave in the middle, or speak something else."""
    return not record.getMessage().startswith(
        (
            "ASGI callable returned without completing",
            "Invalid HTTP request",
            "No supported WebSocket library",
            "Unsupported upgrade request",
            "socket.send() raised exception",
        )
    )


def _browse(url: str) -> None:
    with contextlib.suppress(Exception):  # a computer without a browser is no fault
        webbrowser.open(url)


@contextlib.contextmanager
def _ended_by_terminate() -> Iterator[None]:
    """Lets a request of the system to end (SIGTERM) close everything in order, as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
