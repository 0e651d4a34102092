"""Listeners on the event stream while the pipeline watches the demo film: order, completeness, delay, a restart.

    python -m tests.service.bench_listeners --listeners 200 --events 100

The service, the camera's thread and the film run in a process of their own, as `tableref demo` runs them; the listeners
are sockets of this process. Half-way the service is ended and started again on the same port and store. The last line
has the figures: delays are from the moment before an action is sent to the moment its event arrives.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.service.killing import free_port

ROOT = Path(__file__).parents[2]
SERVING = """
import contextlib
import sys
from pathlib import Path
from service.cli_table import Film
from service.preview import Preview
from service.run import Evening, open_door
from service.settings import Settings
from service.watching import Watcher
from vision.eyes import Eyes
from vision.frames import open_source

settings = Settings(mute=True, data_dir=Path(sys.argv[1]))
film = Film.load()
with Evening.open(settings, open_door(int(sys.argv[2])), settings.database) as evening:
    if evening.table.match is None:
        evening.table.new_match(film.truth.settings)
    if sys.argv[3] == "film":
        # The whole pipeline at the pace of the film; what it tells goes nowhere, so that the events are counted.
        source = open_source(str(film.video), pace="live")
        Watcher(source, Eyes.load(), lambda change: None, Preview()).start()
    print("ready", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        evening.serve()
"""


@dataclass
class Listener:
    """One socket that reads the stream; comes back by itself with the last version that it saw."""

    port: int
    heard: list[tuple[int, float]] = field(default_factory=list)
    last: int | None = None
    returns: int = 0

    async def listen(self, until: int) -> None:
        """Until version `until` has come."""
        while not self.heard or self.heard[-1][0] < until:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self._once(until)
            self.returns += 1
            await asyncio.sleep(0.3)

    async def _once(self, until: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        known = f"Last-Event-ID: {self.last}\r\n" if self.last is not None else ""
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n{known}\r\n".encode())
        kind, version = "", 0
        try:
            while line := await reader.readline():
                name, _, value = line.decode().rstrip().partition(": ")
                if name == "event":
                    kind = value
                elif name == "id":
                    version = int(value)
                elif name == "data":
                    self._take(kind, version)
                    if version >= until:
                        return
        finally:
            writer.close()

    def _take(self, kind: str, version: int) -> None:
        if kind == "event":
            self.heard.append((version, time.perf_counter()))
        self.last = version


async def measure(listeners: int, events: int, pause: float, port: int, server: Server) -> dict[str, float]:
    """Acts `events` times, ends and starts the service half-way; the figures. AssertionError when one is missing."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        first = (await client.get("/api/state")).json()["version"]
        all_of_them = [Listener(port, last=first) for _ in range(listeners)]
        reading = [asyncio.create_task(one.listen(first + events)) for one in all_of_them]
        await _everybody(client, listeners)
        sent: dict[int, float] = {}
        for number in range(1, events + 1):
            if number == events // 2:
                await asyncio.to_thread(server.restart)
                await _everybody(client, listeners)
            sent[first + number] = time.perf_counter()
            body = {"action": "uno", "seat": 1, "expected_version": first + number - 1}
            (await client.post("/api/actions", json=body)).raise_for_status()
            await asyncio.sleep(pause)
        await asyncio.wait_for(asyncio.gather(*reading), 60)
    wanted = list(range(first + 1, first + events + 1))
    for one in all_of_them:
        assert [version for version, _ in one.heard] == wanted, "an event is missing, doubled or out of order"
    delays = sorted(at - sent[version] for one in all_of_them for version, at in one.heard)
    place = {"p50": 0.5, "p99": 0.99, "most": 1.0}
    return {name: 1000 * delays[min(len(delays) - 1, int(share * len(delays)))] for name, share in place.items()}


async def _everybody(client: httpx.AsyncClient, listeners: int) -> None:
    """Waits until all listen."""
    for _ in range(600):
        with contextlib.suppress(httpx.TransportError):
            if (await client.get("/api/health")).json()["listeners"] >= listeners:
                return
        await asyncio.sleep(0.1)
    raise AssertionError("not all listeners came")


class Server:
    """The process that serves; `restart` ends it as the system would and starts another on the same store."""

    def __init__(self, folder: Path, port: int, film: bool) -> None:
        self._arguments = [str(folder), str(port), "film" if film else "still"]
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", SERVING, *self._arguments]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return process

    def restart(self) -> None:
        """Another process; the listeners are cut off and come back."""
        self.end()
        self._process = self._start()

    def end(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()


def run(listeners: int, events: int, pause: float, film: bool) -> dict[str, float]:
    """One measurement with a service of its own."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = Server(Path(folder), port, film)
        try:
            return asyncio.run(measure(listeners, events, pause, port, server))
        finally:
            server.end()


def main() -> int:
    """The command; 1 when the figure is missed."""
    parser = argparse.ArgumentParser(description="listeners on the event stream")
    parser.add_argument("--listeners", type=int, default=200)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two events")
    parser.add_argument("--still", action="store_true", help="without the film")
    options = parser.parse_args()
    found = run(options.listeners, options.events, options.pause, not options.still)
    figures = ", ".join(f"{name} {value:.0f} ms" for name, value in found.items())
    sys.stdout.write(
        f"{options.listeners} listeners, {options.events} events, one restart: complete, in order, {figures}\n"
    )
    return 0 if found["p99"] <= 250 else 1


if __name__ == "__main__":
    sys.exit(main())
