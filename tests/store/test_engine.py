"""Sessions: nothing is lost between processes, and moments keep their zone."""

import multiprocessing
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError, StatementError

from app.store.engine import BUSY_TIMEOUT_MS, Database, open_database
from app.store.models import Learner, Worker
from tests.store.databases import on_postgres, on_sqlite

TIMES, PROCESSES = 40, 3


def _count_up(url: str) -> None:
    database = open_database(url)
    for _ in range(TIMES):
        with database.changing() as session:
            row = session.scalars(
                select(Worker).where(Worker.id == "counter").with_for_update()
            ).one()
            row.device = {"count": row.device["count"] + 1}
            session.commit()
    database.dispose()


def test_no_update_is_lost_between_processes(database: Database, now: datetime) -> None:
    with database.changing() as session:
        session.add(Worker("counter", {"count": 0}, now, now))
        session.commit()
    url = database.engine.url.render_as_string(hide_password=False)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_count_up, args=(url,)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=300)
        assert process.exitcode == 0
    with database.reading() as session:
        assert session.scalars(select(Worker.device)).one() == {"count": TIMES * PROCESSES}


def test_what_was_not_committed_is_not_kept(database: Database, now: datetime) -> None:
    with database.changing() as session:
        session.add(Learner("someone", now))
        session.flush()
    with database.reading() as session:
        assert session.scalars(select(Learner)).all() == []


@on_sqlite
def test_who_notes_in_a_hurry_leaves_the_connection_as_patient_as_it_was(database: Database):
    with database.changing() as session:
        session.execute(text("SELECT 1"))  # holds the only place to write
        with pytest.raises(OperationalError, match="locked"), database.noting() as hurried:
            hurried.execute(text("SELECT 1"))
        with database.reading() as after:
            assert after.scalar(text("PRAGMA busy_timeout")) == BUSY_TIMEOUT_MS
    with database.noting() as session:
        assert session.scalar(text("PRAGMA busy_timeout")) == BUSY_TIMEOUT_MS


def test_a_moment_comes_back_as_the_same_moment_in_utc(database: Database) -> None:
    moment = datetime(2026, 3, 1, 1, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    with database.changing() as session:
        session.add(Learner("someone", moment))
        session.commit()
    with database.reading() as session:
        found = session.scalars(select(Learner.created_at)).one()
    assert found == moment
    assert found.tzinfo is UTC


def test_a_moment_without_a_zone_is_refused(database: Database) -> None:
    with database.changing() as session:
        session.add(Learner("someone", datetime(2026, 3, 1)))
        with pytest.raises(StatementError, match="a moment without a zone"):
            session.flush()


@on_postgres
def test_a_frozen_process_holds_no_lock_for_ever(database: Database) -> None:
    with database.engine.connect() as connection:
        shown = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar()
    assert shown == "10s"
