"""One job, from taking the run to its end: what a worker does in between is here.

Nothing the benchmark prints is believed before it is checked, and nothing is
written to a run that is no longer this worker's.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import structlog
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.runs import bench, locks, states, troubles
from app.runs.choice import BadChoice, as_asked
from app.runs.device import Device
from app.runs.transcript import BadLine, Transcript
from app.runs.troubles import Trouble
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Run

LOOK_SECONDS = 0.25
"""How often a running job looks whether it was cancelled; well within 2 s with the kill."""

DATABASE_AWAY_SECONDS = 30.0

log: Any = structlog.get_logger()
T = TypeVar("T")


class LeaveForLater(BaseException):
    """The worker is stopping: the job stays in the queue. Not an Exception, which would end it."""


class Lost(Exception):
    """The run is no longer this worker's: cancelled, ended, or taken away."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a worker has at hand for each of its jobs."""

    settings: Settings
    database: Database
    worker: str
    device: Device
    stopping: threading.Event = field(default_factory=threading.Event)


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
            place.device.settle(
                place.stopping
            )  # a doubt, if there is one: the next needn't wait for it
        else:
            _end(place, run_id, troubles.device_silent())


def _see_through(place: Workplace, run: Run) -> None:
    try:
        trouble = _measure(place, run)
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
        if not states.take(session, run_id, place.worker, _now(), deadline):
            return None
        return session.get(Run, run_id)

    return _stored(place, take)


def _measure(place: Workplace, run: Run) -> Trouble | None:
    """Start the benchmark and store its lines; None when they make a whole measurement."""
    try:
        arguments = as_asked(run.experiment, run.parameters).arguments()
    except BadChoice as gone:
        return troubles.not_offered(str(gone))
    with bench.running(place.settings, arguments) as process:
        try:
            return _followed(place, run, process)
        except Lost:
            process.end()
            if place.device.is_gpu or not process.ended_in_order():
                place.device.doubt()
            raise


def _followed(place: Workplace, run: Run, process: bench.Process) -> Trouble | None:
    over = time.monotonic() + place.settings.run_deadline.total_seconds()
    transcript = Transcript(run.experiment)
    while time.monotonic() < over:
        line = process.next_line(LOOK_SECONDS)
        if line == b"":
            return _verdict(transcript, process)
        try:
            event = transcript.add(line) if line else None
        except BadLine as bad:
            return troubles.bad_output(str(bad))
        _keep(place, run.id, len(transcript) - 1, event)
        if place.stopping.is_set():
            return troubles.worker_stopped()
    return troubles.past_deadline(place.settings.run_deadline)


def _verdict(transcript: Transcript, process: bench.Process) -> Trouble | None:
    trouble = transcript.verdict(process.exit_code())
    if trouble is not None:
        log.warning("benchmark failed", trouble=trouble.kind, stderr=process.last_words())
    return trouble


def _keep(place: Workplace, run_id: str, seq: int, event: dict[str, Any] | None) -> None:
    """Store the event, if any, after seeing that the run is still ours; Lost if it isn't."""

    def keep(session: Session) -> None:
        if not states.is_owner(session, run_id, place.worker):
            raise Lost
        if event is not None:
            states.keep_event(session, run_id, seq, event, _now())

    _stored(place, keep)


def _end(place: Workplace, run_id: str, trouble: Trouble | None) -> None:
    def end(session: Session) -> bool:
        if trouble is None:
            return states.finish(session, run_id, place.worker, _now())
        return states.fail(session, run_id, place.worker, trouble, _now())

    if trouble is not None:
        place.device.doubt()
    _stored(place, end)
    log.info("run ended", run=run_id, trouble=trouble.kind if trouble else None)


def _stored(place: Workplace, change: Callable[[Session], T]) -> T:
    """Commit `change`, with patience for a database that is away for a moment."""
    patience = time.monotonic() + DATABASE_AWAY_SECONDS
    while True:
        try:
            with place.database.changing() as session:
                result = change(session)
                session.commit()
                return result
        except OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(LOOK_SECONDS)


def _now() -> datetime:
    return datetime.now(UTC)
