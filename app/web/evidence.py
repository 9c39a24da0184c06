"""The evidence on claims as the pages show it: one's own, and what that alone can't stand for."""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy.orm import Session

from app.domain.running import RunDevice
from app.runs.evidence import Line, lines
from app.runs.sights import case_of, given_away
from app.store.models import Learner, Run


def told(
    session: Session, learner: Learner | None, claims: Collection[str], *, patient: bool = True
) -> Mapping[str, tuple[Line, ...]]:
    """For each experiment the learner's own latest run, else the recorded one.

    A processor's chain is another than the one that the claims are about: after one's own run
    of it the recorded one comes too. NotWorkedOut as `lines` has it.
    """
    latest = lines(session, learner.id if learner else None, claims, patient=patient)
    of_another = [name for name, one in latest.items() if is_of_another_chain(one)]
    recorded = lines(session, None, of_another, patient=patient)
    return {name: _each_once(one, recorded.get(name)) for name, one in latest.items()}


def held_back(runs: Iterable[Run], shown: Collection[str]) -> frozenset[str]:
    """The ids of those whose result one is to say something of before it is shown.

    `shown` are the cases seen before, one's own runs among them.
    """
    return frozenset(run.id for run in runs if given_away(run) and case_of(run) not in shown)


def is_of_another_chain(line: Line) -> bool:
    """Whether the run was the CPU edition's, which works on a pointwise chain of its own."""
    return line.run.parameters.get("device") == RunDevice.CPU


def chain_on_cpu(experiment: str) -> str:
    """What an experiment's CPU edition works on (kernels/bench/cpu_chains.py, experiments/)."""
    return "activation(x) + r" if experiment == "activation" else "relu(x·w + b)·0.5 + r"


def _each_once(first: Line, second: Line | None) -> tuple[Line, ...]:
    return (first,) if second is None or second.run.id == first.run.id else (first, second)
