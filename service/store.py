"""Matches on disk: append-only, in one SQLite file, so that a killed process or a pulled plug loses nothing.

Every line of a record is a row of its own; a row, once written, is never changed (the file itself refuses). Write-ahead
logging with `synchronous=FULL`: when `append` returns, the line survives the power going off, which is the moment that
people are told. Versions rise by one over all matches of the file, so a display never takes an old match for a new one.

    StoreError
    ├── InUseError       another Tableref has the file
    ├── DamagedError     what is in the file is not what was written
    ├── NothingStoredError
    └── NoSuchMatchError
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import filelock
import sqlalchemy as sa

log = logging.getLogger(__name__)

SCHEMA: Final = 2
"""Of the file; `_STEPS` brings older ones up to it."""
LEAST_FREE: Final = 16 * 2**20
"""Bytes that should be free on the disk; a match takes some hundred thousand."""
_LARGEST: Final = 2**63 - 1
"""The largest number that SQLite knows."""

_TABLES: Final = sa.MetaData()
_MATCHES: Final = sa.Table(
    "matches",
    _TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False, unique=True),
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("began", sa.Text, nullable=False),
    sa.Column("key", sa.Text, unique=True),
)
_EVENTS: Final = sa.Table(
    "events",
    _TABLES,
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("matches.id"), nullable=False, index=True),
    sa.Column("line", sa.Text, nullable=False),
    sa.Column("key", sa.Text),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("sum", sa.Integer, nullable=False),
    sa.UniqueConstraint("match", "key"),
)


_STEPS: Final = {
    # Requests that begin a match have their key stored as those of events have: they apply once, over restarts, too.
    1: ("ALTER TABLE matches ADD COLUMN key TEXT", "CREATE UNIQUE INDEX matches_by_key ON matches (key)"),
}
"""What brings a file of the schema before to the next one; stored rows stay as they are."""


class StoreError(Exception):
    """Matches cannot be stored or read; the message is one sentence, about the file `path` if it is about one.

    `told` is the same for everybody at the table, who need not know where the host keeps files.
    """

    def __init__(self, told: str, path: Path | None = None) -> None:
        super().__init__(told if path is None else f"{path}: {told}")
        self.told = told

    @property
    def sentence(self) -> str:
        """`told` as a sentence of its own."""
        return f"{self.told[0].upper()}{self.told[1:]}."


class InUseError(StoreError):
    """Another Tableref has the file."""


class DamagedError(StoreError):
    """What is in the file is not what was written."""


class NothingStoredError(StoreError):
    """No match was ever stored there."""


class NoSuchMatchError(StoreError):
    """There is no match of that number."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One stored line: `version` rises by one a line, `key` is that of the request which brought it, if it had one."""

    version: int
    line: str
    key: str | None
    source: str


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What a list of matches shows: number, when it began (ISO 8601, UTC), its header and how many lines followed.

    `version` is the one that its header made.
    """

    id: int
    began: str
    header: str
    version: int
    lines: int


class Store:
    """The file of matches. `Store.open` writes, and is the only one that may; `Store.read` only looks."""

    def __init__(self, path: Path, engine: sa.Engine, lock: filelock.BaseFileLock | None) -> None:
        self.path = path
        self.kept_aside: Path | None = None
        """Where a damaged file that was found here is kept."""
        self._engine = engine
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> Store:
        """The store in the file `path`, made if it is missing.

        A damaged file is kept aside under another name and a new one begun (`kept_aside` tells). Raises InUseError
        while another process has it, and StoreError when the folder cannot be written.
        """
        store = cls(path, _engine(path), _locked(path))
        try:
            store.kept_aside = None if _is_sound(path) else _keep_aside(path)
            store._prepare()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """The store in `path` for looking only, also while a game is on; StoreError when there is none."""
        try:
            found = path.is_file()
        except OSError as error:
            raise StoreError(f"cannot be read ({error.strerror}); choose another data_dir", path) from error
        if not found:
            raise NothingStoredError("no matches are stored there", path)
        if not _is_sound(path):
            raise DamagedError("the stored matches are damaged; `tableref run` keeps them aside and begins anew", path)
        with contextlib.ExitStack() as unless_returned:
            store = cls(path, _engine(path), None)
            unless_returned.callback(store._engine.dispose)
            with store._reading() as connection:
                begun = _schema(path, connection)
            if not begun:
                raise NothingStoredError("no matches are stored there", path)
            unless_returned.pop_all()
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()

    @property
    def version(self) -> int:
        """The version of the newest line, or of the newest match when it has none; 0 while nothing is stored."""
        with self._reading() as connection:
            return _newest(connection)

    def create_match(self, header_lines: Sequence[str] | str, key: str | None = None) -> int:
        """Store the header of a new match; returns its number. The version rises by one.

        key: that of the request; StoreError when a match was begun with it before (`match_of` finds it).
        """
        header = header_lines if isinstance(header_lines, str) else "".join(f"{line}\n" for line in header_lines)
        with self._writing() as connection:
            row = {"version": _newest(connection) + 1, "header": header, "began": _now(), "key": key}
            return int(connection.execute(_MATCHES.insert().returning(_MATCHES.c.id), row).scalar_one())

    def append(
        self, match: int, version: int, line: str | Sequence[str], key: str | None = None, source: str = "host"
    ) -> None:
        """Store the line that makes `version` of a match, or several from it on, all or none; on disk on return.

        Raises StoreError when that could not be: also when `version` is not the next one, or `key` was stored before.
        """
        row: dict[str, Any] = {"match": match, "key": key, "source": source, "time": _now()}
        with self._writing() as connection:
            if version != _newest(connection) + 1:
                raise StoreError(f"version {version} is not the next one, {_newest(connection) + 1}", self.path)
            for number, text in enumerate([line] if isinstance(line, str) else line, start=version):
                row |= {"version": number, "line": text, "sum": _sum(match, number, text)}
                connection.execute(_EVENTS.insert(), row)

    def header(self, match: int) -> str:
        """The header of a match as text."""
        header = None
        if abs(match) <= _LARGEST:
            with self._reading() as connection:
                asked = sa.select(_MATCHES.c.header).where(_MATCHES.c.id == match)
                header = connection.execute(asked).scalar_one_or_none()
        if header is None:
            raise NoSuchMatchError(f"there is no match {match}")
        return str(header)

    def lines(self, match: int) -> tuple[Stored, ...]:
        """The lines of a match in order; DamagedError when one is not as it was written."""
        columns = (_EVENTS.c.version, _EVENTS.c.line, _EVENTS.c.key, _EVENTS.c.source, _EVENTS.c.sum)
        asked = sa.select(*columns).where(_EVENTS.c.match == match).order_by(_EVENTS.c.version)
        with self._reading() as connection:
            rows = connection.execute(asked).all()
        for row in rows:
            if row.sum != _sum(match, row.version, row.line):
                raise DamagedError(f"match {match} is damaged at {row.line!r}", self.path)
        return tuple(Stored(row.version, row.line, row.key, row.source) for row in rows)

    def load(self, match: int) -> str:
        """The record of a match as text."""
        header = self.header(match)
        return header + "".join(f"{stored.line}\n" for stored in self.lines(match))

    def matches(self) -> tuple[StoredMatch, ...]:
        """All matches, the oldest first."""
        with self._reading() as connection:
            return tuple(StoredMatch(*row) for row in connection.execute(_LISTED.order_by(_MATCHES.c.id)).all())

    def match_of(self, key: str) -> StoredMatch | None:
        """The match that the request with this key began."""
        with self._reading() as connection:
            row = connection.execute(_LISTED.where(_MATCHES.c.key == key)).one_or_none()
        return None if row is None else StoredMatch(*row)

    def told_with(self, key: str) -> Stored | None:
        """The line of any match that the request with this key brought."""
        columns = (_EVENTS.c.version, _EVENTS.c.line, _EVENTS.c.key, _EVENTS.c.source)
        with self._reading() as connection:
            row = connection.execute(sa.select(*columns).where(_EVENTS.c.key == key).limit(1)).one_or_none()
        return None if row is None else Stored(*row)

    def damaged(self) -> tuple[int, ...]:
        """The matches of which a line is not as it was written."""
        columns = (_EVENTS.c.match, _EVENTS.c.version, _EVENTS.c.line, _EVENTS.c.sum)
        with self._reading() as connection:
            rows = connection.execute(sa.select(*columns)).all()
        return tuple(sorted({row.match for row in rows if row.sum != _sum(row.match, row.version, row.line)}))

    def works(self) -> str | None:
        """None when matches can be read and the disk takes more; else the reason, a sentence."""
        try:
            self.version  # noqa: B018 - read to see whether it can be
            free = shutil.disk_usage(self.path.parent).free
        except StoreError as error:
            return error.sentence
        except OSError as error:
            return f"The disk where the matches are stored cannot be asked ({error.strerror})."
        return None if free >= LEAST_FREE else f"Only {free // 2**20} MB are free where the matches are stored."

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with _told(self.path, "read"), self._engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with _told(self.path, "written"), self._engine.begin() as connection:
            yield connection

    def _prepare(self) -> None:
        with self._writing() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            found = _schema(self.path, connection)
            for step in range(found or SCHEMA, SCHEMA):
                for statement in _STEPS[step]:
                    connection.exec_driver_sql(statement)
            _TABLES.create_all(connection)
            for table in (_MATCHES, _EVENTS):
                for verb in ("update", "delete"):
                    connection.exec_driver_sql(_refusing(table.name, verb))
            connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")


_LISTED: Final = (
    sa.select(_MATCHES.c.id, _MATCHES.c.began, _MATCHES.c.header, _MATCHES.c.version, sa.func.count(_EVENTS.c.version))
    .select_from(_MATCHES.outerjoin(_EVENTS, _EVENTS.c.match == _MATCHES.c.id))
    .group_by(_MATCHES.c.id)
)


def _schema(path: Path, connection: sa.Connection) -> int:
    """The number of the schema in the file, 0 while it holds none; StoreError when it is newer than this program."""
    found = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    if found > SCHEMA:
        raise StoreError("these matches were stored by a newer Tableref; please install that one", path)
    return found


def _refusing(table: str, verb: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS no_{verb}_of_{table} BEFORE {verb.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'what is stored is never changed'); END"
    )


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": 5})

    @sa.event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: object) -> None:
        try:
            for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {setting}")
        except BaseException:
            connection.close()  # a damaged file; the pool does not know the connection yet
            raise

    return engine


def _locked(path: Path) -> filelock.BaseFileLock:
    lock = filelock.FileLock(path.with_name(path.name + ".lock"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise InUseError("is in use by another Tableref; close it, or use another data_dir", path) from None
    except OSError as error:
        raise StoreError(f"cannot be written ({error.strerror}); choose another data_dir", path) from error
    return lock


def _is_sound(path: Path) -> bool:
    """Whether the file is missing, or a database without damage."""
    if not path.exists():
        return True
    engine = _engine(path)
    try:
        with engine.connect() as connection:
            return bool(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() == "ok")
    except sa.exc.OperationalError as error:
        raise StoreError(f"the stored matches cannot be opened ({error.orig})", path) from error
    except sa.exc.DatabaseError:
        return False
    finally:
        engine.dispose()


def _keep_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.stem}-damaged-{datetime.now():%Y%m%d-%H%M%S-%f}{path.suffix}")
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").replace(f"{aside}{ending}")
    log.warning("the stored matches in %s are damaged; they are kept in %s, and a new store is begun", path, aside)
    return aside


@contextlib.contextmanager
def _told(path: Path, verb: str) -> Iterator[None]:
    """Errors of the database as sentences."""
    try:
        yield
    except sa.exc.IntegrityError as error:
        raise StoreError(f"a line cannot be stored twice, or changed ({error.orig})", path) from error
    except sa.exc.OperationalError as error:
        raise StoreError(f"matches cannot be {verb} ({error.orig})", path) from error
    except sa.exc.DatabaseError as error:
        raise DamagedError(f"the stored matches are damaged ({error.orig})", path) from error


def _newest(connection: sa.Connection) -> int:
    columns = (_EVENTS.c.version, _MATCHES.c.version)
    return max(int(connection.execute(sa.select(sa.func.max(column))).scalar_one() or 0) for column in columns)


def _sum(match: int, version: int, line: str) -> int:
    return zlib.crc32(f"{match} {version} {line}".encode())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
