"""Ends runs that nobody will end: past their deadline, or with a dead worker.

Called by every worker now and then, and by the web before it shows an
unfinished run, so that a page never says 'running' of something that is not.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, or_, select

from app.domain.running import RunState
from app.runs import states, troubles, workers
from app.runs.states import UNFINISHED
from app.runs.troubles import Trouble
from app.settings import Settings
from app.store import clock
from app.store.engine import Database
from app.store.models import Run, Worker

Rule = tuple[ColumnElement[bool], Trouble]


def reap(database: Database, settings: Settings, now: datetime) -> list[str]:
    """End what has to be ended; answers the workers found dead.

    Nothing as long as the database's server is there for less time than a worker may be silent:
    none could be heard while it was away.
    """
    rules = _rules(settings, now)
    with database.reading() as session:  # most of the time there is nothing to write
        if clock.uptime(session) < settings.worker_lost_after:
            return []
        dead = workers.lost(session, now, settings.worker_lost_after)
        due = session.scalar(select(Run.id).where(or_(*(rule for rule, _ in rules))).limit(1))
    if due is None:
        return dead
    with database.changing() as session:
        for rule, trouble in rules:
            states.fail_all(session, rule, trouble, now)
        session.commit()
    return dead


def _rules(settings: Settings, now: datetime) -> tuple[Rule, ...]:
    alive = select(Worker.id).where(workers.is_alive(now, settings.worker_lost_after))
    late = Run.state.in_(UNFINISHED) & (Run.deadline_at < now)
    return (
        (
            late & (Run.state == RunState.RUNNING),
            troubles.past_deadline(settings.run_deadline),
        ),
        (
            late & (Run.state == RunState.WAITING),
            troubles.unclaimed(settings.run_wait_limit),
        ),
        (
            (Run.state == RunState.RUNNING) & Run.worker.not_in(alive),
            troubles.worker_lost(),
        ),
    )
