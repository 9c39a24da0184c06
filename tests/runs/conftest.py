"""Runs, workers as real processes, and waiting with an end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from app.domain.running import RunDevice, RunSource, RunState
from app.runs import device, queue
from app.runs.embedded import as_environment
from app.runs.workplace import Workplace
from app.settings import ROOT, Settings
from app.store import learners
from app.store.engine import Database
from app.store.models import Learner, Run, RunEvent, Worker

PATIENCE_SECONDS = 120.0
"""A worker's start takes 2 s on an idle machine, and was seen to take 40 s on a busy one."""

T = TypeVar("T")


def eventually(look: Callable[[], T], *, within: float = PATIENCE_SECONDS) -> T:
    """What `look` answers as soon as that is true; fails when it stays false too long."""
    over = time.monotonic() + within
    while not (seen := look()):
        assert time.monotonic() < over, f"still {seen!r} after {within} s"
        time.sleep(0.05)
    return seen


def is_alive(pid: int) -> bool:
    """Whether a process runs (one that has ended and was not yet collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings with a queue, a bench that measures at once, and locks of this test's own."""
    return Settings(
        data_dir=tmp_path / "data",
        lock_dir=tmp_path / "locks",
        database_url=database_url,
        secret="a secret for the tests alone, kept by no one",
        embedded_worker=False,
        bench_module="tests.runs.benches.steady",
    )


@pytest.fixture
def learner(database: Database) -> Learner:
    """Someone who may ask for runs."""
    return a_learner(database)


def a_learner(database: Database) -> Learner:
    """Another learner."""
    with database.changing() as session:
        learner = learners.create(session, datetime.now(UTC))
        session.commit()
    return learner


def a_run(database: Database, settings: Settings, learner: Learner | None = None) -> str:
    """A waiting run with its job, as asking for one leaves it."""
    now = datetime.now(UTC)
    run = Run(
        id=uuid4().hex,
        experiment="chain",
        parameters={
            "preset": "whisper-large",
            "dtype": "bf16",
            "direction": "forward",
            "device": "gpu",
        },
        source=RunSource.LIVE,
        state=RunState.WAITING,
        requested_at=now,
        learner_id=learner.id if learner else None,
        deadline_at=now + settings.run_wait_limit,
    )
    with database.changing() as session:
        session.add(run)
        session.flush()
        queue.open_jobs(database).put(session, run.id, RunDevice.GPU)
        session.commit()
    return run.id


def a_place(settings: Settings, database: Database) -> Workplace:
    """What a worker has whose device answered at its start."""
    stopping = threading.Event()
    return Workplace(settings, database, "worker", device.find(settings, stopping), stopping)


def the_run(database: Database, run_id: str) -> Run:
    """The run as it stands now."""
    with database.reading() as session:
        run = session.get(Run, run_id)
        assert run is not None
        return run


def events_of(database: Database, run_id: str) -> list[dict[str, object]]:
    """The run's events so far."""
    with database.reading() as session:
        kept = select(RunEvent.body).where(RunEvent.run_id == run_id).order_by(RunEvent.seq)
        return list(session.scalars(kept))


def ended(database: Database, run_id: str, *, within: float = PATIENCE_SECONDS) -> Run:
    """The run, once it has ended."""

    def look() -> Run | None:
        run = the_run(database, run_id)
        return run if run.state.final else None

    run = eventually(look, within=within)
    assert run is not None
    return run


class WorkerProcess:
    """A worker started as an operator starts it."""

    def __init__(self, settings: Settings) -> None:
        environment = os.environ | as_environment(settings)
        command = [sys.executable, "-m", "app.cli", "worker"]
        self.popen = subprocess.Popen(command, cwd=ROOT, env=environment)

    def kill(self) -> None:
        """End it as a fault would: at once, with no chance to tidy up."""
        self.popen.kill()
        self.popen.wait()

    def stop(self) -> int:
        """Ask it to end, as a system does at shutdown; its exit code."""
        self.popen.send_signal(signal.SIGTERM)
        return self.popen.wait(timeout=PATIENCE_SECONDS)


@contextmanager
def a_worker(settings: Settings) -> Iterator[WorkerProcess]:
    """A worker that is gone when the block is left."""
    worker = WorkerProcess(settings)
    try:
        yield worker
    finally:
        if worker.popen.poll() is None:
            worker.kill()


def with_bench(settings: Settings, name: str, **others: object) -> Settings:
    """These settings with another bench of tests/runs/benches."""
    return settings.model_copy(update={"bench_module": f"tests.runs.benches.{name}", **others})


def pids_of(database: Database, run_id: str) -> list[int] | None:
    """The endless bench and its child, once both are known."""
    events = events_of(database, run_id)
    pids = [event.get("pid") or event.get("child") for event in events[:2]]
    return [int(str(pid)) for pid in pids] if len(pids) == 2 else None


def workers(database: Database) -> int:
    """How many workers the database knows of."""
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(Worker)) or 0
