"""A worker is known to live by the table of workers, whatever happens to that meanwhile."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from sqlalchemy import delete, event, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.cli import main
from app.domain.running import RunState
from app.runs import job
from app.runs.device import Device
from app.runs.presence import beat, present
from app.runs.reaper import reap
from app.runs.workplace import Workplace
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Worker
from tests.runs.conftest import a_run, the_run
from tests.store.databases import on_postgres

LONG_AGO = datetime.now(UTC) - timedelta(days=1)


@pytest.fixture
def place(settings: Settings, database: Database) -> Workplace:
    """A worker's, on a machine where no benchmark can be run."""
    nothing = Device(settings, {"serves": [], "trouble": "no torch"}, settings.lock_dir / "device")
    return Workplace(settings, database, "here", nothing)


def known(database: Database) -> list[str]:
    with database.reading() as session:
        return list(session.scalars(select(Worker.id).order_by(Worker.id)))


def test_a_worker_that_takes_no_jobs_outlives_one_that_is_lost(
    place: Workplace, database: Database
):
    with database.changing() as session:
        session.add(Worker("lost", {"serves": ["cpu"]}, started_at=LONG_AGO, seen_at=LONG_AGO))
        session.commit()
    beat(place)
    assert known(database) == ["here", "lost"]  # who can give its jobs back will bury it


def test_a_worker_that_takes_a_run_lives_whatever_its_last_beat_was(
    place: Workplace, database: Database
):
    run_id = a_run(database, place.settings)
    with present(place), database.changing() as session:
        session.execute(update(Worker).values(seen_at=LONG_AGO))
        session.commit()
        assert job._take(place, run_id) is not None
        reap(database, place.settings, datetime.now(UTC))
        assert the_run(database, run_id).state is RunState.RUNNING


def test_a_worker_that_was_thought_dead_is_seen_again(place: Workplace, database: Database):
    with present(place):
        with database.changing() as session:
            session.execute(delete(Worker))
            session.commit()
        beat(place)
        assert known(database) == ["here"]
    assert known(database) == []


@on_postgres
def test_a_worker_is_seen_even_where_it_is_buried_in_that_moment(
    place: Workplace, database: Database
):
    def bury(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE worker"):
            with database.changing() as session:
                session.execute(delete(Worker))
                session.commit()

    with present(place):
        event.listen(database.engine, "before_cursor_execute", bury)
        beat(place)
        event.remove(database.engine, "before_cursor_execute", bury)
        assert known(database) == ["here"]


class Gone:
    """A database that was there."""

    @contextmanager
    def changing(self) -> Iterator[Session]:
        raise OperationalError("UPDATE", {}, Exception("the server is gone"))
        yield


def test_a_worker_ends_in_order_where_the_database_is_gone_by_then(place: Workplace):
    with present(place):
        object.__setattr__(place, "database", cast(Database, Gone()))
        beat(place)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leaves the log, and the handlers of signals, as they were: a worker sets its own."""
    monkeypatch.setattr("app.logs.configure", lambda _settings: None)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql+psycopg://me:hidden@127.0.0.1:1/none", "Connection refused"),
        ("sqlite:////dev", "unable to open database file"),
    ],
)
def test_a_worker_without_a_database_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, why: str
):
    monkeypatch.setenv("RIDGEPOINT_DATABASE_URL", url)
    assert main(["worker"]) == 1
    said = capsys.readouterr().err
    assert why in said and said.count("\n") == 1 and "hidden" not in said
