"""Which results a learner has been shown: what they expect after that is kept, and told apart.

The one place that says what counts as seen. What is seen is a case: an experiment with what
can be chosen in it, on a GPU or on a processor, whichever run of it was shown and however long
it took. It counts as seen once

- a page, a file or the API has shown what one of its runs measured: the run's page, two runs
  compared, a receipt; the list of runs and the line of evidence on a card where they don't
  keep it back;
- a run of one's own of it is done, looked at or not.

What theory predicts is no result. Of benchmarks to be told apart a line in a list gives nothing
away, nor does their run before it is answered. What a receipt shows away from the site, at the
terminal or as a page of its own, is not known here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from itertools import product
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunSource, RunState
from app.runs.canonical import canonical
from app.runs.listing import LOOSE
from app.store.models import Run, Sight
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Experiment, Kind

DIGITS = 16


def case_of(run: Run) -> str:
    """A short name of the run's case, the same for each run of it."""
    return _case(run.experiment, run.parameters)


def cases(experiment: Experiment) -> Iterator[tuple[str, dict[str, str]]]:
    """Every case of an experiment that can be asked for, with what is chosen in it."""
    names = _chosen(experiment)
    choices = [experiment.parameters[name].choices for name in names]
    for chosen in product(*choices, RunDevice):
        yield _short(experiment.name, chosen), dict(zip((*names, "device"), chosen, strict=True))


def given_away(run: Run) -> bool:
    """Whether a line that tells what the run found answers its experiment's question."""
    return _tells(run.experiment)


def noted(session: Session, learner_id: int) -> frozenset[str]:
    """The cases of which it was kept that the learner has been shown them."""
    return frozenset(session.scalars(select(Sight.case).where(Sight.learner_id == learner_id)))


def seen(session: Session, learner_id: int) -> frozenset[str]:
    """The cases that the learner has seen, those of their own runs among them."""
    return noted(session, learner_id) | _own(session, learner_id)


def saw(session: Session, learner_id: int, run: Run) -> bool:
    """Whether the learner has been shown a result of the run's case, other than by this run."""
    case = case_of(run)
    if session.get(Sight, (learner_id, case)) is not None:
        return True
    return case in _own(session, learner_id, Run.experiment == run.experiment, Run.id != run.id)


def note(session: Session, learner_id: int, cases: Collection[str], now: datetime) -> None:
    """Keep that the learner has been shown these cases; the caller commits."""
    for case in sorted(set(cases) - noted(session, learner_id)):
        with suppress(IntegrityError), session.begin_nested():  # a second tab noted it just now
            session.add(Sight(learner_id, case, now))


def _chosen(experiment: Experiment | None) -> list[str]:
    """The parameters that tell an experiment's cases apart, beside the device."""
    return [name for name in (experiment.parameters if experiment else ()) if name not in LOOSE]


def _tells(experiment: str) -> bool:
    known = EXPERIMENTS.get(experiment)
    return known is not None and known.question.kind is not Kind.MATCH


def _case(experiment: str, parameters: Mapping[str, Any]) -> str:
    names = (*_chosen(EXPERIMENTS.get(experiment)), "device")
    return _short(experiment, [parameters.get(name) for name in names])


def _short(experiment: str, chosen: Iterable[object]) -> str:
    return sha256(canonical([experiment, *map(str, chosen)])).hexdigest()[:DIGITS]


def _own(session: Session, learner_id: int, *which: ColumnElement[bool]) -> frozenset[str]:
    """The cases of the learner's own runs; of thousands of runs few differ in what was chosen."""
    mine = Run.learner_id == learner_id, Run.source == RunSource.LIVE, Run.state == RunState.DONE
    chosen = select(Run.experiment, Run.parameters).where(*mine, *which).distinct()
    return frozenset(_case(name, how) for name, how in session.execute(chosen) if _tells(name))
