"""Where the host keeps files is nobody's business: no answer, caption or stream says it, whatever goes wrong."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from referee import events as ev
from referee.options import MatchSettings
from service.api import create_app
from service.desk import Desk
from service.phrases import Phrases
from service.run import Evening
from service.settings import Settings
from service.store import Store
from service.table import Table
from tests.service.conftest import Serve
from vision.frames import SourceError, open_source

MATCH = MatchSettings(("Anna", "Bram"), dealer=1)


@pytest.fixture
def client(desk: Desk, serve: Serve) -> Iterator[httpx.Client]:
    desk.table.new_match(MATCH)
    with httpx.Client(base_url=serve(create_app(desk)), timeout=15) as client:
        yield client


def spoil(path: Path) -> None:
    """Make a database of which nothing can be read or written any more."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE events")
        connection.execute("DROP TABLE matches")
    connection.close()


def test_no_answer_says_where_the_store_is(client: httpx.Client, desk: Desk, tmp_path: Path) -> None:
    spoil(desk.store.path)
    told = {"action": "deal", "seat": 1, "expected_version": desk.table.version}
    answers = [
        client.post("/api/actions", json=told),
        client.post("/api/actions", json={"action": "new_match", "players": ["A", "B"], "expected_version": 1}),
        client.get("/api/matches"),
        client.get("/api/matches/1.trn"),
        client.get("/api/health"),
        client.get("/api/state"),
    ]
    assert [answer.status_code for answer in answers] == [503, 503, 503, 503, 200, 200]
    for answer in answers:
        assert str(tmp_path) not in answer.text and "table.sqlite" not in answer.text
    assert "cannot be" in answers[0].json()["detail"] and answers[0].json()["detail"].endswith(".")
    assert answers[4].json()["store"]["works"] is False
    captions = answers[5].json()["captions"]
    assert "could not be stored" in captions[-1]["text"] or "could not be stored" in captions[-2]["text"]


def test_no_caption_says_where_a_damaged_match_lies(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with Store.open(path) as store:
        table = Table.open(store, Phrases.load("en"))
        table.new_match(MATCH)
        table.apply(ev.Deal(1))
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER no_update_of_events")
        connection.execute("UPDATE events SET line = 'deal 2'")
    connection.close()
    with Store.open(path) as store:
        captions = Table.open(store, Phrases.load("en")).snapshot()["captions"]
    assert "cannot be read" in captions[-1]["text"] and str(tmp_path) not in captions[-1]["text"]
    assert "damaged at" not in captions[-1]["text"], "the host reads it in the log and in the doctor"


def test_no_caption_says_where_a_damaged_store_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(mute=True, data_dir=tmp_path)
    settings.database.write_bytes(b"not a database" * 100)
    with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
        text = evening.table.snapshot()["captions"][-1]["text"]
        assert "table-damaged-" in text and str(tmp_path) not in text
    assert str(tmp_path) in caplog.text, "the host reads it in the log"


def test_a_picture_that_cannot_be_read_is_named_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 no picture")
    with pytest.raises(SourceError) as error:
        list(open_source(str(tmp_path)))
    assert str(error.value).startswith("a.jpg is no picture") and str(tmp_path) not in str(error.value)
