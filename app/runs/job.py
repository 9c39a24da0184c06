"""One job, from taking the run to its end."""

from datetime import UTC, datetime
from typing import Any

import structlog
from sqlalchemy.orm import Session

from app.runs import locks, states, troubles
from app.runs.measuring import Lost, measure
from app.runs.troubles import Trouble
from app.runs.workplace import Workplace, stored
from app.store.models import Run

log: Any = structlog.get_logger()


class LeaveForLater(BaseException):
    """The worker is stopping: the job stays in the queue. Not an Exception, which would end it."""


def work_off(place: Workplace, run_id: str) -> None:
    """Run the benchmark for `run_id` if it still waits, and store how that went."""
    with locks.in_turn(place.device.lock, place.stopping) as held:
        answers = held and place.device.answers(place.stopping)
        if place.stopping.is_set():
            raise LeaveForLater
        run = _take(place, run_id)
        if run is None:
            return
        log.info("run begun", run=run_id, experiment=run.experiment, **run.parameters)
        if answers:
            _see_through(place, run)
            place.device.settle(place.stopping)  # so that the next need not wait for it
        else:
            _end(place, run_id, troubles.device_silent())


def _see_through(place: Workplace, run: Run) -> None:
    try:
        trouble = measure(place, run)
    except Lost:
        log.info("run given up", run=run.id)
        return
    except Exception as fault:  # ours: the run still has to end, and the next to start
        log.error("run failed here", run=run.id, exc_info=fault)
        trouble = troubles.worker_failed()
    _end(place, run.id, trouble)


def _take(place: Workplace, run_id: str) -> Run | None:
    def take(session: Session) -> Run | None:
        deadline = place.settings.run_deadline
        if not states.take(session, run_id, place.worker, datetime.now(UTC), deadline):
            return None
        return session.get(Run, run_id)

    return stored(place, take, at_last=True)


def _end(place: Workplace, run_id: str, trouble: Trouble | None) -> None:
    def end(session: Session) -> bool:
        if trouble is None:
            return states.finish(session, run_id, place.worker, datetime.now(UTC))
        return states.fail(session, run_id, place.worker, trouble, datetime.now(UTC))

    if trouble is not None:
        place.device.doubt()
    stored(place, end, at_last=True)
    log.info("run ended", run=run_id, trouble=trouble.kind if trouble else None)
