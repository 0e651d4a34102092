"""Who was away: what was missed comes from memory or from the store, each event once and in order, or the state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service import fanout, feed, retold
from service.phrases import Phrases
from service.store import Store
from service.subscription import Update
from service.table import Table

TWO = MatchSettings(("Anna", "Bram"), dealer=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store


def opened(store: Store) -> Table:
    return Table.open(store, Phrases.load("en"))


def begun(store: Store, more: int = 0) -> Table:
    """A match with three lines (versions 2 to 4) and so many more."""
    table = opened(store)
    table.new_match(TWO)
    for event in (ev.Deal(1), ev.Start(Card.parse("R5")), ev.Play(2, Card.parse("R7")), *(ev.Uno(1),) * more):
        table.apply(event)
    return table


def heard(table: Table, after: int | None) -> list[tuple[str, int]]:
    """What a listener gets before anything new happens."""

    async def listen() -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        async for message in feed.messages(table, after):
            lines = dict(line.partition(": ")[::2] for line in message.decode().splitlines() if line)
            found.append((lines["event"], int(lines["id"])))
            if lines["event"] == "state":
                return found
        return found

    return asyncio.run(listen())


def test_after_a_restart_everything_missed_comes_once_and_in_order(store: Store) -> None:
    begun(store)
    again = opened(store)
    assert heard(again, 1) == [("event", 2), ("event", 3), ("event", 4), ("state", 4)]
    again.apply(ev.Draw(1))
    assert heard(again, 3) == [("event", 4), ("event", 5), ("state", 5)]
    assert heard(again, 2) == [("event", 3), ("event", 4), ("event", 5), ("state", 5)]
    assert heard(again, 5) == [("state", 5)]


def test_what_is_told_again_is_what_was_told(store: Store) -> None:
    table = begun(store, 3)
    table.apply(ev.Undo())
    table.apply(ev.Amend(table.entries()[2].judged.line, Card.parse("R8")))
    first = [update.data for update in table.missed(1, table.version)]
    again = opened(store)
    second = [update.data for update in again.missed(1, again.version)]
    assert len(first) == 8
    for one, other in zip(first, second, strict=True):
        assert {**one, "state": {**one["state"], "captions": []}} == {
            **other,
            "state": {**other["state"], "captions": []},
        }


@pytest.mark.parametrize(("after", "is_told"), [(0, False), (1, True), (99, False), (-5, False)])
def test_another_match_or_another_world_gets_the_state(store: Store, after: int, is_told: bool) -> None:
    begun(store)
    assert (len(heard(opened(store), after)) > 1) is is_told


def test_too_much_is_not_told_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fanout, retold):
        monkeypatch.setattr(module, "KEPT", 5)
    begun(store, 20)
    again = opened(store)
    assert heard(again, 4) == [("state", 24)]
    assert [version for _, version in heard(again, 20)] == [21, 22, 23, 24, 24]


def test_older_than_memory_comes_from_the_store_while_the_game_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(store, 4)
    for update in list(table._fanout._updates)[:5]:
        table._fanout._updates.remove(update)
    assert table._fanout.since(3) == ()
    assert [version for _, version in heard(table, 3)] == [4, 5, 6, 7, 8, 8]
    assert len(table._fanout.since(3)) == 5, "and is remembered for the next one"


def test_a_damaged_line_means_the_state(store: Store, path: Path) -> None:
    begun(store)
    again = opened(store)
    data = path.with_name(path.name + "-wal").read_bytes()
    assert b"2 R7" in data or b"2 R7" in path.read_bytes()
    store._engine.dispose()
    with store._engine.begin() as connection:
        for verb in ("update", "delete"):
            connection.exec_driver_sql(f"DROP TRIGGER no_{verb}_of_events")
        connection.exec_driver_sql("UPDATE events SET line = '2 B7' WHERE version = 4")
    assert heard(again, 2) == [("state", 4)]


def test_what_happens_while_it_is_told_again_comes_after_it(store: Store) -> None:
    begun(store)
    table = opened(store)

    async def listen() -> list[int]:
        found: list[int] = []
        stream = feed.messages(table, 1)
        async for message in stream:
            version = int(dict(line.partition(": ")[::2] for line in message.decode().splitlines() if line)["id"])
            found.append(version)
            if len(found) == 1:
                await asyncio.to_thread(table.apply, ev.Draw(1))
            if version == 5:
                return found
        return found

    assert asyncio.run(listen()) == [2, 3, 4, 4, 5]


def test_an_update_carries_its_data_as_it_goes_over_the_line() -> None:
    update = Update.of(3, "event", {"line": "1 R7", "state": {"name": "Zoë\n"}})
    assert update.data["state"]["name"] == "Zoë\n"
    assert feed.message(update).decode().count("\n") >= 4 and "Zoë\\n" in feed.message(update).decode()
