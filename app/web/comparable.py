"""The runs that one can be compared with: those of the same experiment that are done."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.domain.wording import title_of
from app.runs import listing
from app.runs.unlike import same_work
from app.store.models import Learner, Run
from kernels.lab.experiment import Experiment

MOST = 100


@dataclass(frozen=True, slots=True)
class Offered:
    """A run that another can be compared with."""

    run: Run
    title: str
    device: str


def offered(
    session: Session, this: Run, experiment: Experiment, learner: Learner | None
) -> list[tuple[bool, list[Offered]]]:
    """One's own, recorded and imported runs, newest first: those of the same work, then others."""
    runs = _runs_like(session, this, learner)
    devices = listing.devices(session, [run.id for run in runs])
    alike: dict[bool, list[Offered]] = {True: [], False: []}
    for run in runs:
        title = title_of(experiment, run.parameters)
        one = Offered(run, title, devices.get(run.id, "an unnamed device"))
        alike[_same_work(this, run, experiment)].append(one)
    return [(same, lines) for same, lines in alike.items() if lines]


def _runs_like(session: Session, this: Run, learner: Learner | None) -> Sequence[Run]:
    """The newest of both kinds: few are from elsewhere, and one's own an index has in order."""
    alike = Run.experiment == this.experiment, Run.state == RunState.DONE, Run.id != this.id
    others = select(Run).where(*alike)
    elsewhere = others.where(Run.learner_id.is_(None), Run.source != RunSource.LIVE)
    newest_first = elsewhere.order_by(Run.finished_at.desc().nulls_last()).limit(MOST)
    found = list(session.scalars(newest_first))
    if learner is not None:
        mine = others.where(Run.learner_id == learner.id)
        found += session.scalars(mine.order_by(Run.finished_at.desc()).limit(MOST))
    return sorted(found, key=_when, reverse=True)[:MOST]


def _when(run: Run) -> float:
    return run.finished_at.timestamp() if run.finished_at else -inf


def _same_work(this: Run, other: Run, experiment: Experiment) -> bool:
    """By what was asked for: a run's row may say more, and need not."""
    names = [*experiment.parameters, "device"]
    asked = ({name: run.parameters.get(name) for name in names} for run in (this, other))
    one, two = asked
    return one["device"] == two["device"] and same_work(one, two)
