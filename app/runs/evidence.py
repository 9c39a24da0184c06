"""The latest evidence on a claim, in a line: what a run of its experiment found, and on what."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.domain.wording import title_of
from app.runs import listing
from app.runs.conclusions import concluded, is_concluded
from app.store.models import Run
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion, Outcome


class NotWorkedOut(Exception):
    """A run's conclusion has still to be drawn, which takes longer than one may wait here."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one run says of a claim."""

    run: Run
    device: str
    conclusion: Conclusion

    @property
    def recorded(self) -> bool:
        """Whether it is no run of the learner's own."""
        return self.run.source is RunSource.RECORDED

    @property
    def against(self) -> str:
        """What the run means for the claim, where that is not that it holds."""
        outcome = self.conclusion.outcome
        return "" if outcome is Outcome.HOLDS else outcome

    @property
    def suspect(self) -> str:
        """The first sentence on what makes the run doubtful; empty where nothing does."""
        return next(iter(self.conclusion.suspects), "")

    @property
    def choices(self) -> str:
        """What was chosen that is not usual, in words: `float32, backward`."""
        experiment = EXPERIMENTS[self.run.experiment]
        usual = {name: one.default for name, one in experiment.parameters.items()}
        chosen = self.run.parameters
        names = [name for name in usual if name != "mode" and chosen.get(name) != usual[name]]
        unusual = {name: chosen[name] for name in (*names, "device") if name in chosen}
        return title_of(experiment, unusual)

    def words(self, now: datetime) -> str:
        """`7/3 = 2.33× by bytes; 2.29× measured on NVIDIA H200, 30 Nov`."""
        found, at = self.conclusion.evidence, self.run.finished_at
        when = f", {at.day} {at:%b}{'' if at.year == now.year else f' {at.year}'}" if at else ""
        where, how = f"on {self.device}{when}", self.choices
        if found.endswith("measured"):
            told = f"{found} {where}{f' ({how})' if how else ''}"
        else:
            told = f"{found} ({where}{f'; {how}' if how else ''})"
        return f"{told[:1].upper()}{told[1:]}"


def lines(
    session: Session, learner_id: int | None, experiments: Collection[str], *, patient: bool = True
) -> Mapping[str, Line]:
    """For each of these experiments the learner's own latest run, else the recorded one.

    NotWorkedOut where that means drawing a conclusion anew and one is not `patient`.
    """
    if not experiments:
        return {}
    runs = _recorded(session, experiments)
    if learner_id is not None:
        runs |= _own(session, learner_id, experiments)
    if not patient and not all(map(is_concluded, runs.values())):
        raise NotWorkedOut
    named = listing.devices(session, [run.id for run in runs.values()])
    found = {name: (run, concluded(session, run)) for name, run in runs.items()}
    return {
        name: Line(run, named.get(run.id, "an unnamed device"), conclusion)
        for name, (run, conclusion) in found.items()
        if conclusion is not None
    }


def _own(session: Session, learner_id: int, experiments: Collection[str]) -> dict[str, Run]:
    """The newest that is done of each experiment, each looked up in an index that has the order."""
    mine = Run.learner_id == learner_id, Run.source == RunSource.LIVE, Run.state == RunState.DONE
    newest_first = select(Run.id).where(*mine).order_by(Run.finished_at.desc(), Run.id).limit(1)
    newest = [
        newest_first.where(Run.experiment == name).correlate(None).scalar_subquery()
        for name in experiments
    ]
    return {run.experiment: run for run in session.scalars(select(Run).where(Run.id.in_(newest)))}


def _recorded(session: Session, experiments: Collection[str]) -> dict[str, Run]:
    """Of each experiment the recording whose choices are most nearly the usual ones."""
    of_these = select(Run).where(
        listing.nobodys(RunSource.RECORDED), Run.experiment.in_(experiments)
    )
    ascending = sorted(session.scalars(of_these), key=_how_usual)
    return {run.experiment: run for run in ascending}


def _how_usual(run: Run) -> tuple[int, float, str]:
    """How many of the experiment's defaults it was run with; then the newer is preferred."""
    experiment = EXPERIMENTS.get(run.experiment)
    defaults = experiment.parameters.items() if experiment else ()
    alike = sum(run.parameters.get(name) == one.default for name, one in defaults)
    return alike, run.finished_at.timestamp() if run.finished_at else 0.0, run.id
