"""Matches on disk: nothing acknowledged is lost, whatever happens to the process or the file."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from service import store as store_module
from service.store import SCHEMA, DamagedError, InUseError, NoSuchMatchError, Store, StoreError

ROOT = Path(__file__).parents[2]
HEADER = ('[Players "Anna;Bram"]',)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite"


def filled(path: Path, lines: int = 3) -> int:
    """A file with one match of so many lines; its number."""
    with Store.open(path) as store:
        match = store.create_match(HEADER)
        for number in range(1, lines + 1):
            store.append(match, store.version + 1, f"1 R{number % 10}", f"key-{number}")
    return match


def test_a_match_comes_back_line_by_line(path: Path) -> None:
    match = filled(path)
    with Store.open(path) as store:
        assert store.load(match) == '[Players "Anna;Bram"]\n1 R1\n1 R2\n1 R3\n'
        assert [(line.version, line.key) for line in store.lines(match)] == [(2, "key-1"), (3, "key-2"), (4, "key-3")]
        assert [(one.id, one.lines) for one in store.matches()] == [(match, 3)]
        assert store.version == 4


def test_versions_rise_over_all_matches(path: Path) -> None:
    filled(path)
    with Store.open(path) as store:
        second = store.create_match(HEADER)
        assert store.version == 5
        store.append(second, 6, "1 R1", "key-1")
        assert store.version == 6
        assert [line.version for line in store.lines(second)] == [6]


def test_a_match_that_is_not_there(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(NoSuchMatchError, match="there is no match 7"):
        store.load(7)


@pytest.mark.parametrize(("version", "key"), [(2, None), (4, None), (6, None), (5, "key-1")])
def test_no_line_is_stored_out_of_turn_or_twice(path: Path, version: int, key: str | None) -> None:
    match = filled(path)
    with Store.open(path) as store:
        with pytest.raises(StoreError):
            store.append(match, version, "1 R9", key)
        assert store.load(match).endswith("1 R3\n")
        store.append(match, 5, "1 R9", "key-5")


def test_a_line_of_no_match_is_refused(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(StoreError):
        store.append(1, 1, "1 R9")


def test_what_is_stored_cannot_be_changed(path: Path) -> None:
    filled(path)
    connection = sqlite3.connect(path)
    try:
        for change in ("UPDATE events SET line = 'x'", "DELETE FROM events", "DELETE FROM matches"):
            with pytest.raises(sqlite3.IntegrityError, match="never changed"):
                connection.execute(change)
    finally:
        connection.close()


def test_a_second_instance_is_refused_and_may_look(path: Path) -> None:
    match = filled(path)
    with Store.open(path) as store:
        with pytest.raises(InUseError, match=r": is in use by another Tableref; close it, or use another data_dir"):
            Store.open(path)
        with Store.read(path) as looking:
            assert looking.load(match) == store.load(match)
    Store.open(path).close()


def test_a_second_process_is_refused(path: Path) -> None:
    script = f"from pathlib import Path; from service.store import Store; Store.open(Path({str(path)!r}))"
    with Store.open(path):
        second = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert second.returncode != 0
    assert second.stderr.strip().splitlines()[-1].startswith("service.store.InUseError")


def test_threads_may_look_while_one_writes(path: Path) -> None:
    with Store.open(path) as store:
        match = store.create_match(HEADER)
        seen: list[int] = []
        readers = [threading.Thread(target=lambda: seen.append(len(store.lines(match)))) for _ in range(8)]
        for number, reader in enumerate(readers):
            reader.start()
            store.append(match, store.version + 1, f"1 R{number}")
        for reader in readers:
            reader.join()
        assert len(seen) == 8 and len(store.lines(match)) == 8


# Damage


def test_a_file_that_is_no_database_is_kept_aside(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(b"not a database" * 400)
    with Store.open(path) as store:
        assert store.matches() == ()
        assert store.kept_aside is not None and store.kept_aside.read_bytes().startswith(b"not a database")
    assert "damaged" in caplog.text
    with Store.open(path) as store:
        assert store.kept_aside is None


def test_a_torn_file_is_kept_aside(path: Path) -> None:
    filled(path, 120)
    data = bytearray(path.read_bytes())
    data[4096 : len(data) // 2] = bytes(len(data) // 2 - 4096)
    path.write_bytes(data)
    with pytest.raises(DamagedError, match="damaged"):
        Store.read(path)
    with Store.open(path) as store:
        assert store.kept_aside is not None and store.matches() == ()


def test_one_changed_letter_is_noticed(path: Path) -> None:
    match = filled(path)
    data = path.read_bytes()
    assert data.count(b"1 R2") == 1
    path.write_bytes(data.replace(b"1 R2", b"1 B2"))
    with Store.open(path) as store, pytest.raises(DamagedError, match="damaged at '1 B2'"):
        store.load(match)


def test_matches_of_a_newer_program_are_left_alone(path: Path) -> None:
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="stored by a newer Tableref"):
        Store.open(path)


def test_nothing_to_look_at(path: Path) -> None:
    with pytest.raises(StoreError, match="no matches are stored there"):
        Store.read(path)


@pytest.mark.skipif(os.name == "nt", reason="a folder cannot be made of a file in another way there")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another data_dir"):
        Store.open(tmp_path / "file" / "table.sqlite")


# Killed

WRITER = """
import sys
from pathlib import Path
from service.store import Store

with Store.open(Path(sys.argv[1])) as store:
    match = store.matches()[-1].id if store.matches() else store.create_match(['[Players "Anna;Bram"]'])
    while True:
        version = store.version + 1
        store.append(match, version, f"1 R{version % 10}", f"key-{version}")
        print(version, flush=True)
"""


def test_nothing_acknowledged_is_lost_when_killed(path: Path) -> None:
    rng = random.Random(1)
    acknowledged: list[int] = []
    for _ in range(10):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(rng.randint(1, 12)):
            acknowledged.append(int(writer.stdout.readline()))
        threading.Event().wait(rng.random() * 0.004)
        writer.kill()
        acknowledged += map(int, writer.stdout.read().split())
        writer.stdout.close()
        writer.wait()
        with Store.open(path) as store:
            stored = [line.version for line in store.lines(1)]
        assert store.kept_aside is None
        assert set(acknowledged) <= set(stored), "an acknowledged line is lost"
        assert stored == list(range(2, stored[-1] + 1)), "a line is missing or doubled"
        assert stored[-1] <= acknowledged[-1] + 1


# Full, forbidden, from before


def test_a_match_of_an_earlier_version_goes_on(path: Path) -> None:
    shutil.copy(Path(__file__).parent / "data" / "schema-1.sqlite", path)
    with Store.read(path) as looking:
        before = [looking.load(match.id) for match in looking.matches()]
    with Store.open(path) as store:
        assert [store.load(match.id) for match in store.matches()] == before and len(before) == 2
        assert store.kept_aside is None and store.match_of("anything") is None
        store.append(2, store.version + 1, "2 G7")
        third = store.create_match(HEADER, "begins the third")
        found = store.match_of("begins the third")
        assert found is not None and found.id == third
        with pytest.raises(StoreError):
            store.create_match(HEADER, "begins the third")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            connection.execute("UPDATE matches SET key = 'x'")


def columns_of(path: Path) -> dict[str, list[tuple[str, str, int]]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return {
            table: [row[1:4] for row in connection.execute(f"PRAGMA table_info({table})")]
            for table in ("matches", "events")
        }


def test_an_old_file_ends_up_like_a_new_one(path: Path, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parent / "data" / "schema-1.sqlite", path)
    Store.open(path).close()
    Store.open(tmp_path / "new.sqlite").close()
    assert columns_of(path) == columns_of(tmp_path / "new.sqlite")


def test_a_migration_that_is_cut_off_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(Path(__file__).parent / "data" / "schema-1.sqlite", path)
    steps = store_module._STEPS
    with monkeypatch.context() as broken:
        broken.setattr(store_module, "_STEPS", {1: (*steps[1], "THIS IS NO SQL")})
        with pytest.raises(StoreError):
            Store.open(path)
    with Store.open(path) as store:
        assert len(store.matches()) == 2


def test_a_full_disk_is_said_and_what_was_stored_stays(path: Path) -> None:
    match = filled(path)
    with Store.open(path) as store:
        limit = "PRAGMA max_page_count = 1"  # SQLite's own word for a disk that takes no more
        sa.event.listen(store._engine, "checkout", lambda connection, *rest: connection.execute(limit))
        before = store.version
        with pytest.raises(StoreError, match="disk is full"):
            for number in range(2000):
                store.append(match, store.version + 1, f"1 R{number % 10} {'#' * 200}")
        stored = store.version
        assert stored >= before
    with Store.open(path) as store:
        assert (store.version, len(store.lines(match))) == (stored, stored - 1)
        store.append(match, stored + 1, "1 R1")


LIMITED = """
import resource, signal, sys
from pathlib import Path
from service.store import Store, StoreError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open(Path(sys.argv[1])) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    match = store.create_match(['[Players "Anna;Bram"]'])
    try:
        for number in range(10_000):
            store.append(match, store.version + 1, "1 R1", f"key-{number}")
            print(store.version, flush=True)
    except StoreError as error:
        print(error, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system sets the limit")
def test_a_system_that_takes_no_more_bytes_loses_nothing(path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", LIMITED, str(path)], cwd=ROOT, capture_output=True, text=True)
    acknowledged = [int(line) for line in run.stdout.split()]
    assert "matches cannot be written" in run.stderr and len(acknowledged) > 3, run.stderr
    with Store.open(path) as store:
        assert [line.version for line in store.lines(1)] == acknowledged
        store.append(1, store.version + 1, "1 R9")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may do anything is not refused")
def test_a_read_only_folder_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="choose another data_dir"):
            Store.open(tmp_path / "table.sqlite")
    finally:
        tmp_path.chmod(0o700)


def test_a_clock_set_back_changes_no_order(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path)
    monkeypatch.setattr(store_module, "_now", lambda: "1999-01-01T00:00:00.000+00:00")
    with Store.open(path) as store:
        second = store.create_match(HEADER)
        store.append(second, store.version + 1, "1 R1")
        assert [match.id for match in store.matches()] == [1, second]
        assert [line.version for line in store.lines(second)] == [6]
