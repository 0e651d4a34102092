"""Kills running games at random moments and looks whether anything acknowledged is missing, or anything doubled.

    python -m tests.service.killing --times 200

Each time a process of its own serves a table over the API with a store; players act on it and listen to its stream;
then it is killed with SIGKILL, started again on the same folder, and held against what it had acknowledged.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from referee.record import parse, replay

ROOT = Path(__file__).parents[2]
SERVING = """
import sys
from pathlib import Path
from service.run import Evening, open_door
from service.settings import Settings

settings = Settings(mute=True, data_dir=Path(sys.argv[1]))
with Evening.open(settings, open_door(int(sys.argv[2])), settings.database) as evening:
    print(evening.table.version, flush=True)
    evening.serve()
"""


@dataclass
class Told:
    """What the world outside knows, by version: how acknowledged lines begin, and lines heard in the stream."""

    acknowledged: dict[int, str] = field(default_factory=dict)
    heard: dict[int, str] = field(default_factory=dict)
    keys: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    """Requests by their key: the version that each made, and its body."""


@dataclass
class Server:
    """One process that serves the table in `folder`."""

    folder: Path
    port: int
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        command = [sys.executable, "-c", SERVING, str(self.folder), str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.version = int(self.process.stdout.readline())
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        raise AssertionError("the server does not come up")

    def kill(self) -> None:
        """SIGKILL: nothing is put away."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def kills(times: int, folder: Path, seed: int = 1) -> Iterator[dict[str, int]]:
    """Kill so many games; what each kill came to, AssertionError when something is lost or doubled."""
    dice, told, port = random.Random(seed), Told(), free_port()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
        for number in range(times + 1):
            server = Server(folder, port)
            try:
                _check(client, server.version, told)
                if number == times:
                    return
                if number % 10 == 0:
                    _begin(client, dice)
                _play(client, server, told, dice)
            finally:
                server.kill()
            yield {"kill": number + 1, "acknowledged": len(told.acknowledged), "heard": len(told.heard)}


def _check(client: httpx.Client, version: int, told: Told) -> None:
    """Everything acknowledged or heard is there, once and as it was told; the match goes on where it was."""
    matches = client.get("/api/matches").json()
    state = client.get("/api/state").json()
    assert state["version"] == version == sum(1 + match["lines"] for match in matches["matches"])
    stored = _stored(client, matches["matches"])
    for known in (told.acknowledged, told.heard):
        lost = {at: line for at, line in known.items() if not stored.get(at, "").startswith(line)}
        assert not lost, f"acknowledged or told, and not stored: {lost}"
    if matches["current"] is not None:
        last = replay(parse(client.get(f"/api/matches/{matches['current']}.trn").text)).public()
        assert all(state[key] == last[key] for key in ("turn", "top", "counts", "scores", "round"))
    for key, (made, body) in list(told.keys.items())[-3:]:
        again = _tell(client, 0, key, body)
        assert again.json().get("repeated") and again.json()["version"] == made, again.text


def _stored(client: httpx.Client, matches: list[dict[str, Any]]) -> dict[int, str]:
    """All lines by the version that each made."""
    stored, version = {}, 0
    for match in matches:
        record = client.get(f"/api/matches/{match['id']}.trn").text.splitlines()
        version += 1
        for line in record[len(record) - match["lines"] :]:
            version += 1
            stored[version] = line
    return stored


def _begin(client: httpx.Client, dice: random.Random) -> None:
    version = client.get("/api/state").json()["version"]
    for body in (
        {"action": "new_match", "players": ["Anna", "Bram", "Cleo"], "target": 500},
        {"action": "deal", "seat": 1},
        {"action": "start", "card": "R5"},
    ):
        _tell(client, version, f"begin-{dice.random()}", body).raise_for_status()
        version += 1


def _play(client: httpx.Client, server: Server, told: Told, dice: random.Random) -> None:
    """Act until another thread kills the server, in the middle of whatever it does."""
    listener = threading.Thread(target=_listen, args=(client, told), daemon=True)
    listener.start()
    version = client.get("/api/state").json()["version"]
    timer = threading.Timer(dice.uniform(0.02, 0.5), server.process.kill)
    timer.start()
    with contextlib.suppress(httpx.TransportError):
        while True:
            key, body = f"{dice.random()}", _action(dice)
            answer = _tell(client, version, key, body)
            version = answer.json()["version"]
            told.keys[key] = version, body
            told.acknowledged[version] = f"{body['seat']} {body['action']}"
    timer.join()
    listener.join(10)


def _action(dice: random.Random) -> dict[str, Any]:
    return {"action": "uno", "seat": 1} if dice.random() < 0.7 else {"action": "draw", "seat": dice.randint(1, 3)}


def _tell(client: httpx.Client, version: int, key: str, body: dict[str, Any]) -> httpx.Response:
    return client.post("/api/actions", json={**body, "expected_version": version}, headers={"Idempotency-Key": key})


def _listen(client: httpx.Client, told: Told) -> None:
    kind, version = "", 0
    with contextlib.suppress(httpx.TransportError), client.stream("GET", "/api/events") as stream:
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "id":
                version = int(value)
            elif name == "data" and kind == "event":
                told.heard[version] = json.loads(value)["line"]


def free_port() -> int:
    """A port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="kills running games and looks what is left")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    last: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for last in kills(options.times, Path(folder), options.seed):
            if last["kill"] % 20 == 0:
                sys.stdout.write(f"{last}\n")
                sys.stdout.flush()
    sys.stdout.write(
        f"killed {last['kill']} times: {last['acknowledged']} lines acknowledged, {last['heard']} told in the stream, "
        f"none lost, none doubled\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
