"""What learners said of runs before they saw them: kept once, and read again.

What was said with a result of the same case seen already is kept as such.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.guess import Guess
from app.domain.running import RunState
from app.runs import sights
from app.runs.conclusions import concluded
from app.store.models import Learner, Prediction, Run
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Answer

MANY = 100


@dataclass(frozen=True, slots=True)
class Answered:
    """A guess, when it was made, and what was measured then."""

    run: Run
    guess: Guess
    made_at: datetime
    answer: Answer


def keep(session: Session, run: Run, learner: Learner, guess: Guess | None, now: datetime) -> None:
    """Keep what the learner expects of the run; the first word stands."""
    if guess is None or guess_of(session, run, learner) is not None:
        return
    said = Prediction(
        run.id,
        learner.id,
        quantity=EXPERIMENTS[run.experiment].question.kind,
        made_at=now,
        low=guess.low,
        high=guess.high,
        choice=guess.choice,
        matches=None if guess.matches is None else dict(guess.matches),
        after_seeing=sights.saw(session, learner.id, run),
    )
    # Where a second tab said something in this moment, that was the first word.
    with suppress(IntegrityError), session.begin_nested():
        session.add(said)


def guess_of(session: Session, run: Run, learner: Learner | None) -> Guess | None:
    """What the learner expected of the run, if they said anything."""
    return guesses_of(session, run.id).get(learner.id) if learner else None


def guesses_of(session: Session, run_id: str) -> Mapping[int, Guess]:
    """What each learner expected of the run, by the learner's id."""
    said = session.scalars(select(Prediction).where(Prediction.run_id == run_id))
    return {one.learner_id: as_guess(one) for one in said}


def answered(session: Session, learner_id: int) -> list[Answered]:
    """The learner's guesses of runs that are done, in the order made; the newest `MANY`."""
    said = (
        select(Prediction, Run)
        .join(Run, Run.id == Prediction.run_id)
        .where(Prediction.learner_id == learner_id, Run.state == RunState.DONE)
        .order_by(Prediction.made_at.desc(), Prediction.id.desc())
        .limit(MANY)
    )
    found = [(kept, run, concluded(session, run)) for kept, run in session.execute(said)]
    return [
        Answered(run, as_guess(kept), kept.made_at, conclusion.answer)
        for kept, run, conclusion in reversed(found)
        if conclusion is not None
    ]


def as_guess(kept: Prediction) -> Guess:
    """A stored guess as a value."""
    return Guess(kept.low, kept.high, kept.choice, kept.matches, kept.after_seeing)
