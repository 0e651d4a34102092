"""Those who come and say nothing, send drop by drop, take no answer or ask too often: none of them is kept for ever."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from service.connections import Connection
from service.guard import Admission, Guard, is_this_computer
from service.limits import Crowd, Rate


class Impatient(Connection):
    head_seconds = 0.4


def app() -> FastAPI:
    app = FastAPI()

    @app.get("/api/state")
    def state() -> int:
        return 1

    @app.post("/api/actions")
    async def actions(request: Request) -> int:
        return len(await request.body())

    @app.get("/endless")
    def endless() -> StreamingResponse:
        def parts() -> Iterator[bytes]:
            while True:
                yield bytes(65536)

        return StreamingResponse(parts())

    return app


@pytest.fixture
def port() -> Iterator[int]:
    door = socket.create_server(("127.0.0.1", 0))
    guard = Guard(app(), body_seconds=0.4, answer_seconds=0.4)
    config = uvicorn.Config(guard, http=Impatient, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([door],))
    thread.start()
    try:
        yield door.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        door.close()


@contextlib.contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        yield line


def all_of(line: socket.socket) -> bytes:
    """What comes until the line is closed at the other end."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := line.recv(65536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("said", [b"", b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"G"])
def test_a_request_that_never_comes_is_not_waited_for(port: int, said: bytes) -> None:
    with connected(port) as line:
        line.sendall(said)
        assert b"200" not in all_of(line)


def test_a_head_sent_drop_by_drop_is_not_waited_for(port: int) -> None:
    with connected(port) as line, contextlib.suppress(OSError):
        for _ in range(200):
            line.sendall(b"X")
            time.sleep(0.02)
        pytest.fail("still listened to after four seconds")


def test_a_body_sent_drop_by_drop_is_refused(port: int) -> None:
    with connected(port) as line:
        line.sendall(b"POST /api/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{")
        answer = all_of(line)
    assert answer.startswith(b"HTTP/1.1 408") and b"within 0.4 seconds" in answer


def test_an_answer_that_nobody_takes_is_cut_off(port: int) -> None:
    with connected(port) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until = time.monotonic() + 15
        assert b"200 OK" in line.recv(100)
        while Impatient.held("127.0.0.1") and time.monotonic() < until:
            time.sleep(0.05)
        assert Impatient.held("127.0.0.1") == 0, "the server still keeps the line"


def test_a_connection_that_is_used_stays(port: int) -> None:
    with connected(port) as line:
        for _ in range(4):
            line.sendall(b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            answer = b""
            while not answer.endswith(b"\r\n\r\n1"):
                part = line.recv(4096)
                assert part, "closed although it is used"
                answer += part
            time.sleep(0.25)


def test_a_rate_is_kept_for_each_address() -> None:
    now = 0.0
    rate = Rate(2.0, 3, clock=lambda: now)
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("b")
    now = 0.5
    assert [rate.allows("a") for _ in range(2)] == [True, False]
    now = 1000.0
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]


def test_addresses_that_are_quiet_are_forgotten() -> None:
    rate = Rate(0.0, 1, clock=lambda: 0.0)
    assert rate.allows("first") and not rate.allows("first")
    for number in range(2000):
        rate.allows(str(number))
    assert rate.allows("first")


def test_a_crowd_of_one_address_is_counted() -> None:
    crowd = Crowd(2)
    with crowd.one_more("a") as first, crowd.one_more("a") as second:
        with crowd.one_more("a") as third, crowd.one_more("b") as other:
            assert (first, second, third, other) == (True, True, False, True)
        with crowd.one_more("a") as again:
            assert not again
    with crowd.one_more("a") as after:
        assert after


@pytest.mark.parametrize(
    ("address", "is_ours"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("192.168.1.2", False), ("", False)],
)
def test_this_computer_is_known(address: str, is_ours: bool) -> None:
    assert is_this_computer(address) is is_ours


def test_without_tokens_an_address_is_no_name_of_ours() -> None:
    assert not Admission().knows("192.168.1.5:8765", "192.168.1.5")
    assert Admission.of(["table.local", "fd00::1"]).knows("[fd00::1]:8765", None)
