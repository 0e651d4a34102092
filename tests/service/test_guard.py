"""Who may come in at the local API, and with how much."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from fastapi import FastAPI, Request

from service.guard import BODY_LIMIT, PICTURES_AT_ONCE, Admission, Guard
from service.tokens import Tokens


@pytest.fixture
def client(serve: Callable[..., str]) -> Iterator[httpx.Client]:
    app = FastAPI()

    @app.get("/api/state")
    def state() -> dict[str, int]:
        return {"version": 1}

    @app.post("/api/actions")
    async def actions(request: Request) -> int:
        return len(await request.body())

    with httpx.Client(base_url=serve(Guard(app))) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "localhost", "[::1]:8765", "LOCALHOST:1"])
def test_our_own_names_come_in(client: httpx.Client, host: str) -> None:
    assert client.get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost:x", "::1"])
def test_a_rebound_name_stays_out(client: httpx.Client, host: str) -> None:
    answer = client.get("/api/state", headers={"Host": host})
    assert answer.status_code == 403
    assert "address" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:8765", "Host": "127.0.0.1:8765"}, 200),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_only_our_pages_and_programs_write(client: httpx.Client, headers: dict[str, str], status: int) -> None:
    assert client.post("/api/actions", headers=headers, content=b"{}").status_code == status


def test_another_site_does_not_read_either(client: httpx.Client) -> None:
    assert client.get("/api/state", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_get_and_post(client: httpx.Client, method: str) -> None:
    answer = client.request(method, "/api/state")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


def test_a_body_of_the_limit_and_one_byte_more(client: httpx.Client) -> None:
    assert client.post("/api/actions", content=b"x" * BODY_LIMIT).json() == BODY_LIMIT
    for bytes_more in (1, 2 * 1024 * 1024):
        answer = client.post("/api/actions", content=b"x" * (BODY_LIMIT + bytes_more))
        assert answer.status_code == 413
        assert answer.json()["detail"] == f"The body of a request may have {BODY_LIMIT} bytes at most."


def test_a_body_of_unknown_length_is_counted(client: httpx.Client) -> None:
    def pieces(count: int) -> Iterator[bytes]:
        yield from (b"x" * 1024 for _ in range(count))

    assert client.post("/api/actions", content=pieces(4)).json() == 4096
    assert client.post("/api/actions", content=pieces(BODY_LIMIT // 1024 + 1)).status_code == 413


def test_a_request_of_two_lengths_is_refused(client: httpx.Client) -> None:
    port = client.base_url.port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(
            b"POST /api/actions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"0\r\n\r\nGET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1") == 1


def test_every_answer_is_kept_in_its_place(client: httpx.Client) -> None:
    for answer in (client.get("/api/state"), client.get("/api/state", headers={"Host": "evil.example"})):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_no_websocket(client: httpx.Client) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "x" * 24,
    }
    assert client.get("/api/events", headers=upgrade).status_code in (403, 404)


def test_who_sends_half_a_picture_keeps_nobody_else_waiting(serve: Callable[..., str]) -> None:
    app, tokens = FastAPI(), Tokens.new()

    @app.post("/api/read")
    async def read(request: Request) -> int:
        return len(await request.body())

    url = serve(Guard(app, Admission(tokens=tokens), body_seconds=0.5))
    port = int(url.rpartition(":")[2])

    def sent_by(seat: int, content: bytes = b"x" * 100_000) -> httpx.Response:
        return httpx.post(
            f"{url}/api/read", content=content, headers={"Authorization": f"Bearer {tokens.seats[seat - 1]}"}
        )

    with contextlib.ExitStack() as lines:
        halves = []
        for seat in (1, 1, 1, 1, 2, 2, 2):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port)))
            line.sendall(
                f"POST /api/read HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {tokens.seats[seat - 1]}\r\n"
                "Content-Length: 4000000\r\n\r\nx".encode()
            )
            halves.append(line)
            time.sleep(0.05)
        assert sent_by(3).json() == 100_000
        refused = sent_by(1)
        assert refused.status_code == 503 and refused.headers["retry-after"]
        began = time.monotonic()
        while (answer := sent_by(1)).status_code == 503 and time.monotonic() - began < 10:
            time.sleep(0.1)
        assert answer.json() == 100_000, "its own lines were given up after four times `body_seconds`"
    assert PICTURES_AT_ONCE == 2
