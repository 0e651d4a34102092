"""The service opened to the network: who may do what, under which names, and that no token is left lying about."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service.cli_table import LINKS, print_links
from service.guard import is_this_computer
from service.links import Links, Once, own_address, svg
from service.reading import HandReader
from service.run import Evening, open_door
from service.settings import Settings
from service.tokens import Tokens
from vision.changes import CardLaid
from vision.detections import Detections, Image, Quads

JPEG = bytes(np.asarray(cv2.imencode(".jpg", np.full((60, 80, 3), 90, np.uint8))[1]))


class Blind:
    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


@dataclass
class Lan:
    """An evening in the network, and those who visit it."""

    evening: Evening
    tokens: Tokens
    closing: contextlib.ExitStack

    @property
    def port(self) -> int:
        return int(self.evening.door.getsockname()[1])

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"http://{own_address()}:{self.port}"
        return self.closing.enter_context(httpx.Client(base_url=url, headers=headers, timeout=15))


@contextlib.contextmanager
def opened(folder: Path, page: str | None = None, **settings: Any) -> Iterator[Lan]:
    chosen = Settings(mute=True, data_dir=folder, lan=True, **settings)
    door = open_door(0, lan=True)
    with Evening.open(chosen, door, chosen.database) as evening, contextlib.ExitStack() as closing:
        evening.desk.hands = HandReader(Blind)
        evening.play(MatchSettings(("Anna", "Bram", "Cleo"), dealer=1))
        for event in (ev.Deal(1), ev.Start(Card.parse("R5"))):
            evening.table.apply(event)
        thread = threading.Thread(target=evening.serve, args=(page,))
        thread.start()
        assert evening.desk.links is not None and evening.desk.links.tokens is not None
        try:
            yield Lan(evening, evening.desk.links.tokens, closing)
        finally:
            closing.close()
            evening.end()
            thread.join(15)
        assert not thread.is_alive()


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    with opened(tmp_path) as lan:
        yield lan


# Every route once, and the least that is needed for it; the whole table of rights.
ROUTES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "/api/me": ("nobody", "GET", {}),
    "/api/state": ("viewer", "GET", {}),
    "/api/history": ("viewer", "GET", {}),
    "/api/steps": ("viewer", "GET", {}),
    "/api/health": ("nobody", "GET", {}),
    "/api/speaking": ("viewer", "GET", {}),
    "/api/commands": ("viewer", "GET", {}),
    "/api/ask": ("seat", "POST", {"json": {"query": "turn", "aloud": False}}),
    "/api/listen": ("seat", "POST", {}),
    "/api/read": ("seat", "POST", {"content": JPEG}),
    "/api/count?seat=2": ("host", "POST", {"content": JPEG}),
    "/api/zones": ("host", "GET", {}),
    "/api/preview.jpg": ("host", "GET", {}),
    "/api/pictures/3.jpg": ("host", "GET", {}),
    "/api/matches": ("host", "GET", {}),
    "/api/matches/1.trn": ("host", "GET", {}),
    "/api/matches/1.json": ("host", "GET", {}),
    "/api/matches/1.csv": ("host", "GET", {}),
    "/api/matches/1/steps": ("host", "GET", {}),
    "/api/links": ("host", "GET", {}),
    "/api/qr/host.svg": ("host", "GET", {}),
    "/api/doctor": ("host", "GET", {}),
}
RANKS = ("nobody", "viewer", "seat", "host")


@pytest.mark.parametrize("look", ["open", "token"])
def test_each_route_is_for_some_and_for_nobody_else(tmp_path: Path, look: str) -> None:
    with opened(tmp_path, look=look) as lan:
        tokens = lan.tokens
        bearers = {"host": tokens.host, "seat": tokens.seats[1], "viewer": tokens.look, "without": None}
        clients = {role: lan.client(token) for role, token in bearers.items()}
        found = {
            path: [
                role
                for role, client in clients.items()
                if client.request(method, path, **body).status_code not in (401, 403)
            ]
            for path, (_, method, body) in ROUTES.items()
        }
    without = "viewer" if look == "open" else "nobody"
    ranks = {"host": 3, "seat": 2, "viewer": 1, "without": RANKS.index(without)}
    expected = {
        path: [role for role, rank in ranks.items() if rank >= RANKS.index(needed)]
        for path, (needed, _, _) in ROUTES.items()
    }
    assert found == expected


def test_the_watch_of_a_container_needs_no_token_and_learns_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, look="token") as lan:
        assert lan.client().get("/api/health").json() == {"status": "ok"}
        assert lan.client(lan.tokens.look).get("/api/health").json()["program"]


def test_every_route_of_the_api_is_in_the_table_of_rights(lan: Lan) -> None:
    paths = lan.client().get("/openapi.json").json()["paths"]
    tested = {re.sub(r"\?.*", "", path) for path in ROUTES}
    others = {"/api/actions", "/api/events", "/api/preview.mjpeg"}  # each has a test of its own
    known = {re.sub(r"\{\w+\}", "[^/]+", path) for path in paths}
    assert [path for path in known if not any(re.fullmatch(path, one) for one in tested | others)] == []


def test_a_seat_acts_for_itself_alone(lan: Lan) -> None:
    table, tokens = lan.evening.table, lan.tokens
    seat = lan.client(tokens.seats[1])
    assert seat.get("/api/me").json() | {"lang": ""} == {
        "role": "seat",
        "seat": 2,
        "lan": True,
        "look": "open",
        "lang": "",
    }

    def tells(**action: Any) -> int:
        return seat.post("/api/actions", json={"expected_version": table.version, **action}).status_code

    before = table.version
    for action in (
        {"action": "draw", "seat": 3},
        {"action": "uno", "seat": 1},
        {"action": "catch", "seat": 3, "target": 1},
        {"action": "undo"},
        {"action": "void"},
        {"action": "leave", "seat": 2},
        {"action": "deal", "seat": 2},
        {"action": "reshuffle"},
        {"action": "points", "seat": 2, "points": 0},
        {"action": "amend", "line": 5, "card": "B5"},
        {"action": "new_match", "players": ["A", "B"]},
    ):
        assert tells(**action) == 403, action
    assert table.version == before
    assert tells(action="draw", seat=2) == 200
    assert table.entries()[-1].source == "seat-2"
    assert tells(action="undo") == 200
    assert tells(action="undo") == 403, "only within the last event"
    assert tells(action="uno", seat=2) == 200, "a false alarm is the referee's to rule on"


def test_what_may_offers_is_let_through_and_what_it_does_not_offer_is_not(lan: Lan) -> None:
    table, tokens = lan.evening.table, lan.tokens
    table.apply(ev.Play(2, Card.parse("W4")))
    for seat in (1, 2, 3):
        client = lan.client(tokens.seats[seat - 1])
        for one in client.get("/api/state").json()["may"][seat - 1]:
            if one["needs"]:
                continue
            told = client.post("/api/actions", json={**one["body"], "expected_version": table.version})
            assert told.status_code == 200, (seat, one, told.text)
            table.apply(ev.Undo())


def test_a_seat_that_nobody_has_does_and_asks_nothing(lan: Lan) -> None:
    guest = lan.client(lan.tokens.seats[6])
    version = lan.evening.table.version
    for path, body in (
        ("/api/ask", {"query": "turn"}),
        ("/api/ask", {"query": "turn", "aloud": False}),
        ("/api/commands", {"command": "scores"}),
        ("/api/actions", {"action": "uno", "seat": 7, "expected_version": version}),
        ("/api/listen", {}),
    ):
        answer = guest.post(path, json=body)
        assert answer.status_code == 403 and "seat 7" in answer.json()["detail"], path
    assert guest.post("/api/read", content=JPEG).status_code == 403
    assert lan.evening.table.version == version


def test_nobody_talks_the_table_down(lan: Lan) -> None:
    seat, other = lan.client(lan.tokens.seats[0]), lan.client(lan.tokens.seats[1])
    asked = [seat.post("/api/ask", json={"query": "turn"}) for _ in range(9)]
    assert [answer.status_code for answer in asked].count(200) in (5, 6, 7)
    assert asked[-1].status_code == 429 and asked[-1].headers["retry-after"] and "wait" in asked[-1].json()["detail"]
    assert seat.post("/api/commands", json={"command": "scores"}).status_code == 429
    assert seat.post("/api/ask", json={"query": "turn", "aloud": False}).status_code == 200
    assert other.post("/api/ask", json={"query": "turn"}).status_code == 200
    lan.evening.table.apply(ev.Play(2, Card.parse("R7")))
    assert seat.post("/api/commands", json={"command": "uno"}).status_code == 200, "telling is another matter"


def test_a_seat_does_not_flood_the_record(lan: Lan) -> None:
    seat, other = lan.client(lan.tokens.seats[0]), lan.client(lan.tokens.seats[1])
    lan.evening.table.new_match(MatchSettings(("Anna", "Bram")))

    def catches(client: httpx.Client, seat: int) -> int:
        version = lan.evening.table.version
        wish = {"action": "catch", "seat": seat, "target": 3 - seat, "expected_version": version}
        return client.post("/api/actions", json=wish).status_code

    before = len(lan.evening.table.entries())
    answers = [catches(seat, 1) for _ in range(30)]
    assert answers[:5] == [200] * 5 and answers.count(429) > 10
    assert len(lan.evening.table.entries()) - before == answers.count(200)
    assert catches(other, 2) == 200 and catches(lan.client(lan.tokens.host), 2) == 200


def test_a_seat_answers_no_doubt_of_another(lan: Lan) -> None:
    table, seat = lan.evening.table, lan.client(lan.tokens.seats[1])
    laid = CardLaid(Card.parse("R7"), 0.4, 1.0, 0.5)
    table.see(laid)
    doubt = table.snapshot()["doubt"]
    whose = doubt["seat"] if doubt else 3
    other = lan.client(lan.tokens.seats[0 if whose != 1 else 2])
    assert seat.post("/api/commands", json={"command": "undo"}).status_code == 403
    if doubt:
        assert other.post("/api/commands", json={"command": "yes"}).status_code == 403
        assert table.snapshot()["doubt"] == doubt


def test_a_seat_reads_its_own_hand_alone(lan: Lan) -> None:
    seat = lan.client(lan.tokens.seats[1])
    assert seat.post("/api/read", content=JPEG).json()["seat"] == 2
    assert seat.post("/api/read?seat=2", content=JPEG).status_code == 200
    assert seat.post("/api/read?seat=3", content=JPEG).status_code == 403


@pytest.mark.parametrize("look", ["open", "token"])
def test_who_may_not_look_learns_nothing_from_an_error(tmp_path: Path, look: str) -> None:
    with opened(tmp_path, look=look) as lan:
        stranger = lan.client()
        for answer in (
            stranger.post("/api/actions", content=b"{", headers={"Content-Type": "application/json"}),
            stranger.post("/api/actions", json={"action": "draw", "seat": 1, "expected_version": 0}),
            stranger.get("/api/history?last=x"),
            stranger.get("/api/matches/99.trn"),
        ):
            assert answer.status_code in (401, 422)
            assert ("state" in answer.json()) <= (look == "open")
        with stranger.stream("GET", "/api/events") as stream:
            assert stream.status_code == (200 if look == "open" else 401)


@pytest.mark.parametrize("header", ["Bearer wrong", "Basic aG9zdDp4", "Bearer", "nonsense"])
def test_a_token_that_is_nobody_s_is_refused_everywhere(lan: Lan, header: str) -> None:
    answer = lan.client().get("/api/state", headers={"Authorization": header})
    assert answer.status_code == 401 and "ask the host" in answer.json()["detail"]


def test_tokens_cannot_be_guessed_at_speed(lan: Lan) -> None:
    client = lan.client()
    codes = [client.get("/api/me", headers={"Authorization": f"Bearer {n}"}).status_code for n in range(14)]
    assert set(codes[:5]) == {401} and codes[-1] == 429
    assert client.get("/api/state").status_code == 200, "who has none, or a right one, is let in all the same"


def test_under_its_own_names_and_under_no_other(tmp_path: Path) -> None:
    with opened(tmp_path, allow_host=("table.local",)) as lan:
        client, port = lan.client(), lan.port
        for name in ("localhost", "127.0.0.1", own_address(), "table.local", "TABLE.local"):
            assert client.get("/api/state", headers={"Host": f"{name}:{port}"}).status_code == 200, name
        for name in ("evil.example", "table.local.evil.example", "10.9.8.7", "1.2.3.4"):
            assert client.get("/api/state", headers={"Host": f"{name}:{port}"}).status_code == 403, name
        assert lan.evening.desk.links is not None and lan.evening.desk.links.base == f"http://table.local:{port}"


def test_the_network_is_not_let_in_without_being_asked(tmp_path: Path) -> None:
    door = open_door(0)
    try:
        assert is_this_computer(door.getsockname()[0])
    finally:
        door.close()


def test_tokens_stand_in_no_log_and_no_answer_but_the_host_s_links(
    lan: Lan, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    tokens = lan.tokens
    secrets = (tokens.host, tokens.look, *tokens.seats)
    texts = []
    for token in (tokens.host, tokens.seats[0]):
        client = lan.client(token)
        for path, (_, method, body) in ROUTES.items():
            answer = client.request(method, path, **body)
            if path != "/api/links":
                texts.append(answer.text + str(answer.headers))
        texts.append(client.post("/api/actions", content=b"[" * 60_000).text)
    texts += [record.getMessage() for record in caplog.records if record.name.startswith(("service", "uvicorn"))]
    texts += [*capfd.readouterr(), repr(lan.evening.desk.links), repr(lan.evening.admission)]
    assert [secret for secret in secrets if any(secret in text for text in texts)] == []
    assert tokens.host in lan.client(tokens.host).get("/api/links").text


@pytest.mark.parametrize("terminal", [True, False])
def test_links_are_printed_on_a_terminal_alone(
    terminal: bool, lan: Lan, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    print_links(lan.evening)
    out, file = capsys.readouterr().out, tmp_path / LINKS
    assert (lan.tokens.host in out, "token=" in out) == (terminal, terminal)
    assert file.exists() is not terminal and (terminal or str(file) in out)
    if not terminal:
        assert f"token={lan.tokens.host}" in file.read_text("utf-8")
        assert os.name != "posix" or file.stat().st_mode & 0o077 == 0


def test_the_browser_is_opened_without_a_token_on_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opening.append)
    with opened(tmp_path, page="/setup") as lan:
        until = time.monotonic() + 10
        while not opening and time.monotonic() < until:
            time.sleep(0.01)
        (address,) = opening
        secrets = (lan.tokens.host, lan.tokens.look, *lan.tokens.seats)
        assert not [secret for secret in secrets if secret in address]
        other = lan.client().get(address.replace("127.0.0.1", own_address()))
        first, again = httpx.get(address, timeout=15), httpx.get(address, timeout=15)
        if not is_this_computer(own_address()):
            assert other.status_code == 410, "for this computer alone"
            assert (first.status_code, first.headers["location"]) == (303, f"/setup#token={lan.tokens.host}")
        assert again.status_code == 410 and "terminal" in again.json()["detail"] and lan.tokens.host not in again.text


def test_an_address_for_one_browser_is_good_for_a_minute() -> None:
    now = [0.0]
    once = Once(lambda: now[0])
    word = once.address("/setup").rpartition("/")[2]
    now[0] = 61.0
    assert once.take(word) is None and once.take("nonsense") is None


def test_a_code_leads_where_its_link_does() -> None:
    tokens = Tokens.new()
    links = Links("http://192.168.1.5:8765", tokens)
    link = links.of("seat-3")
    assert link == f"http://192.168.1.5:8765/seat/3#token={tokens.seats[2]}"
    assert links.of("display") == "http://192.168.1.5:8765/display"
    assert Links(links.base, tokens, open_to_look=False).of("display") == f"{links.base}/display#token={tokens.look}"
    assert [links.of(page) for page in ("seat-0", "seat-11", "seat-", "../x", "")] == [None] * 5
    picture = svg(link).decode()
    path = re.search(r'<path[^>]*stroke[^>]*d="([^"]+)"', picture)
    size = re.search(r'viewBox="0 0 (\d+)', picture)
    assert path and size and "http" not in picture.replace("http://www.w3.org", "")
    read = [cv2.QRCodeDetector().detectAndDecode(drawn(path[1], int(size[1]), scale))[0] for scale in (4, 8, 10)]
    assert link in read and set(read) <= {link, ""}


def drawn(path: str, size: int, scale: int) -> Image:
    """The strokes of a QR code's SVG (`m`, `h` in its own units), drawn."""
    picture = np.full((size, size), 255, np.uint8)
    x = y = 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", path):
        if command == "h":
            picture[int(y), int(x) : int(x + float(first))] = 0
            x += float(first)
        else:
            dx, dy = float(first), float(second)
            x, y = (dx, dy) if command == "M" else (x + dx, y + dy)
    return np.kron(picture, np.ones((scale, scale), np.uint8)).astype(np.uint8)
