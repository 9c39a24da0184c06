"""/api/v1/runs: ask for a run, look at it, end it; the lines it printed, as they were printed."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Request, Response
from pydantic import Field

from app.domain.guess import BadGuess
from app.domain.running import RunSource, RunState
from app.runs import states
from app.runs.ask import Order, Refused, ask
from app.runs.choice import BadChoice, choose
from app.runs.following import Following
from app.runs.view import RunView
from app.store.models import Learner, Run
from app.web import seen
from app.web.api import PREFIX, Shown, problems
from app.web.api_run_shapes import Expectation, RunAsked, guess_in
from app.web.deps import AppSettings, Changing, CurrentLearner, KnownLearner, Now, Reading
from kernels.lab.conclusion import Conclusion
from kernels.lab.conclusion import Outcome as Claim

router = APIRouter(prefix=f"{PREFIX}/runs", tags=["runs"])

RunId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,100}$", description="A run's id.")]


class Outcome(Shown):
    """What a whole measurement found: in a sentence, and in the unit of the experiment's question.

    `low` and `high` are the measurement's interval; `predicted` is what theory says.
    """

    sentence: str
    outcome: Claim
    measured: float | None
    low: float | None
    high: float | None
    predicted: float | None
    choice: str | None
    suspects: list[str]


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
    outcome: Outcome | None
    events: list[dict[str, Any]]


@router.post("", status_code=202, responses=problems(422, 429, 503))
def ask_for_run(
    asked: RunAsked,
    request: Request,
    response: Response,
    session: Changing,
    learner: CurrentLearner,
    settings: AppSettings,
    now: Now,
) -> RunShape:
    """Ask for a run; it waits in line. `Location` is where to look."""
    try:
        chosen = choose(asked.experiment, asked.device, asked.parameters)
        order = Order(chosen, guess_in(asked))
        run = ask(session, request.app.state.jobs, settings, learner, order, now)
    except (BadChoice, BadGuess) as bad:
        raise HTTPException(422, str(bad)) from None
    except Refused as refused:
        raise as_problem(refused) from None
    session.commit()
    response.headers["Location"] = f"{PREFIX}/runs/{run.id}"
    return run_shape(_found(request, run.id), learner)


@router.get("/{run_id}", responses=problems(404, 422))
def read_run(run_id: RunId, request: Request, session: Reading, learner: KnownLearner) -> RunShape:
    """The run as it stands."""
    view = _found(request, run_id)
    if view.conclusion:
        seen.note(request, session, learner, [view.run])
    return run_shape(view, learner)


@router.post("/{run_id}/cancellation", responses=problems(404, 422))
def cancel_run(
    run_id: RunId, request: Request, session: Changing, learner: KnownLearner, now: Now
) -> RunShape:
    """End one's own run; one that has ended stays as it is."""
    run = session.get(Run, run_id)
    if run is None or learner is None or run.learner_id != learner.id:
        raise HTTPException(404, f"You have no run {run_id}: what you ask for is yours.")
    states.cancel(session, run_id, now)
    session.commit()
    return run_shape(_found(request, run_id), learner)


def as_problem(refused: Refused) -> HTTPException:
    """The refusal as an error: 429 with a time to come back, 503 where there is none."""
    if refused.after is None:
        return HTTPException(503, refused.words)
    wait = max(1, round(refused.after.total_seconds()))
    return HTTPException(429, refused.words, {"Retry-After": str(wait)})


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
        events=list(view.events),
    )


def _outcome(conclusion: Conclusion) -> Outcome:
    answer = conclusion.answer
    return Outcome(
        sentence=conclusion.sentence,
        outcome=conclusion.outcome,
        measured=answer.measured,
        low=answer.low,
        high=answer.high,
        predicted=answer.predicted,
        choice=answer.choice,
        suspects=list(conclusion.suspects),
    )


def _found(request: Request, run_id: str) -> RunView:
    following: Following = request.app.state.following
    view = following.look(run_id, None)
    if view is None:
        raise HTTPException(404, f"There is no run {run_id}: ask for one with POST {PREFIX}/runs.")
    return view
