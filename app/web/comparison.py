"""Two runs of one experiment beside each other: choosing the other, and what came out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from sqlalchemy.orm import Session

from app.domain.wording import title_of
from app.runs.comparing import FEWEST, Comparison, Pair, Verdict, compare
from app.runs.conclusions import concluded, events_of
from app.runs.sights import given_away
from app.store.models import Run
from app.web import differences, seen
from app.web.comparable import Offered, offered
from app.web.deps import KnownLearner, Reading
from app.web.facts import case_name
from app.web.pages import page
from app.web.run_pages import sentence
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Evidence, evidence_of
from kernels.lab.experiment import Experiment
from kernels.lab.pictures import Bar, Bars, Mark

router = APIRouter(prefix="/runs/{run_id}/comparison", include_in_schema=False)

MOST_DRAWN = 16
"""Bars; of more cases the table alone is clearer."""

MOST_LISTED = 8
"""Differences that stand open; the rest, which the first ones mostly explain, is folded."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs: its row, what it measured, what was concluded."""

    run: Run
    evidence: Evidence
    conclusion: Conclusion


@router.get("")
def show(
    request: Request,
    run_id: str,
    session: Reading,
    learner: KnownLearner,
    other: Annotated[str, Query(alias="with", max_length=200)] = "",
) -> Response:
    """The run against the one named by `with`; without one, those to choose from."""
    this = _side(session, run_id)
    experiment = EXPERIMENTS[this.run.experiment]
    shown: dict[str, Any] = {
        "this": this,
        "experiment": experiment,
        "title": title_of(experiment, this.run.parameters),
        "found": None,
    }
    if other:
        shown |= _compared(this, _side(session, other), experiment)
        seen.note(request, session, learner, [this.run, shown["other"].run])
    else:
        found = sentence(this.run.source, this.conclusion, this.evidence)
        seen.note(request, session, learner, filter(given_away, [this.run]))
        others = dict(offered(session, this.run, experiment, learner))
        shown |= {"sentence": found, "alike": others.get(True, [])}
        names = {*experiment.parameters, "device"} - {"mode"}
        shown |= _by_nearness(this.run, others.get(False, []), names)
    return page(request, "comparison.html", **shown)


def _side(session: Session, run_id: str) -> Side:
    run = session.get(Run, run_id)
    if run is None:
        raise HTTPException(404, "There is no such run: the list of runs shows those there are.")
    conclusion = concluded(session, run)
    if conclusion is None:
        raise HTTPException(404, "A run without a result can't be compared: choose one that has.")
    return Side(run, evidence_of(events_of(session, run_id)), conclusion)


def _compared(this: Side, other: Side, experiment: Experiment) -> dict[str, Any]:
    if this.run.id == other.run.id:
        raise HTTPException(422, "That is one run twice: choose another to compare it with.")
    if this.run.experiment != other.run.experiment:
        raise HTTPException(422, "These runs are of two experiments: choose two of the same one.")
    found = compare(this.evidence, other.evidence)
    differs = differences.told(found.differences, experiment)
    return {
        "found": found,
        "other": other,
        "sentence": differences.sentence(found, experiment, this.evidence, other.evidence),
        "differs": differs[:MOST_LISTED],
        "differs_too": differs[MOST_LISTED:],
        "suspects": _suspects(this, other),
        "picture": _picture(found),
        "times": differences.times,
        "fewest": FEWEST,
    }


def _by_nearness(
    this: Run, others: Sequence[Offered], names: Collection[str]
) -> dict[str, list[Offered]]:
    """The runs of other work: those that differ in one of these parameters, and the rest."""

    def is_near(other: Run) -> bool:
        return sum(this.parameters.get(name) != other.parameters.get(name) for name in names) <= 1

    return {
        "near": [other for other in others if is_near(other.run)],
        "far": [other for other in others if not is_near(other.run)],
    }


def _suspects(this: Side, other: Side) -> list[str]:
    said = (("This run", this.conclusion), ("The other run", other.conclusion))
    return [f"{which}: {line}" for which, one in said for line in one.suspects]


def _picture(found: Comparison) -> Bars | None:
    """Each ratio with its interval around 1."""
    if not 0 < len(found.pairs) <= MOST_DRAWN:
        return None
    bars = tuple(map(_bar, found.pairs))
    caption = (
        "How many times faster this run was: the other's median ÷ this one's. The thin lines are "
        "95 % intervals of resampling; one that reaches over the dashed line shows no difference."
    )
    return Bars("This run against the other", "×", bars, Mark(1.0, "as fast"), caption)


def _bar(pair: Pair) -> Bar:
    role = {Verdict.FASTER: "one", Verdict.SLOWER: "many"}.get(pair.verdict, "other")
    return Bar(case_name(pair.this), pair.ratio, pair.low, pair.high, pair.verdict, role)  # pyright: ignore[reportArgumentType]
