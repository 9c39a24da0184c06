"""Lists of runs, each with what was concluded of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.runs.conclusions import concluded
from app.store.models import Run, RunEvent
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion

MANY = 50
LOOSE = frozenset({"mode", "device"})
"""Parameters that set how long and where is measured, not what."""

_EARLY = 20
"""Within so many lines a benchmark says its device; progress may come first."""


@dataclass(frozen=True, slots=True)
class Line:
    """One run of a list; `device` is what the benchmark named it, of a run that is done."""

    run: Run
    device: str | None
    conclusion: Conclusion | None


def own(session: Session, learner_id: int) -> list[Line]:
    """The learner's runs, newest first."""
    mine = select(Run).where(Run.learner_id == learner_id).order_by(Run.requested_at.desc())
    return _lines(session, mine.limit(MANY))


def recorded(session: Session) -> list[Line]:
    """The recorded runs, by name."""
    return _lines(session, select(Run).where(nobodys(RunSource.RECORDED)).order_by(Run.id))


def imported(session: Session) -> list[Line]:
    """The runs measured elsewhere, newest first."""
    brought_in = select(Run).where(nobodys(RunSource.IMPORTED))
    return _lines(session, brought_in.order_by(Run.finished_at.desc().nulls_last()).limit(MANY))


def likely(session: Session) -> Sequence[Run]:
    """The done runs that someone will look at first: the recorded ones, then the newest."""
    recorded = select(Run).where(nobodys(RunSource.RECORDED))
    first = session.scalars(recorded.order_by(Run.finished_at.desc().nulls_last(), Run.id)).all()
    others = select(Run).where(Run.state == RunState.DONE, Run.source != RunSource.RECORDED)
    newest = others.order_by(Run.requested_at.desc()).limit(3 * MANY)  # an index has this order
    return [*first, *session.scalars(newest)][: 3 * MANY]


def nobodys(source: RunSource) -> ColumnElement[bool]:
    """The condition of a run from elsewhere: no learner asked for it, and it is done.

    Few are, so the index on learners finds them, however many runs were made here. To ask
    for the state as well would have SQLite read all that are done.
    """
    return and_(Run.learner_id.is_(None), Run.source == source)


def recorded_like(
    session: Session, experiment: str, parameters: Mapping[str, Any], but_not: str = ""
) -> Run | None:
    """The newest recorded run of these choices, rather of the same length than of another."""
    like = select(Run).where(
        nobodys(RunSource.RECORDED), Run.experiment == experiment, Run.id != but_not
    )
    for name in EXPERIMENTS[experiment].parameters if experiment in EXPERIMENTS else ():
        if name not in LOOSE:
            like = like.where(Run.parameters[name].as_string() == str(parameters.get(name)))
    found = session.scalars(like.order_by(Run.finished_at.desc())).all()
    as_long = [run for run in found if run.parameters.get("mode") == parameters.get("mode")]
    return next(iter([*as_long, *found]), None)


def devices(session: Session, run_ids: Sequence[str]) -> Mapping[str, str]:
    """What each of these runs' benchmarks named its device."""
    said = select(RunEvent.run_id, RunEvent.body["name"].as_string()).where(
        RunEvent.run_id.in_(run_ids),
        RunEvent.seq < _EARLY,
        RunEvent.body["event"].as_string() == "device",
    )
    return dict(session.execute(said).all())


def _lines(session: Session, runs: Select[Run]) -> list[Line]:
    found = session.scalars(runs).all()
    named = devices(session, _ids(found))
    return [Line(run, named.get(run.id), concluded(session, run)) for run in found]


def _ids(runs: Iterable[Run]) -> list[str]:
    return [run.id for run in runs if run.state is RunState.DONE]
