"""Asking for a run: who may, when not, and the one transaction that stores it with its job."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.runs import waiting
from app.runs.choice import Choice
from app.runs.queue import Jobs
from app.settings import Settings
from app.store.models import Learner, Prediction, Run


class Refused(Exception):
    """A run that can't be asked for now; the text is a sentence, `after` when to try again."""

    def __init__(self, kind: str, words: str, after: timedelta | None = None) -> None:
        super().__init__(words)
        self.kind = kind
        self.words = words
        self.after = after


@dataclass(frozen=True, slots=True)
class Order:
    """What a learner asks for: the choice, the speed-up expected, and a name for asking once."""

    choice: Choice
    expected: float | None = None
    run_id: str | None = None


def ask(
    session: Session, jobs: Jobs, settings: Settings, learner: Learner, order: Order, now: datetime
) -> Run:
    """Store the run, the prediction and the job; the caller commits. Refused says why not."""
    if not settings.runs_enabled:
        raise Refused("switched_off", "Runs are switched off here; the recorded ones stay open.")
    waiting.one_at_a_time(session)
    known = session.get(Run, order.run_id) if order.run_id else None
    if known is not None and known.learner_id == learner.id:
        return known  # Start was pressed twice
    _see_caps(session, settings, learner, now)
    run_id = order.run_id if order.run_id and known is None else uuid4().hex
    run = _new_run(run_id, settings, learner, order.choice, now)
    session.add(run)
    session.flush()
    predict(session, run, learner, order.expected, now)
    jobs.put(session, run.id, order.choice.device)
    return run


def predict(
    session: Session, run: Run, learner: Learner, expected: float | None, now: datetime
) -> None:
    """Keep what the learner expects of the run; the first word stands."""
    if expected is None or expected_by(session, run, learner) is not None:
        return
    session.add(Prediction(run.id, learner.id, quantity="speedup", value=expected, made_at=now))
    session.flush()


def expected_by(session: Session, run: Run, learner: Learner | None) -> float | None:
    """The speed-up that the learner expected of the run, as a factor."""
    if learner is None:
        return None
    said = select(Prediction.value).where(
        Prediction.run_id == run.id, Prediction.learner_id == learner.id
    )
    return session.scalar(said)


def _new_run(
    run_id: str, settings: Settings, learner: Learner, choice: Choice, now: datetime
) -> Run:
    return Run(
        id=run_id,
        experiment=choice.experiment,
        parameters=choice.as_parameters(),
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
    today = session.scalars(_requested_since(learner, now - timedelta(days=1))).all()
    if len(today) >= settings.runs_per_learner_a_day:
        words = f"You have started {len(today)} runs within a day, as many as one may."
        raise Refused("too_many_today", words, today[0] + timedelta(days=1) - now)


def _requested_since(learner: Learner, since: datetime):
    return (
        select(Run.requested_at)
        .where(Run.learner_id == learner.id, Run.requested_at > since)
        .order_by(Run.requested_at)
    )
