"""No run stays unfinished past its deadline or its worker's death."""

from datetime import datetime, timedelta

import pytest

from app.domain.running import RunSource, RunState
from app.runs import states
from app.runs.reaper import reap
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Run, Worker
from tests.runs.conftest import the_run


def store(database: Database, *rows: object) -> None:
    with database.changing() as session:
        session.add_all(rows)
        session.commit()


def a_row(state: RunState, deadline_at: datetime, worker: str | None = None) -> Run:
    return Run(
        id="r",
        experiment="chain",
        parameters={"device": "gpu"},
        source=RunSource.LIVE,
        state=state,
        requested_at=deadline_at - timedelta(minutes=5),
        deadline_at=deadline_at,
        worker=worker,
    )


def a_worker_row(seen_at: datetime) -> Worker:
    return Worker("w", {"serves": ["gpu"]}, started_at=seen_at, seen_at=seen_at)


SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("state", "kind"), [(RunState.RUNNING, "deadline"), (RunState.WAITING, "unclaimed")]
)
def test_a_run_past_its_deadline_is_interrupted_and_one_before_it_is_not(
    settings: Settings, database: Database, now: datetime, state: RunState, kind: str
):
    store(database, a_row(state, now, "w"), a_worker_row(now))
    reap(database, settings, now - SECOND)
    assert the_run(database, "r").state is state
    reap(database, settings, now + SECOND)
    run = the_run(database, "r")
    assert (run.state, run.trouble_kind) == (RunState.INTERRUPTED, kind)
    assert run.finished_at == now + SECOND


def test_a_run_whose_worker_is_silent_too_long_is_interrupted(
    settings: Settings, database: Database, now: datetime
):
    store(database, a_row(RunState.RUNNING, now + timedelta(hours=1), "w"), a_worker_row(now))
    assert reap(database, settings, now + settings.worker_lost_after) == []
    assert the_run(database, "r").state is RunState.RUNNING
    assert reap(database, settings, now + settings.worker_lost_after + SECOND) == ["w"]
    assert the_run(database, "r").trouble_kind == "worker_lost"


def test_a_run_of_a_worker_that_is_not_known_is_interrupted(
    settings: Settings, database: Database, now: datetime
):
    store(database, a_row(RunState.RUNNING, now + timedelta(hours=1), "gone"))
    reap(database, settings, now)
    assert the_run(database, "r").trouble_kind == "worker_lost"


def test_a_run_that_has_ended_is_left_as_it_is(
    settings: Settings, database: Database, now: datetime
):
    store(database, a_row(RunState.DONE, now, "gone"))
    reap(database, settings, now + timedelta(days=1))
    assert the_run(database, "r").state is RunState.DONE


def test_only_the_worker_that_has_a_run_may_change_it(database: Database, now: datetime):
    store(database, a_row(RunState.WAITING, now))
    five = timedelta(minutes=5)
    with database.changing() as session:
        assert states.take(session, "r", "first", now - SECOND, five)
        assert not states.take(session, "r", "second", now - SECOND, five)
        assert not states.finish(session, "r", "second", now)
        assert states.is_owner(session, "r", "first")
        assert states.cancel(session, "r", now)
        assert not states.is_owner(session, "r", "first")
        assert not states.finish(session, "r", "first", now)
        assert not states.cancel(session, "r", now)


def test_a_run_past_its_waiting_time_is_not_taken_any_more(database: Database, now: datetime):
    store(database, a_row(RunState.WAITING, now))
    with database.changing() as session:
        assert not states.take(session, "r", "w", now, timedelta(minutes=5))
