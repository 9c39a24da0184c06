"""A worker as a real process: what it makes of good and bad benchmarks, and of its own death."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, text, update

from app.domain.running import RunState
from app.runs import bench, measuring, queue, states
from app.runs.ask import Order, ask
from app.runs.choice import choose
from app.runs.locks import at_once
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Learner, Run, Worker
from tests.runs.conftest import (
    a_run,
    a_worker,
    ended,
    events_of,
    eventually,
    is_alive,
    pids_of,
    the_run,
    with_bench,
)


def test_a_waiting_run_is_measured_and_its_lines_are_kept_in_order(
    settings: Settings, database: Database
):
    run_id = a_run(database, settings)
    with a_worker(settings):
        run = ended(database, run_id)
    assert run.state is RunState.DONE, run.trouble
    kinds = [event["event"] for event in events_of(database, run_id)]
    assert kinds == ["device", "check", *["progress"] * 3, "limit", "result", "result", "summary"]


@pytest.mark.parametrize(
    ("bench", "kind", "words"),
    [
        ("partial", "bad_output", "no summary line"),
        ("nonsense", "bad_output", "NaN"),
        ("crashing", "died", "signal 11"),
        ("without_gpu", "no_gpu", "no CUDA device"),
    ],
)
def test_a_measurement_that_is_not_whole_is_an_error_that_says_why(
    settings: Settings, database: Database, bench: str, kind: str, words: str
):
    run_id = a_run(database, settings)
    with a_worker(with_bench(settings, bench)):
        run = ended(database, run_id)
    assert (run.state, run.trouble_kind) == (RunState.FAILED, kind)
    assert words in (run.trouble or "")


def test_a_run_that_waited_for_what_there_is_no_longer_ends_with_the_reason(
    settings: Settings, database: Database
):
    run_id = a_run(database, settings)
    with database.changing() as session:
        session.execute(update(Run).values(experiment="astrology"))
        session.commit()
    with a_worker(settings):
        run = ended(database, run_id)
    assert (run.state, run.trouble_kind) == (RunState.FAILED, "not_offered")
    assert "There is no experiment 'astrology'; there are chain, " in (run.trouble or "")


def test_a_run_of_the_lab_is_measured_with_the_choices_that_were_made(
    settings: Settings, database: Database, learner: Learner
):
    chosen = {"dtype": "fp32", "mode": "full"}
    order = Order(choose("width", "gpu", chosen))
    with database.changing() as session:
        run = ask(session, queue.open_jobs(database), settings, learner, order)
        session.commit()
    with a_worker(with_bench(settings, "lab")):
        done = ended(database, run.id)
    assert done.state is RunState.DONE, done.trouble
    said = events_of(database, run.id)[1]
    assert (said["experiment"], said["parameters"], said["id"]) == ("width", chosen, "cuda")


def test_kill_9_of_the_worker_takes_the_benchmark_with_it_and_the_restart_ends_the_run(
    settings: Settings, database: Database
):
    endless = with_bench(settings, "endless")
    run_id, next_id = a_run(database, settings), a_run(database, settings)
    with a_worker(endless) as worker:
        pids = eventually(lambda: pids_of(database, run_id))
        worker.kill()
    eventually(lambda: not any(is_alive(pid) for pid in pids))
    assert the_run(database, run_id).state is RunState.RUNNING
    with a_worker(settings):
        assert ended(database, run_id).trouble_kind == "worker_lost"
        assert ended(database, next_id).state is RunState.DONE


def test_cancelling_waits_for_no_more_than_two_seconds_in_all():
    """For its next look at the run, and for a benchmark that refuses to be told to end."""
    assert measuring.LOOK_SECONDS + bench.GRACE_SECONDS < 2


def test_cancelling_kills_the_benchmark_and_all_it_started(settings: Settings, database: Database):
    run_id, next_id = a_run(database, settings), a_run(database, settings)
    with a_worker(with_bench(settings, "endless")):
        pids = eventually(lambda: pids_of(database, run_id))
        with database.changing() as session:
            assert states.cancel(session, run_id, datetime.now(UTC))
            session.commit()
        eventually(lambda: not any(is_alive(pid) for pid in pids))
        eventually(lambda: the_run(database, next_id).state is RunState.RUNNING)
    assert the_run(database, run_id).state is RunState.CANCELLED


def test_a_run_past_its_deadline_is_stopped_and_ends_as_interrupted(
    settings: Settings, database: Database
):
    run_id = a_run(database, settings)
    with a_worker(with_bench(settings, "endless", run_deadline=timedelta(seconds=2))):
        run = ended(database, run_id)
        pids = pids_of(database, run_id)
        assert (run.state, run.trouble_kind) == (RunState.INTERRUPTED, "deadline")
        eventually(lambda: not any(is_alive(pid) for pid in pids or []))


def test_a_worker_told_to_stop_ends_its_run_and_leaves_no_trace(
    settings: Settings, database: Database
):
    run_id, waiting_id = a_run(database, settings), a_run(database, settings)
    with a_worker(with_bench(settings, "endless")) as worker:
        pids = eventually(lambda: pids_of(database, run_id))
        assert worker.stop() == 0
    assert the_run(database, run_id).trouble_kind == "worker_stopped"
    assert not any(is_alive(pid) for pid in pids)
    assert the_run(database, waiting_id).state is RunState.WAITING
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Worker)) == 0


@contextmanager
def nobody_writing(database: Database) -> Iterator[None]:
    """While no worker is amid a transaction of its own: stopped in one, it would hold its locks."""
    with database.changing() as session:  # SQLite's one lock; PostgreSQL has one for each row
        session.scalars(select(Run.id).with_for_update()).all()
        session.scalars(select(Worker.id).with_for_update()).all()
        yield


def test_another_worker_takes_over_from_one_that_fell_silent(
    settings: Settings, database: Database
):
    short = {"worker_lost_after": timedelta(seconds=4)}
    run_id, next_id = a_run(database, settings), a_run(database, settings)
    with a_worker(with_bench(settings, "endless", worker_id="first", **short)) as first:
        eventually(lambda: pids_of(database, run_id))
        with nobody_writing(database):
            os.kill(first.popen.pid, signal.SIGSTOP)
        other = settings.model_copy(update={"worker_id": "second", **short})
        with a_worker(other.model_copy(update={"lock_dir": settings.data_dir / "other-host"})):
            assert ended(database, run_id).trouble_kind == "worker_lost"
            assert ended(database, next_id).state is RunState.DONE


def test_a_job_that_a_dead_worker_had_in_hand_but_not_begun_is_run_by_another(
    settings: Settings, database: Database
):
    short = {"worker_lost_after": timedelta(seconds=4)}
    run_id = a_run(database, settings)
    with at_once(settings.lock_dir / "device-GPU-0.lock"):  # so that the first can't begin
        with a_worker(with_bench(settings, "steady", worker_id="first", **short)) as first:
            eventually(lambda: run_id in jobs_begun(database))
            first.kill()
        assert the_run(database, run_id).state is RunState.WAITING
        elsewhere = {"worker_id": "second", "lock_dir": settings.data_dir / "other-host"}
        with a_worker(with_bench(settings, "steady", **elsewhere, **short)):
            assert ended(database, run_id).state is RunState.DONE


def jobs_begun(database: Database) -> set[str]:
    """The jobs that a worker has taken out of the queue and not ended."""
    schema = "dbos." if database.engine.dialect.name == "postgresql" else ""
    query = f"SELECT workflow_uuid FROM {schema}workflow_status WHERE status = 'PENDING'"
    with database.reading() as session:
        return set(session.scalars(text(query)))
