"""How a run's state changes: each change is one statement that says from which state.

A worker owns a run while the row says so. Whoever finds the row changed has
lost the run and stops: that is how a run is cancelled, ended at its deadline,
or taken from a worker that was thought dead and is not.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Update, and_, select, update
from sqlalchemy.orm import Session

from app.domain.running import RunState
from app.runs.troubles import Trouble
from app.store.models import Run, RunEvent

UNFINISHED = (RunState.WAITING, RunState.RUNNING)


def take(session: Session, run_id: str, worker: str, now: datetime, deadline: timedelta) -> bool:
    """Give a waiting run to `worker`; False if it waits no more."""
    change = (
        update(Run)
        .where(Run.id == run_id, Run.state == RunState.WAITING, Run.deadline_at > now)
        .values(state=RunState.RUNNING, worker=worker, started_at=now, deadline_at=now + deadline)
    )
    return _changed(session, change)


def is_owner(session: Session, run_id: str, worker: str) -> bool:
    """Whether the run is still `worker`'s to run; holds its row until the session ends."""
    owned = select(Run.id).where(Run.id == run_id, *_owned_by(worker)).with_for_update()
    return session.scalar(owned) is not None


def keep_event(
    session: Session, run_id: str, seq: int, body: dict[str, Any], now: datetime
) -> None:
    """Store one line of the benchmark; storing it again changes nothing but its time."""
    session.merge(RunEvent(run_id=run_id, seq=seq, at=now, body=body))


def finish(session: Session, run_id: str, worker: str, now: datetime) -> bool:
    """End a run well; False if it is no longer `worker`'s."""
    change = update(Run).where(Run.id == run_id, *_owned_by(worker))
    return _changed(session, change.values(state=RunState.DONE, finished_at=now))


def fail(session: Session, run_id: str, worker: str, trouble: Trouble, now: datetime) -> bool:
    """End a run with a trouble; False if it is no longer `worker`'s."""
    change = update(Run).where(Run.id == run_id, *_owned_by(worker))
    return _changed(session, _ended(change, trouble, now))


def cancel(session: Session, run_id: str, now: datetime) -> bool:
    """End an unfinished run because its learner asked; False if it had ended already."""
    change = update(Run).where(Run.id == run_id, Run.state.in_(UNFINISHED))
    return _changed(session, change.values(state=RunState.CANCELLED, finished_at=now))


def interrupt_runs_of(session: Session, worker: str, trouble: Trouble, now: datetime) -> None:
    """End the runs that `worker` had in hand."""
    fail_all(session, and_(*_owned_by(worker)), trouble, now)


def fail_all(session: Session, which: ColumnElement[bool], trouble: Trouble, now: datetime) -> None:
    """End with a trouble every run that `which` holds of, whoever's it is."""
    change = _ended(update(Run).where(which), trouble, now)
    session.execute(change.execution_options(synchronize_session=False))


def _owned_by(worker: str) -> tuple[ColumnElement[bool], ...]:
    return Run.state == RunState.RUNNING, Run.worker == worker


def _ended(change: Update, trouble: Trouble, now: datetime) -> Update:
    return change.values(
        state=trouble.state, trouble_kind=trouble.kind, trouble=trouble.words, finished_at=now
    )


def _changed(session: Session, change: Update) -> bool:
    return bool(session.execute(change.returning(Run.id)).all())
