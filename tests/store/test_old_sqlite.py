"""The job queue stamps its rows with `unixepoch('subsec')`, which an older SQLite does not know."""

import sqlite3
import time

import pytest

from app.store import old_sqlite
from app.store.engine import Database
from tests.store.databases import on_sqlite


@on_sqlite
def test_the_databases_own_clock_has_fractions_of_a_second(database: Database):
    with database.engine.connect() as connection:
        told = connection.exec_driver_sql("SELECT unixepoch('subsec')").scalar()
    assert told == pytest.approx(time.time(), abs=5)


def test_an_older_sqlite_is_taught_and_a_newer_one_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    for known, taught in (((99, 0), True), ((0, 0), False)):
        monkeypatch.setattr(old_sqlite, "KNOWS_SUBSEC", known)
        connection = sqlite3.connect(":memory:")
        connection.create_function("unixepoch", 1, lambda _: -1.0)
        old_sqlite.teach_subsec(connection)
        (told,) = connection.execute("SELECT unixepoch('subsec')").fetchone()
        assert (told != -1.0) == taught
        connection.close()
