"""The line of waiting runs: how long it is, one's place in it, when to come back."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.runs.states import UNFINISHED
from app.settings import Settings
from app.store import turns
from app.store.models import Run
from app.store.turns import Turn

FEW = 10
SHORTEST = timedelta(seconds=5)
UNKNOWN_LENGTH = timedelta(seconds=30)
"""What a run is taken to last before any has been seen."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a waiting run stands: 1 is next; `since` is when the one being run began."""

    number: int
    since: datetime | None


def one_at_a_time(session: Session) -> None:
    """Let no other session lengthen the line before this one ends, so that caps hold."""
    turns.take(session, Turn.LINE_OF_RUNS)


def unfinished(session: Session, learner_id: int | None = None) -> int:
    """How many runs wait or run, of one learner or of all."""
    asked_by = session.scalars(select(Run.learner_id).where(Run.state.in_(UNFINISHED))).all()
    return len(asked_by) if learner_id is None else asked_by.count(learner_id)


def place_of(session: Session, run: Run) -> Place:
    """The run's place among those that wait for the same kind of device."""
    same_kind = Run.parameters["device"].as_string() == run.parameters["device"]
    before = select(func.count()).where(
        Run.state == RunState.WAITING, Run.requested_at < run.requested_at, same_kind
    )
    begun = select(func.min(Run.started_at)).where(Run.state == RunState.RUNNING, same_kind)
    return Place((session.scalar(before) or 0) + 1, session.scalar(begun))


def time_to_come_back(session: Session, settings: Settings, ahead: int) -> timedelta:
    """About when the line has become shorter, from how long the latest runs took."""
    latest = (
        select(Run.started_at, Run.finished_at)
        .where(Run.source == RunSource.LIVE, Run.state == RunState.DONE)
        .order_by(Run.requested_at.desc())  # an index has this order
        .limit(FEW)
    )
    times = session.execute(latest).all()
    took = [(ended - began).total_seconds() for began, ended in times if began and ended]
    one = timedelta(seconds=median(took)) if took else UNKNOWN_LENGTH
    return min(max(one, SHORTEST) * max(ahead, 1), settings.run_wait_limit)
