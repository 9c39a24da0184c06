"""How a worker is known to live: it is seen in the table of workers, and buries the silent ones.

When it was seen is told by the database's clock: a host whose own goes wrong by more than a
worker may be silent would take each run from the others, or have its own taken.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import delete, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from app.runs import queue, reaper, states, troubles
from app.runs.workplace import Workplace
from app.store import clock
from app.store.engine import Database
from app.store.models import Worker

log: Any = structlog.get_logger()


@contextmanager
def present(place: Workplace) -> Iterator[None]:
    """Be seen in the table of workers; what this name had in hand before is over."""
    with place.database.changing() as session:
        now = clock.now(session)
        states.interrupt_runs_of(session, place.worker, troubles.worker_lost(), now)
        session.merge(Worker(place.worker, place.device.facts, started_at=now, seen_at=now))
        session.commit()
    yield
    try:
        _forget(place.database, place.worker)
    except SQLAlchemyError as error:  # its silence will say it
        log.warning("database away", error=_said(error))


def beat(place: Workplace) -> None:
    """Say that this worker lives, and see to the runs of those that don't.

    Whatever the database has against it now, the next beat may find it well.
    """
    try:
        with place.database.changing() as session:
            now = say_alive(session, place)
            session.commit()
        for dead in reaper.reap(place.database, place.settings, now):
            if place.device.serves:  # else no jobs are taken here, nor given back
                _bury(place.database, dead)
    except SQLAlchemyError as error:
        log.warning("database away", error=_said(error))


def say_alive(session: Session, place: Workplace) -> datetime:
    """Be seen; when that is. The caller commits."""
    now, facts = clock.now(session), place.device.facts
    seen = update(Worker).where(Worker.id == place.worker).values(seen_at=now, device=facts)
    if session.scalar(seen.returning(Worker.id)) is None:
        # Thought dead in a long silence, such as a sleeping laptop's, and buried.
        session.add(Worker(place.worker, facts, started_at=now, seen_at=now))
    return now


def _bury(database: Database, dead: str) -> None:
    """Forget a dead worker after giving its jobs back; whoever is second does nothing new."""
    log.warning("worker lost", worker=dead)
    queue.hand_on_jobs_of(dead)
    _forget(database, dead)


def _forget(database: Database, worker: str) -> None:
    with database.changing() as session:
        session.execute(delete(Worker).where(Worker.id == worker))
        session.commit()


def _said(error: SQLAlchemyError) -> str:
    """The database's own words, without the library's around them."""
    return str(error.orig if isinstance(error, DBAPIError) else error)
