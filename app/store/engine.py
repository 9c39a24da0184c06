"""Engines and sessions: one way to read, one way to write, on both databases.

SQLite needs telling. Its driver opens a transaction only at the first write,
so two processes that read, then update, lose one update without a word; a
session that writes therefore begins with BEGIN IMMEDIATE and waits its turn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.orm import Session

from app.store.old_sqlite import teach_subsec

BUSY_TIMEOUT_MS = 10_000


@dataclass(frozen=True, slots=True)
class Database:
    """An engine for sessions that only read, and the same pool for those that write."""

    engine: Engine
    writing: Engine

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session to look things up; nothing it does is kept."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def changing(self) -> Iterator[Session]:
        """A session that may write; only an explicit commit keeps what it did."""
        with Session(self.writing, expire_on_commit=False) as session:
            yield session

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Connect lazily to `url`; for SQLite the folder is made and the file's habits are set."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)
        return Database(engine, engine)
    if parsed.database and parsed.database != ":memory:":
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _set_sqlite_habits)
    event.listen(engine, "begin", _begin)
    return Database(engine, engine.execution_options(ridgepoint_begin="BEGIN IMMEDIATE"))


def _set_sqlite_habits(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    teach_subsec(connection)
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    connection.exec_driver_sql(options.get("ridgepoint_begin", "BEGIN"))
