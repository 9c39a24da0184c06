"""Asking for a run: who may, when not, and the one transaction that stores it with its job."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.guess import Guess
from app.domain.running import RunSource, RunState
from app.runs import guesses, waiting
from app.runs.choice import as_parameters, device_of
from app.runs.queue import Jobs
from app.settings import Settings
from app.store import clock
from app.store.models import Learner, Run
from kernels.lab.experiment import Asked


class Refused(Exception):
    """A run that can't be asked for now; the text is a sentence, `after` when to try again."""

    def __init__(self, kind: str, words: str, after: timedelta | None = None) -> None:
        super().__init__(words)
        self.kind = kind
        self.words = words
        self.after = after


@dataclass(frozen=True, slots=True)
class Order:
    """What a learner asks for, what they expect of it, and a name for asking once."""

    asked: Asked
    guess: Guess | None = None
    run_id: str | None = None


def ask(session: Session, jobs: Jobs, settings: Settings, learner: Learner, order: Order) -> Run:
    """Store the run, the prediction and the job; the caller commits. Refused says why not.

    All of a run's moments are by the database's clock, which its worker reads too.
    """
    if not settings.runs_enabled:
        raise Refused("switched_off", "Runs are switched off here; the recorded ones stay open.")
    waiting.one_at_a_time(session)
    known = session.get(Run, order.run_id) if order.run_id else None
    if known is not None and known.learner_id == learner.id:
        return known  # Start was pressed twice
    now = clock.now(session)
    _see_caps(session, settings, learner, now)
    run_id = order.run_id if order.run_id and known is None else uuid4().hex
    run = _new_run(run_id, settings, learner, order.asked, now)
    session.add(run)
    session.flush()
    guesses.keep(session, run, learner, order.guess, now)
    jobs.put(session, run.id, device_of(order.asked))
    return run


def _new_run(run_id: str, settings: Settings, learner: Learner, asked: Asked, now: datetime) -> Run:
    return Run(
        id=run_id,
        experiment=asked.experiment,
        parameters=as_parameters(asked),
        source=RunSource.LIVE,
        state=RunState.WAITING,
        requested_at=now,
        learner_id=learner.id,
        deadline_at=now + settings.run_wait_limit,
    )


def _see_caps(session: Session, settings: Settings, learner: Learner, now: datetime) -> None:
    in_all = waiting.unfinished(session)
    after = waiting.time_to_come_back(session, settings, in_all)
    if in_all >= settings.runs_waiting_in_all:
        raise Refused("queue_full", f"{in_all} runs are waiting, as many as fit.", after)
    mine = waiting.unfinished(session, learner.id)
    if mine >= settings.runs_waiting_per_learner:
        words = f"You have {mine} runs under way; start another when one of them has ended."
        raise Refused("too_many_waiting", words, after)
    today = requested_since(session, learner, now - timedelta(days=1))
    if len(today) >= settings.runs_per_learner_a_day:
        words = f"You have started {len(today)} runs within a day, as many as one may."
        raise Refused("too_many_today", words, today[0] + timedelta(days=1) - now)


def requested_since(session: Session, learner: Learner, since: datetime) -> Sequence[datetime]:
    """When a learner asked for each run after `since`, the first of them first."""
    of_theirs = select(Run.requested_at).where(Run.learner_id == learner.id)
    return session.scalars(
        of_theirs.where(Run.requested_at > since).order_by(Run.requested_at)
    ).all()
