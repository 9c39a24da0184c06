"""How a worker is known to live: it is seen in the table of workers, and buries the silent ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import structlog
from sqlalchemy import delete
from sqlalchemy.exc import OperationalError

from app.runs import queue, reaper, states, troubles
from app.runs.workplace import Workplace
from app.store.engine import Database
from app.store.models import Worker

log: Any = structlog.get_logger()


@contextmanager
def present(place: Workplace) -> Iterator[None]:
    """Be seen in the table of workers; what this name had in hand before is over."""
    now = datetime.now(UTC)
    with place.database.changing() as session:
        states.interrupt_runs_of(session, place.worker, troubles.worker_lost(), now)
        session.merge(Worker(place.worker, place.device.facts, started_at=now, seen_at=now))
        session.commit()
    yield
    with place.database.changing() as session:
        session.execute(delete(Worker).where(Worker.id == place.worker))
        session.commit()


def beat(place: Workplace) -> None:
    """Say that this worker lives, and see to the runs of those that don't."""
    now = datetime.now(UTC)
    try:
        _say_alive(place.database, place, now)
        for dead in reaper.reap(place.database, place.settings, now):
            _bury(place.database, dead)
    except OperationalError as error:
        log.warning("database away", error=str(error.orig))


def _say_alive(database: Database, place: Workplace, now: datetime) -> None:
    with database.changing() as session:
        worker = session.get(Worker, place.worker)
        if worker is None:  # thought dead in a long silence, such as a sleeping laptop's
            session.add(Worker(place.worker, place.device.facts, started_at=now, seen_at=now))
        else:
            worker.seen_at, worker.device = now, place.device.facts
        session.commit()


def _bury(database: Database, dead: str) -> None:
    """Forget a dead worker after giving its jobs back; whoever is second does nothing new."""
    log.warning("worker lost", worker=dead)
    queue.hand_on_jobs_of(dead)
    with database.changing() as session:
        session.execute(delete(Worker).where(Worker.id == dead))
        session.commit()
