"""The local API over a real server, a real table and a real store."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from referee.cards import FACES, Card
from referee.events import Play
from referee.record import parse, replay
from service import feed
from service.api import Desk, create_app
from service.phrases import Phrases
from service.preview import Preview
from service.snapshot import ACTIONS
from service.store import Store
from service.table import Table
from vision.changes import ViewLost
from vision.detections import Detections
from vision.zones import Zones

PLAYERS = ["Anna", "Bram", "Cleo"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "table.sqlite") as store:
        yield Desk(Table.open(store, Phrases.load("en")), store, Preview())


@pytest.fixture
def client(desk: Desk, serve: Callable[..., str]) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serve(create_app(desk)), timeout=15) as client:
        yield client


class Host:
    """Somebody at the host's page: every action is made at the version last seen."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.state: dict[str, Any] = client.get("/api/state").json()

    def does(self, action: str, **fields: Any) -> dict[str, Any]:
        answer = tell(self.client, self.state["version"], action=action, **fields)
        assert answer.status_code == 200, answer.text
        self.state = answer.json()["state"]
        return dict(answer.json())

    def begins(self, **fields: Any) -> None:
        self.does("new_match", players=PLAYERS, **fields)
        self.does("deal", seat=1)
        self.does("start", card="R5")


def tell(client: httpx.Client, version: int, key: str | None = None, **body: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post("/api/actions", json={**body, "expected_version": version}, headers=headers)


class Listener:
    """Reads an event stream in a thread of its own."""

    def __init__(
        self, client: httpx.Client, wanted: int, headers: dict[str, str] | None = None, query: str = ""
    ) -> None:
        self.heard: list[tuple[str, int, dict[str, Any]]] = []
        self.opened = threading.Event()
        self._url = f"{client.base_url}/api/events{query}"
        self._headers, self._wanted = headers or {}, wanted
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        assert self.opened.wait(15)

    def _listen(self) -> None:
        message: dict[str, str] = {}
        with httpx.stream("GET", self._url, headers=self._headers, timeout=15) as answer:
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    message[name] = value
                elif "event" in message:
                    self.heard.append((message["event"], int(message["id"]), json.loads(message["data"])))
                    message = {}
                    self.opened.set()
                if len(self.heard) >= self._wanted:
                    return

    def all(self) -> list[tuple[str, int, dict[str, Any]]]:
        self._thread.join(15)
        assert not self._thread.is_alive(), self.heard
        return self.heard


def test_the_state_of_a_table_without_a_match(client: httpx.Client) -> None:
    state = client.get("/api/state").json()
    assert (state["players"], state["match"], state["turn"]) == ([], None, None)


def test_a_round_told_by_hand(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    assert (host.state["players"], host.state["turn"], host.state["top"]) == (PLAYERS, 2, "R5")
    host.does("play", seat=2, card="B5")
    assert (host.state["turn"], host.state["colour"], host.state["counts"]) == (3, "B", [7, 6, 7])
    ruled = host.does("play", seat=3, card="G9")
    assert ruled["rulings"][0]["key"] == "cannot_be_played"
    host.does("undo")
    host.does("draw", seat=3)
    host.does("pass", seat=3)
    assert (host.state["turn"], host.state["counts"]) == (1, [7, 6, 8])


def test_an_action_that_comes_too_late_is_refused_with_the_state(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    seen = host.state["version"]
    host.does("play", seat=2, card="R7")
    late = tell(client, seen, action="play", seat=2, card="R8")
    assert late.status_code == 409
    assert late.json()["state"]["version"] == host.state["version"]
    assert client.get("/api/state").json()["top"] == "R7"


def test_one_key_applies_once(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    seen = host.state["version"]
    first = tell(client, seen, key="abc", action="draw", seat=2)
    again = tell(client, seen, key="abc", action="draw", seat=2)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["version"] == again.json()["version"]
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert client.get("/api/state").json()["counts"] == [7, 8, 7]


def test_a_new_match_begins_once_under_one_key(client: httpx.Client) -> None:
    answers = [tell(client, 0, key="m", action="new_match", players=PLAYERS) for _ in range(2)]
    assert [answer.json()["match"] for answer in answers] == [1, 1]
    assert tell(client, 0, action="new_match", players=PLAYERS).status_code == 409


def test_nothing_can_be_played_without_a_match(client: httpx.Client) -> None:
    answer = tell(client, 0, action="draw", seat=1)
    assert answer.status_code == 409
    assert answer.json()["detail"] == "No match has been begun."


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"players": PLAYERS, "mode": "teams"}, "Players"),
        ({"players": PLAYERS, "options": {"stak": "on"}}, "stack"),
        ({"players": ["Anna", "Bram;Cleo"]}, "Players"),
        ({"players": PLAYERS, "dealer": 4}, "Dealer"),
        ({"players": PLAYERS, "deck": "112", "custom": ["others_drew=2"]}, "did you mean 'others_draw'"),
        ({"players": PLAYERS, "deck": "112", "custom": ["next_draw"]}, "needs a number"),
        ({"players": PLAYERS, "deck": "112", "custom": ["skip_all=-1"]}, "needs no number"),
        ({"players": PLAYERS, "deck": "112", "custom": ["next_draw=31"]}, "30 cards at most"),
        ({"players": PLAYERS, "deck": "112", "custom": ["dare=2 sing\u2028a song"]}, "control characters"),
        ({"players": PLAYERS, "deck": "112", "custom": ["skip_all"] * 4}, "custom"),
        ({"players": PLAYERS, "custom": ["skip_all"]}, "deck of 112"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_sentence(
    client: httpx.Client, fields: dict[str, Any], named: str
) -> None:
    answer = tell(client, 0, action="new_match", **fields)
    assert answer.status_code == 422
    assert named in answer.json()["detail"]
    assert client.get("/api/state").json()["match"] is None


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"action": "fly", "expected_version": 0}', '{"action": "undo"}', "null"]
)
def test_a_body_that_is_none_changes_nothing(client: httpx.Client, body: str) -> None:
    answer = client.post("/api/actions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert client.get("/api/state").json()["version"] == 0


def test_house_rules_reach_the_match(client: httpx.Client) -> None:
    Host(client).does("new_match", players=PLAYERS, options={"stack": "on", "misplay": "draw2"}, target=300, deck="112")
    record = client.get("/api/matches/1.trn").text
    assert '[Options "misplay=draw2;stack=on"]' in record
    assert '[Target "300"]' in record and '[Deck "112"]' in record


def test_rules_of_the_customizable_cards_reach_the_match_and_its_state(client: httpx.Client) -> None:
    custom = ["others_draw=2", "dare=3 sing a song"]
    Host(client).does("new_match", players=PLAYERS, deck="112", custom=custom)
    assert '[Custom "others_draw=2;dare=3 sing a song"]' in client.get("/api/matches/1.trn").text
    assert client.get("/api/state").json()["custom"] == [
        {"kind": "others_draw", "cards": 2, "text": ""},
        {"kind": "dare", "cards": 3, "text": "sing a song"},
    ]


def test_history_names_the_line_to_amend(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    host.does("play", seat=2, card="R7")
    host.does("play", seat=3, card="R1")
    host.does("undo")
    lines = client.get("/api/history?last=2").json()["lines"]
    assert [(line["seat"], line["card"], line["amendable"]) for line in lines] == [(None, "R5", True), (2, "R7", True)]
    host.does("amend", line=lines[-1]["line"], card="B5")
    assert (host.state["top"], host.state["colour"]) == ("B5", "B")
    assert client.get("/api/history?last=1").json()["lines"][0]["card"] == "B5"


def test_the_stream_begins_with_the_state_and_goes_on_in_order(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    listener = Listener(client, 4)
    host.does("play", seat=2, card="R7")
    host.does("uno", seat=3)
    host.does("play", seat=3, card="W", colour="G")
    heard = listener.all()
    first = heard[0][1]
    assert [(kind, version) for kind, version, _ in heard] == [
        ("state", first),
        ("event", first + 1),
        ("event", first + 2),
        ("event", first + 3),
    ]
    assert heard[1][2]["line"].startswith("2 R7")
    assert all(data["state"]["version"] == version for _, version, data in heard)


@pytest.mark.parametrize("way", ["header", "query"])
def test_who_comes_back_gets_what_it_missed(client: httpx.Client, way: str) -> None:
    host = Host(client)
    host.begins()
    seen = host.state["version"]
    host.does("play", seat=2, card="R7")
    host.does("play", seat=3, card="R8")
    headers = {"Last-Event-ID": str(seen)} if way == "header" else {}
    listener = Listener(client, 3, headers, f"?after={seen}" if way == "query" else "")
    assert [(kind, version - seen) for kind, version, _ in listener.all()] == [("event", 1), ("event", 2), ("state", 2)]


@pytest.mark.parametrize("after", ["0", "999", "none"])
def test_who_saw_something_else_gets_the_state(client: httpx.Client, after: str) -> None:
    Host(client).begins()
    ((kind, _, data),) = Listener(client, 1, {"Last-Event-ID": after}).all()[-1:]
    assert kind in ("state", "event")
    assert data["state"]["top"] in (None, "R5")


def test_all_listeners_hear_everything(client: httpx.Client, desk: Desk) -> None:
    Host(client).begins()
    listeners = [Listener(client, 11) for _ in range(12)]
    for turn in range(10):
        desk.table.apply(Play(2 + turn % 2, Card.parse("R1")))
    heard = [listener.all() for listener in listeners]
    versions = [[version for _, version, _ in one] for one in heard]
    assert versions == [list(range(versions[0][0], versions[0][0] + 11))] * 12


def test_a_question_is_answered_and_shown(client: httpx.Client) -> None:
    Host(client).begins()
    answer = client.post("/api/ask", json={"query": "turn"}).json()["answer"]
    assert "Bram" in answer
    assert client.get("/api/state").json()["captions"][-1]["text"] == answer


def test_stored_matches_and_their_records(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    host.does("new_match", players=["Dirk", "Elin"])
    found = client.get("/api/matches").json()
    assert found["current"] == 2
    assert [(match["id"], match["players"], match["lines"]) for match in found["matches"]] == [
        (1, PLAYERS, 2),
        (2, ["Dirk", "Elin"], 0),
    ]
    record = client.get("/api/matches/1.trn")
    assert "deal 1" in record.text and "start R5" in record.text
    assert record.headers["content-disposition"] == 'attachment; filename="match-1.trn"'


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/matches/9.trn", 404), ("/api/matches/..%2Fx.trn", 404), ("/api/matches/x.trn", 422), ("/api/nothing", 404)],
)
def test_what_is_not_there(client: httpx.Client, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_the_camera_picture(client: httpx.Client, desk: Desk) -> None:
    assert client.get("/api/preview.jpg").status_code == 404
    desk.preview.show(np.full((90, 160, 3), 99, np.uint8), Detections.empty(), Zones())
    answer = client.get("/api/preview.jpg")
    assert answer.headers["content-type"] == "image/jpeg" and answer.content.startswith(b"\xff\xd8")
    with client.stream("GET", "/api/preview.mjpeg") as film:
        assert "multipart/x-mixed-replace" in film.headers["content-type"]
        first = next(film.iter_bytes())
    assert first.startswith(b"--frame") and b"\xff\xd8" in first


def test_health(client: httpx.Client, desk: Desk) -> None:
    health = client.get("/api/health").json()
    assert (health["status"], health["match"], health["camera"]["works"]) == ("ok", None, True)


def test_everything_that_may_be_told_has_the_name_that_the_state_gives_it(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    body = document["paths"]["/api/actions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(body["discriminator"]["mapping"]) == {*ACTIONS.values(), "undo", "amend", "new_match", "yes", "no"}


def test_the_api_explains_itself_without_the_network(client: httpx.Client) -> None:
    page = client.get("/docs").text
    assert "http" not in page.replace("http-equiv", "")
    for words in ("POST /api/actions", "expected_version", "Idempotency-Key", "GET /api/events", "new_match"):
        assert words.lower() in page.lower()


@pytest.mark.parametrize(
    "path", ["/", "/display", "/setup", "/pages/display.js", "/pages/icon.svg", "/pages/style.css"]
)
def test_pages_come(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert client.get("/pages/../api.py").status_code == 404


def test_a_table_goes_on_after_a_restart(tmp_path: Path, serve: Callable[..., str]) -> None:
    path = tmp_path / "again.sqlite"
    with Store.open(path) as store:
        table = Table.open(store, Phrases.load("en"))
        client = httpx.Client(base_url=serve(create_app(Desk(table, store, Preview()))))
        Host(client).begins()
        before = client.get("/api/state").json()
        client.close()
    with Store.open(path) as store:
        table = Table.open(store, Phrases.load("en"))
        with httpx.Client(base_url=serve(create_app(Desk(table, store, Preview())))) as client:
            after = client.get("/api/state").json()
    same = ("version", "match", "players", "turn", "top", "colour", "counts", "phase")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}


def test_a_listener_that_takes_nothing_is_dropped_and_slows_nobody(
    desk: Desk, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "SEND_TIMEOUT", 0.3)
    Host(client).begins()
    address = (client.base_url.host, client.base_url.port or 80)
    with socket.create_connection(address) as stalled:
        stalled.sendall(f"GET /api/events HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode())
        assert stalled.recv(1)
        other = Listener(client, 41)
        began = time.monotonic()
        for _ in range(40):
            desk.table.see(ViewLost(1.0, "long " * 60_000))
            time.sleep(0.02)
        assert client.get("/api/health").status_code == 200
        assert len(other.all()) == 41 and time.monotonic() - began < 10
        stalled.settimeout(5)
        taken = 0
        with contextlib.suppress(ConnectionError):
            while piece := stalled.recv(1 << 20):
                taken += len(piece)
    assert taken < 30 * 300_000


def test_a_slow_listener_gets_the_state_instead_of_a_backlog(client: httpx.Client, desk: Desk) -> None:
    Host(client).begins()
    with httpx.stream("GET", f"{client.base_url}/api/events", timeout=10) as stream:
        lines = stream.iter_lines()
        next(lines)
        for _ in range(2000):
            desk.table.see(ViewLost(1.0, "long " * 2000))
        desk.table.apply(Play(2, Card.parse("R1")))
        versions, kinds = [], []
        for line in lines:
            if line.startswith("event: "):
                kinds.append(line.removeprefix("event: "))
            if line.startswith("data: "):
                versions.append(json.loads(line.removeprefix("data: "))["state"]["version"])
                if versions[-1] == desk.table.version:
                    break
    assert len(kinds) < 2000
    assert versions == sorted(versions)


def random_action(dice: random.Random, state: dict[str, Any]) -> dict[str, Any]:
    """Something that somebody might tell the table: mostly what is expected, sometimes anything."""
    cards = [*map(str, FACES), "??"]
    if state["expected"] and dice.random() < 0.7:
        action = dict(dice.choice(state["expected"]))
    else:
        action = {"action": dice.choice([*ACTIONS.values(), "undo", "amend"])}
    free = {
        "seat": dice.randint(1, 4),
        "target": dice.randint(1, 4),
        "partner": dice.randint(1, 4),
        "number": dice.randint(1, 3),
        "line": dice.randint(1, 60),
        "points": dice.randint(0, 99),
        "verdict": dice.choice(["guilty", "innocent"]),
        "colour": dice.choice("RYGB"),
        "card": dice.choice(cards[:-1] if action["action"] == "amend" else cards),
        "cards": dice.choices(cards, k=dice.randint(0, 5)),
    }
    wanted = {"draw": ["seat"], "play": ["seat", "card"], "start": ["card"], "amend": ["line", "card"]}
    wanted |= {"hand": ["seat", "cards"], "discard": ["seat", "cards"], "points": ["seat", "points"]}
    wanted |= {"colour": ["seat", "colour"], "catch": ["seat", "target"], "swap": ["seat", "partner"]}
    wanted |= {"choose_rule": ["seat", "number"], "reshuffle": [], "void": [], "undo": []}
    for name in wanted.get(action["action"], ["seat"]):
        action.setdefault(name, free[name])
    if action["action"] in ("play", "start") and dice.random() < 0.5:
        action["colour"] = free["colour"]
    return action


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_told_the_table_answers(client: httpx.Client, desk: Desk, seed: int) -> None:
    dice = random.Random(seed)
    host = Host(client)
    host.does("new_match", players=["A", "B", "C", "D"], deck="112", target=200, options={"stack": "on"})
    for _ in range(60):
        action = random_action(dice, host.state)
        answer = tell(client, host.state["version"], **action)
        assert answer.status_code == 200, (action, answer.text)
        before, host.state = host.state["version"], answer.json()["state"]
        assert host.state["version"] == before + 1
    assert client.get("/api/history?last=1000").status_code == 200
    stored = replay(parse(client.get("/api/matches/1.trn").text)).public()
    same = ("round", "turn", "top", "colour", "direction", "counts", "scores", "pending", "out", "match_winner")
    assert {key: host.state[key] for key in same} == {key: stored[key] for key in same}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"action": "draw", "seat": NaN, "expected_version": 0}', "seat: send a whole number"),
        (b'{"action": "draw", "seat": 1e999, "expected_version": 0}', "seat: send a whole number"),
        (b'{"action": "\\ud800", "seat": 1, "expected_version": 0}', "action: there is none of the name"),
        (b'{"action": "draw", "seat": 0, "expected_version": 0}', "seat: send 1 or more, not 0."),
        (b'{"action": "draw", "seat": true, "expected_version": 0}', "seat: send a whole number, not true."),
        (
            b'{"action": "draw", "seat": 1, "expected_version": "0"}',
            "expected_version: send the `version` of the state",
        ),
        (b'{"action": "undo", "expected_version": ' + b"[" * 30_000 + b"}", "is no JSON"),
        (b'{"action": "draw"}', "expected_version: send the `version` of the state"),
        (b"[]", "Send a JSON object"),
        (b'{"action": "play", "seat": 1, "expected_version": 0, "card": "' + b"R" * 60_000 + b'"}', "is no card"),
    ],
)
def test_what_is_not_understood_is_refused_in_one_sentence(client: httpx.Client, body: bytes, words: str) -> None:
    answer = client.post("/api/actions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert words in answer.json()["detail"] and len(answer.json()["detail"]) < 500
    assert answer.json()["state"]["version"] == 0


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        (
            "actions",
            {"action": "new_match", "players": ["A"]},
            'players: send a list of 2 to 10 names, such as ["Anna"',
        ),
        ("actions", {"action": "new_match", "players": [1, "B"]}, "players, number 1: send a text, not 1"),
        ("actions", {"action": "new_match", "players": ["A", "B"], "speed": 1}, "speed: there is no such field here"),
        ("actions", {"action": "fly"}, "action: there is none of the name fly; send the name of one"),
        ("actions", {}, "action: is missing"),
        ("ask", {}, "query is missing"),
        ("ask", {"query": "why"}, "query: send 'repeat', 'top'"),
        ("ask", {"query": "top", "aloud": 0}, "aloud: send true or false, not 0"),
        ("speaking", {"mute": 1}, "mute: send true or false, not 1"),
        ("speaking", {"rate": "200"}, 'rate: send a whole number, not "200"'),
        ("zones", {"draw": {"x": "5", "y": 0}}, 'draw, x: send a number, not "5"'),
        ("speaking", {"silent": ["x"]}, "silent, number 1: send 'plays'"),
        ("zones", {"draw": {"x": -1, "y": 0}}, "draw, x: send 0.0 or more, not -1"),
        ("count?seat=x", {}, 'seat: send a whole number, not "x"'),
    ],
)
def test_a_refusal_names_the_field_and_says_what_to_send(
    client: httpx.Client, path: str, body: dict[str, Any], words: str
) -> None:
    more = {"expected_version": 0} if path == "actions" else {}
    detail = client.post(f"/api/{path}", json={**body, **more}).json()["detail"]
    assert words in detail and "tuple" not in detail and "dictionary" not in detail and detail.endswith(".")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_of_another_kind_is_told_which_one_to_send(client: httpx.Client, kind: str) -> None:
    body = b'{"action": "undo", "expected_version": 0}'
    answer = client.post("/api/actions", content=body, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code == 422 and "Content-Type: application/json" in answer.json()["detail"]


def test_yes_to_nothing_is_refused_with_the_state(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    answer = tell(client, host.state["version"], action="yes")
    assert answer.status_code == 409 and "asked nothing" in answer.json()["detail"]
    assert tell(client, 0, action="no").json()["detail"] == "The table has moved on since."


def test_a_seat_that_the_table_does_not_have_is_refused(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    actions: list[dict[str, Any]] = [{"action": "draw", "seat": 4}, {"action": "catch", "seat": 1, "target": 9}]
    for action in actions:
        answer = tell(client, host.state["version"], **action)
        assert answer.status_code == 422
        assert "there is no seat" in answer.json()["detail"] and "table of 3" in answer.json()["detail"]
    assert client.get("/api/state").json()["version"] == host.state["version"]


@pytest.mark.parametrize("name", ["\\ud800", "a\\u0000", "a\\u001b[31m", "a;b", 'a\\"', " "])
def test_a_name_that_no_file_takes_begins_no_match(client: httpx.Client, name: str) -> None:
    body = f'{{"action": "new_match", "players": ["{name}", "b"], "expected_version": 0}}'
    answer = client.post("/api/actions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "layers" in answer.json()["detail"]
    assert client.get("/api/matches").json()["matches"] == []


def test_a_match_of_any_number_is_looked_for(client: httpx.Client) -> None:
    for number in (0, -1, 7, 10**30):
        assert client.get(f"/api/matches/{number}.trn").status_code == 404


def test_a_match_is_begun_once_however_often_it_is_asked_for_at_once(client: httpx.Client) -> None:
    answers: list[int] = []

    def begin() -> None:
        answers.append(tell(client, 0, key="begin", action="new_match", players=PLAYERS).status_code)

    threads = [threading.Thread(target=begin) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 12
    assert len(client.get("/api/matches").json()["matches"]) == 1
    assert tell(client, 0, action="new_match", players=PLAYERS).status_code == 409


def test_a_key_that_named_another_request_is_refused(client: httpx.Client) -> None:
    host = Host(client)
    host.begins()
    version = host.state["version"]
    assert tell(client, version, key="mine", action="draw", seat=2).status_code == 200
    other = tell(client, version + 1, key="mine", action="pass", seat=2)
    assert other.status_code == 422 and "Idempotency-Key" in other.json()["detail"]
    assert other.json()["state"]["version"] == version + 1
    again = tell(client, version, key="mine", action="draw", seat=2)
    assert again.status_code == 200 and again.json()["repeated"]


@pytest.mark.parametrize("last", ["x", "-1", "9" * 5000, ""])
def test_a_listener_with_nonsense_gets_the_state(client: httpx.Client, last: str) -> None:
    with client.stream("GET", "/api/events", headers={"Last-Event-ID": last}) as answer:
        assert answer.status_code == 200
        assert next(answer.iter_lines()).startswith("id: ")
