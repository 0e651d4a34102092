"""The API against its own OpenAPI document, by schemathesis, and every route against nonsense: nothing breaks.

`python -m pytest tests/service/test_contract.py` is the short run; more of it:
`schemathesis run http://127.0.0.1:8765/openapi.json --exclude-path /api/events --exclude-path /api/preview.mjpeg`
beside `tableref run`.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from referee.options import MatchSettings
from service.api import Desk, create_app
from service.phrases import Phrases
from service.preview import Preview
from service.reading import HandReader
from service.store import Store
from service.table import Table
from vision.detections import Detections, Image, Quads

# What a game allows is not in a document: an action that is refused may be valid all the same.
NOT_CHECKED = "positive_data_acceptance"
STREAMS = ("/api/events", "/api/preview.mjpeg")


class Blind:
    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


@pytest.fixture
def url(tmp_path: Path, serve: Callable[..., str]) -> Iterator[str]:
    with Store.open(tmp_path / "table.sqlite") as store:
        desk = Desk(Table.open(store, Phrases.load("en")), store, Preview(), hands=HandReader(Blind))
        desk.table.new_match(MatchSettings(("Anna", "Bram", "Cleo"), dealer=1))
        yield serve(create_app(desk))


def test_the_api_keeps_to_its_document(url: str, tmp_path: Path) -> None:
    command = shutil.which("schemathesis", path=str(Path(sys.executable).parent)) or shutil.which("schemathesis")
    if command is None:
        pytest.skip("schemathesis is not installed")
    options = ["--max-examples", "3", "--phases", "examples,fuzzing", "--seed", "1", "--no-color"]
    streams = [part for path in STREAMS for part in ("--exclude-path", path)]
    run = subprocess.run(
        [command, "run", f"{url}/openapi.json", *options, *streams, "--exclude-checks", NOT_CHECKED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout[-6000:]


METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")
PIECES = (
    "..",
    "%2e%2e",
    "%00",
    "%ff",
    "-1",
    "0",
    "1",
    "99999999999999999999999",
    "NaN",
    "true",
    "a" * 300,
    "%F0%9F%83%8F",
    ".trn",
    "seat-1",
    "?x=1",
    "etc/passwd",
)


@pytest.mark.parametrize("seed", range(2))
def test_no_request_breaks_anything(url: str, seed: int) -> None:
    dice = random.Random(seed)
    with httpx.Client(base_url=url, timeout=20) as client:
        paths = [*client.get("/openapi.json").json()["paths"], "/", "/display", "/seat/{n}", "/match/{n}", "/pages/{n}"]
        for _ in range(150):
            path = dice.choice([path for path in paths if path not in STREAMS])
            while "{" in path:
                before, _, rest = path.partition("{")
                path = before + dice.choice(PIECES) + rest.partition("}")[2]
            if dice.random() < 0.3:
                path += dice.choice(("?last=", "?seat=", "?after=", "/")) + dice.choice(PIECES)
            answer = client.request(dice.choice(METHODS), path, content=nonsense(dice), headers=odd_headers(dice))
            assert answer.status_code < 500, (path, answer.text)
            assert answer.request.method == "HEAD" or "root:" not in answer.text
            assert "Traceback" not in answer.text
        assert client.get("/api/state").json()["version"] == 1


def nonsense(dice: random.Random) -> bytes:
    return dice.choice(
        (
            b"",
            b"{",
            b"null",
            b"[]" * 20,
            b"[" * 20_000,
            b'{"action": "' + dice.randbytes(30) + b'"}',
            b'{"action": "undo", "expected_version": 1e400}',
            dice.randbytes(200),
            b"\xff\xd8" + dice.randbytes(400),
        )
    )


def odd_headers(dice: random.Random) -> dict[str, str]:
    return dice.choice(
        (
            {},
            {"Content-Type": "application/json"},
            {"Content-Type": "text/plain; charset=utf-16"},
            {"Last-Event-ID": "x" * 200},
            {"Idempotency-Key": "k" * 400},
            {"Content-Encoding": "gzip"},
            {"Range": "bytes=0-1,5-"},
            {"Authorization": "Bearer " + "y" * 200},
        )
    )
