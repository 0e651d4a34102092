"""The routes of the host's page: piles, pictures, steps, links, language, doctor, health."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service import cli_doctor, health
from service.api import Desk, create_app
from service.desk import silence_of
from service.phrases import Phrases
from service.preview import Preview
from service.settings import Settings
from service.store import Store
from service.table import Table
from service.watching import Watcher
from vision.detections import Detections, Image, Quads
from vision.frames import Frame, Glimpse
from vision.zones import Zone


class Still:
    """A camera over an empty table that goes on until it is closed."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Glimpse]:
        index = 0
        while not self._closed.wait(0.02):
            yield Frame(np.full((180, 320, 3), 90, np.uint8), index / 10, index)
            index += 1

    def close(self) -> None:
        self._closed.set()


class Blind:
    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "table.sqlite") as store:
        yield Desk(Table.open(store, Phrases.load("en")), store, Preview())


@pytest.fixture
def client(desk: Desk, serve: Callable[..., str]) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serve(create_app(desk)), timeout=15) as client:
        yield client


@pytest.fixture
def watched(desk: Desk) -> Iterator[Watcher]:
    desk.watcher = Watcher(Still(), Blind(), lambda change: None, desk.preview)
    desk.watcher.start()
    while desk.preview.seen[0] is None:
        desk.watcher.join(0.01)
    yield desk.watcher
    desk.watcher.stop()


def begin(desk: Desk) -> None:
    desk.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
    for event in (ev.Deal(1), ev.Start(Card.parse("R5")), ev.Play(2, Card.parse("R7"))):
        desk.table.apply(event)


def test_piles_are_put_elsewhere_and_left_to_the_camera_again(client: httpx.Client, watched: Watcher) -> None:
    assert client.get("/api/zones").json() == {"width": 320, "height": 180, "discard": None, "draw": None}
    moved = client.post("/api/zones", json={"discard": {"x": 100, "y": 90, "card": 60}}).json()
    assert moved["discard"] == {"x": 100, "y": 90, "card": 60, "by_hand": True} and moved["draw"] is None
    both = client.post("/api/zones", json={"draw": {"x": 9000, "y": 20}}).json()
    assert both["draw"] == {"x": 319, "y": 20, "card": 60, "by_hand": True} and both["discard"]["by_hand"]
    while watched._watch.zones.draw is None:
        watched.join(0.01)
    assert watched._watch.zones.discard == Zone(100, 90, 60)
    assert client.post("/api/zones", json={"discard": None}).json()["discard"] is None


@pytest.mark.parametrize("body", [{"discard": {"x": -1, "y": 0}}, {"x": 1}, {"draw": {"x": 0, "y": 0, "card": 0}}, []])
def test_a_place_that_is_none_moves_nothing(client: httpx.Client, watched: Watcher, body: Any) -> None:
    assert client.post("/api/zones", json=body).status_code == 422
    assert watched.zones.discard is None


def test_without_a_camera_there_are_no_piles(client: httpx.Client) -> None:
    for answer in (client.get("/api/zones"), client.post("/api/zones", json={"discard": {"x": 1, "y": 1}})):
        assert (answer.status_code, answer.json()["detail"]) == (409, "There is no camera picture now.")


def test_what_the_camera_saw_is_there_for_a_while(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    for version in range(4, 80):
        desk.pictures.keep(version, b"\xff\xd8" + str(version).encode())
    assert client.get("/api/pictures/79.jpg").content == b"\xff\xd879"
    assert client.get("/api/pictures/4.jpg").status_code == 404, "the oldest are forgotten"
    desk.pictures.keep(4, b"\xff\xd8")
    lines = client.get("/api/history").json()["lines"]
    assert [(line["version"], line["picture"], line["source"]) for line in lines] == [
        (2, False, "host"),
        (3, False, "host"),
        (4, True, "host"),
    ]


def test_a_match_step_by_step(client: httpx.Client, desk: Desk) -> None:
    assert client.get("/api/steps").json() == {"match": None, "players": [], "steps": []}
    begin(desk)
    now = client.get("/api/steps").json()
    assert [(step["action"], step["version"], step["turn"]) for step in now["steps"]] == [
        ("deal", 2, None),
        ("start", 3, 2),
        ("play", 4, 1),
    ]
    assert now["steps"][-1]["counts"] == [7, 6] and now["steps"][-1]["card"] == "R7"
    stored = client.get("/api/matches/1/steps").json()
    assert stored["steps"] == now["steps"] and stored["players"] == ["Anna", "Bram"]
    assert client.get("/api/matches/9/steps").status_code == 404


def test_a_stored_match_as_json_and_as_a_table(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    assert client.get("/api/matches/1.json").json()["top"] == "R7"
    table = client.get("/api/matches/1.csv")
    assert table.headers["content-type"].startswith("text/csv") and table.text.splitlines()[0].startswith("line,")
    assert len(table.text.splitlines()) == 4
    (match,) = client.get("/api/matches").json()["matches"]
    assert (match["mode"], match["winner"], match["scores"]) == ("points", None, [0, 0])


def test_language_and_level_change_while_a_game_is_on(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    told: list[str] = []
    desk.voice_changed = lambda settings: told.append(f"{settings.lang} {settings.rate}")
    answer = client.post("/api/speaking", json={"lang": "nl", "rate": 200})
    assert (answer.json()["lang"], answer.json()["rate"], told) == ("nl", 200, ["nl 200"])
    assert "Anna" in client.post("/api/ask", json={"query": "turn"}).json()["answer"]
    assert 'lang="nl"' in client.get("/display").text
    assert client.get("/api/me").json()["lang"] == "nl"
    for wrong in ({"lang": "tlh"}, {"rate": 5}, {"sound": "x"}, {"level": "loud"}):
        assert client.post("/api/speaking", json=wrong).status_code == 422
    assert client.get("/api/speaking").json()["lang"] == "nl"


def test_an_answer_for_the_one_who_asks_alone(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    before = desk.table.snapshot()["captions"]
    assert "Anna" in client.post("/api/ask", json={"query": "turn", "aloud": False}).json()["answer"]
    assert desk.table.snapshot()["captions"] == before


def test_on_this_computer_alone_everybody_is_the_host(client: httpx.Client) -> None:
    assert client.get("/api/me").json() == {"role": "host", "seat": None, "lan": False, "look": "open", "lang": "en"}
    links = client.get("/api/links").json()
    assert links["lan"] is False and "#" not in links["host"] and len(links["seats"]) == 10
    assert client.get("/api/qr/seat-2.svg").headers["content-type"] == "image/svg+xml"
    assert client.get("/api/qr/nonsense.svg").status_code == 404


def test_the_doctor_says_what_works(client: httpx.Client, watched: Watcher) -> None:
    findings = {one["what"]: one for one in client.get("/api/doctor").json()["findings"]}
    assert findings["Python"]["works"] and findings["camera"]["works"] and findings["matches"]["works"]
    assert {"what", "name", "works", "found", "advice"} == set(findings["voice"])


def test_health_knows_a_camera_and_a_listener(client: httpx.Client, watched: Watcher) -> None:
    with client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        health = client.get("/api/health").json()
    assert (health["status"], health["listeners"], health["store"]) == ("ok", 1, {"works": True, "reason": None})
    assert health["camera"]["works"] and health["camera"]["frames"] > 0 and health["camera"]["seconds_ago"] < 10
    assert health["uptime"] >= 0


@pytest.mark.parametrize("path", ["/overlay", "/seat/2", "/match/1", "/match", "/setup", "/display", "/"])
def test_every_page_comes_in_its_language(client: httpx.Client, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200 and "<html" in page.text


def test_a_match_begins_once_under_one_key_over_a_restart(tmp_path: Path, serve: Callable[..., str]) -> None:
    body = {"action": "new_match", "players": ["Anna", "Bram"], "expected_version": 0}
    draw = {"action": "draw", "seat": 2, "expected_version": 3}
    answers = []
    for _ in range(2):
        with Store.open(tmp_path / "again.sqlite") as store:
            desk = Desk(Table.open(store, Phrases.load("en")), store, Preview())
            with httpx.Client(base_url=serve(create_app(desk)), timeout=15) as client:
                answers.append(client.post("/api/actions", json=body, headers={"Idempotency-Key": "m"}).json())
                if desk.table.version == 1:
                    for event in (ev.Deal(1), ev.Start(Card.parse("R5"))):
                        desk.table.apply(event)
                answers.append(client.post("/api/actions", json=draw, headers={"Idempotency-Key": "d"}).json())
                other = client.post("/api/actions", json={**body, "target": 9}, headers={"Idempotency-Key": "m"})
                assert other.status_code == 422 and "Idempotency-Key" in other.json()["detail"]
    assert [(answer["version"], answer["repeated"]) for answer in answers] == [
        (1, False),
        (4, False),
        (1, True),
        (4, True),
    ]


def test_a_key_of_the_match_before_is_known(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    draw = {"action": "draw", "seat": 1, "expected_version": 4}
    assert client.post("/api/actions", json=draw, headers={"Idempotency-Key": "d"}).json()["version"] == 5
    desk.table.new_match(MatchSettings(("Cleo", "Dirk")))
    late = client.post("/api/actions", json=draw, headers={"Idempotency-Key": "d"}).json()
    assert (late["version"], late["repeated"]) == (5, True)
    assert desk.table.version == 6


@pytest.fixture
def told(desk: Desk) -> Callable[[], tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Camera and voice as the state, health and the doctor tell them."""

    def told() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        state = desk.table.snapshot()
        found = {one["what"]: one for one in health.findings(desk)}
        return {key: state[key] for key in ("camera", "voice")}, health.health(desk), found

    return told


def test_a_film_that_is_over_is_told_the_same_everywhere(desk: Desk, told: Callable[[], Any]) -> None:
    desk.table.view_over()
    state, whole, doctor = told()
    assert state["camera"] == {"works": False, "reason": "The video has ended."}
    assert (whole["camera"]["works"], whole["camera"]["reason"]) == (False, "The video has ended.")
    assert (doctor["camera"]["works"], doctor["camera"]["found"]) == (False, "The video has ended.")
    assert whole["status"] == "degraded"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [({"sound": "none"}, "Sound is switched off in the settings."), ({"mute": True}, "The voice is muted.")],
)
def test_silence_by_choice_is_told_the_same_everywhere_and_is_no_fault(
    desk: Desk, told: Callable[[], Any], chosen: dict[str, Any], words: str
) -> None:
    desk.voice = lambda: {"works": True, "reason": None, "fault": None, "engine": "e", "player": "none"}
    desk.table.senses.silence = silence_of(Settings(**chosen))
    state, whole, doctor = told()
    assert state["voice"] == {"sound": False, "reason": words}
    assert (whole["voice"]["sound"], whole["voice"]["works"], whole["voice"]["reason"]) == (False, False, words)
    assert (doctor["voice"]["works"], doctor["voice"]["found"]) == (True, words)
    assert whole["status"] == "ok"


def damaged_of(desk: Desk) -> int:
    """Two matches in the store, of which the first one had a line altered; its number."""
    begin(desk)
    first = desk.table.match
    begin(desk)
    with sqlite3.connect(desk.store.path) as connection:
        connection.execute("DROP TRIGGER no_update_of_events")
        connection.execute("UPDATE events SET line = '1 R9' WHERE version = 3")
    connection.close()
    assert first is not None
    return first


def test_an_altered_line_is_told_the_same_everywhere(client: httpx.Client, desk: Desk, told: Callable[[], Any]) -> None:
    first = damaged_of(desk)
    _, whole, doctor = told()
    assert whole["store"]["works"] is False and whole["store"]["reason"] == doctor["matches"]["found"]
    assert f"altered: {first}." in whole["store"]["reason"] and doctor["matches"]["advice"]
    assert [one["damaged"] for one in client.get("/api/matches").json()["matches"]] == [True, False]
    assert client.get(f"/api/matches/{first}.trn").status_code == 503


def test_a_full_disk_is_told_the_same_everywhere(
    client: httpx.Client, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(desk.store.path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=2**20))
    assert client.get("/api/health").json()["store"]["works"] is False
    found = client.get("/api/doctor").json()["findings"]
    assert [one["works"] for one in found if "matches" in one["what"]] == [False]
    assert not any(one["advice"] for one in found if one["works"])
    (folder,) = cli_doctor.folder(Settings(data_dir=desk.store.path.parent))
    assert not folder.works and "only 1 MB left" in folder.found
