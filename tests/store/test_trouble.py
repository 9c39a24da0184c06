"""What a database's own errors mean."""

import sqlite3
import subprocess
import sys

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from app.store import trouble


def wrapped(cause: BaseException) -> DBAPIError:
    """A driver's error as SQLAlchemy raises it."""
    return DBAPIError("SELECT 1", None, cause)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (psycopg.errors.DiskFull(), trouble.FULL),
        (psycopg.errors.TooManyConnections(), trouble.BUSY),
        (psycopg.errors.DeadlockDetected(), trouble.BUSY),
        (psycopg.errors.ReadOnlySqlTransaction(), trouble.READ_ONLY),
        (psycopg.errors.AdminShutdown(), trouble.UNREACHABLE),
        (psycopg.OperationalError("connection refused"), trouble.UNREACHABLE),
        (psycopg.errors.UndefinedTable(), None),
        (psycopg.errors.UniqueViolation(), None),
    ],
)
def test_what_postgresql_says(error: psycopg.Error, told: str | None) -> None:
    assert trouble.sentence(wrapped(error)) == told


def sqlite_error(statements: list[str], path: str = ":memory:") -> sqlite3.Error:
    """The error that a real SQLite raises at the last of the statements."""
    with pytest.raises(sqlite3.Error) as raised:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
    return raised.value


def test_what_sqlite_says(tmp_path) -> None:
    file = str(tmp_path / "some.db")
    grown = ["CREATE TABLE t (x)", "PRAGMA max_page_count = 2"]
    full = sqlite_error([*grown, "INSERT INTO t VALUES (zeroblob(100000))"], file)
    read_only = sqlite_error(["PRAGMA query_only = 1", "CREATE TABLE u (x)"], file)

    assert trouble.sentence(wrapped(full)) == trouble.FULL
    assert trouble.sentence(wrapped(read_only)) == trouble.READ_ONLY
    assert trouble.sentence(wrapped(sqlite_error([], "/nowhere/x.db"))) == trouble.UNREACHABLE
    assert trouble.sentence(wrapped(sqlite_error(["SELECT * FROM none"]))) is None
    assert trouble.sentence(wrapped(sqlite_error(["SELECT"]))) is None


FULL_BY_LIMIT = """
import resource, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("CREATE TABLE t (x)")
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.commit()
except sqlite3.Error as error:
    print(error.sqlite_errorcode)
"""


def test_a_limit_on_files_is_told_from_a_database_that_is_not_there(tmp_path) -> None:
    command = [sys.executable, "-c", FULL_BY_LIMIT, str(tmp_path / "some.db")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = int(told)
    assert trouble.sentence(wrapped(error)) == trouble.UNWRITABLE


def test_waiting_in_vain_for_a_connection_is_being_busy() -> None:
    assert trouble.sentence(NoFreeConnection()) == trouble.BUSY


def test_a_fault_of_ours_is_no_state_of_the_database() -> None:
    assert trouble.sentence(InvalidRequestError("lazy load")) is None


def test_every_sentence_says_that_nothing_was_kept() -> None:
    said = {*trouble._BY_SQLITE_CODE.values(), *trouble._BY_SQLSTATE.values()}
    assert len(said) == 5
    for told in said:
        assert "nothing was kept" in told
        assert told.endswith(".")
