"""One job, from taking the run to its end."""

from typing import Any

import structlog
from sqlalchemy.orm import Session

from app.runs import locks, states, troubles
from app.runs.measuring import Lost, measure
from app.runs.presence import say_alive
from app.runs.troubles import Trouble
from app.runs.workplace import Workplace, stored
from app.store import clock
from app.store.models import Run

log: Any = structlog.get_logger()


class LeaveForLater(BaseException):
    """The worker is stopping: the job stays in the queue. Not an Exception, which would end it."""


def work_off(place: Workplace, run_id: str) -> None:
    """Run the benchmark for `run_id` if it still waits, and store how that went."""
    try:
        _in_turn(place, run_id)
    except Exception as fault:
        trouble = _ours(run_id, fault)
        _take(place, run_id)  # if it still waits: with no job, it would until its time is up
        _end(place, run_id, trouble)


def _in_turn(place: Workplace, run_id: str) -> None:
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
    except Exception as fault:
        trouble = _ours(run.id, fault)
    _end(place, run.id, trouble)


def _ours(run_id: str, fault: Exception) -> Trouble:
    """The trouble of an error of the worker's own: the run still has to end, the next to start."""
    log.error("run failed here", run=run_id, exc_info=fault)
    return troubles.worker_failed()


def _take(place: Workplace, run_id: str) -> Run | None:
    def take(session: Session) -> Run | None:
        now = say_alive(session, place)  # its next beat may be later than somebody's look
        taken = states.take(session, run_id, place.worker, now, place.settings.run_deadline)
        # Taken before where the database was away just as it was to say so.
        ours = taken or states.is_owner(session, run_id, place.worker)
        return session.get(Run, run_id) if ours else None

    return stored(place, take, at_last=True)


def _end(place: Workplace, run_id: str, trouble: Trouble | None) -> None:
    def end(session: Session) -> bool:
        now = clock.now(session)
        if trouble is None:
            return states.finish(session, run_id, place.worker, now)
        return states.fail(session, run_id, place.worker, trouble, now)

    if trouble is not None:
        place.device.doubt()
    stored(place, end, at_last=True)
    log.info("run ended", run=run_id, trouble=trouble.kind if trouble else None)
