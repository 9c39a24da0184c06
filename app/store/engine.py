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
from sqlalchemy.pool import QueuePool

from app.store.old_sqlite import teach_subsec

BUSY_TIMEOUT_MS = 10_000
HURRIED_MS = 250
IDLE_TRANSACTION_MS = 10_000
MOST_CONNECTIONS = 40
"""Of one process; two web processes and their workers fit PostgreSQL's usual hundred."""
POOL: dict[str, Any] = {
    "poolclass": QueuePool,
    "pool_size": 5,
    "max_overflow": MOST_CONNECTIONS - 5,
    "hide_parameters": True,  # an error's text, which is logged, shows no values
}


@dataclass(frozen=True, slots=True)
class Database:
    """One pool of connections, behind an engine for each thing that is done with them.

    `engine` is for sessions that only read, `writing` for those that write, and `single`
    for one statement that needs no transaction around it.
    """

    engine: Engine
    writing: Engine
    single: Engine

    @property
    def at_hand(self) -> bool:
        """Whether it is a file on this machine, read by this process itself."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session to look things up; nothing it does is kept."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """A connection for one look-up that makes no objects: at a quarter of a session's cost."""
        with self.single.connect() as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[Session]:
        """A session that may write; only an explicit commit keeps what it did."""
        with Session(self.writing, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def noting(self, wait_ms: int = HURRIED_MS) -> Iterator[Session]:
        """As `changing`, for what a page notes as it is read.

        OperationalError after `wait_ms` on a locked SQLite file; PostgreSQL locks rows, and
        waits for its own time. Pages that waited for a locked file would keep all others
        waiting as well.
        """
        hurried = self.writing.execution_options(ridgepoint_wait_ms=wait_ms)
        with Session(hurried, expire_on_commit=False) as session:
            yield session

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Connect lazily to `url`; for SQLite the folder is made and the file's habits are set."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True, **POOL)
        event.listen(engine, "connect", _set_postgres_habits)
        return Database(engine, engine, engine)
    Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, **POOL)
    event.listen(engine, "connect", _set_sqlite_habits)
    event.listen(engine, "begin", _begin)
    writing = engine.execution_options(ridgepoint_begin="BEGIN IMMEDIATE")
    single = create_engine(url, pool=engine.pool, hide_parameters=True)
    return Database(engine, writing, single)


def _set_postgres_habits(connection: Any, _record: Any) -> None:
    """Have the server end what a frozen process began: its row locks would hold all others up."""
    connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TRANSACTION_MS}")
    connection.commit()


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
    begin = options.get("ridgepoint_begin", "BEGIN")
    if (wait := options.get("ridgepoint_wait_ms")) is None:
        connection.exec_driver_sql(begin)
        return
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {wait}")
    try:
        connection.exec_driver_sql(begin)
    finally:  # others get the connection after this one
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
