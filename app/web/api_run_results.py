"""What the API tells of a run: where it stands, what was found, every case with its spread."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from app.domain.running import RunSource, RunState
from app.runs.view import RunView
from app.store.models import Learner
from app.web.api import Shown
from app.web.api_run_shapes import Expectation
from kernels.lab.conclusion import Conclusion, Outcome


class Found(Shown):
    """What a whole measurement found: in a sentence, and in the unit of the experiment's question.

    `low` and `high` say how well `measured` is known, `p10` and `p90` how much it scatters from
    round to round; `predicted` is what theory says. What there is not is null.
    """

    sentence: str
    outcome: Outcome
    measured: float | None
    low: float | None
    high: float | None
    interval: Annotated[
        str, Field(description="What `low` and `high` are: `95 % of resamplings`; may be empty.")
    ]
    p10: float | None
    p90: float | None
    predicted: float | None
    predicted_by: Annotated[
        str, Field(description="What predicts it: `bytes`, `Amdahl's rule`; may be empty.")
    ]
    choice: str | None
    suspects: list[str]


class Timed(Shown):
    """One case that was timed: where it stands in its sweep, and the spread of its `n` samples."""

    variant: str
    at: Annotated[dict[str, Any], Field(default_factory=dict)]
    n: int
    median_us: float
    p10_us: float
    p90_us: float


class RunShape(Shown):
    """One run: where it stands, what was found, and every line that the benchmark printed."""

    id: str
    experiment: str
    parameters: dict[str, Any]
    source: RunSource
    state: RunState
    place: Annotated[int | None, Field(description="Its place in the line; 1 is next.")]
    requested_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    trouble_kind: str | None
    trouble: str | None
    expectation: Annotated[Expectation | None, Field(description="What you expected of it.")]
    expectation_after_seeing: Annotated[
        bool, Field(description="Whether you had been shown a result of the same case by then.")
    ]
    outcome: Found | None
    results: Annotated[
        list[Timed], Field(description="Each case timed so far; its samples are in `events`.")
    ]
    events: list[dict[str, Any]]


def run_shape(view: RunView, learner: Learner | None) -> RunShape:
    """The run as the API tells it."""
    run, guess = view.run, view.guesses.get(learner.id) if learner else None
    return RunShape(
        id=run.id,
        experiment=run.experiment,
        parameters=run.parameters,
        source=run.source,
        state=run.state,
        place=view.place.number if view.place else None,
        requested_at=run.requested_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        trouble_kind=run.trouble_kind,
        trouble=run.trouble,
        expectation=Expectation.model_validate(guess) if guess else None,
        expectation_after_seeing=guess is not None and guess.after_seeing,
        outcome=_outcome(view.conclusion) if view.conclusion else None,
        results=[Timed.model_validate(e) for e in view.events if e["event"] == "result"],
        events=list(view.events),
    )


def _outcome(conclusion: Conclusion) -> Found:
    answer = conclusion.answer
    return Found(
        sentence=conclusion.sentence,
        outcome=conclusion.outcome,
        measured=answer.measured,
        low=answer.low,
        high=answer.high,
        interval=answer.interval,
        p10=answer.p10,
        p90=answer.p90,
        predicted=answer.predicted,
        predicted_by=answer.predicted_by,
        choice=answer.choice,
        suspects=list(conclusion.suspects),
    )
