"""/api/v1/runs: ask for a run, look at it, end it; the lines it printed, as they were printed."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request, Response

from app.domain.guess import BadGuess
from app.runs import states
from app.runs.ask import Order, Refused, ask
from app.runs.choice import BadChoice, choose
from app.runs.following import Following
from app.runs.view import RunView
from app.store import clock
from app.store.models import Run
from app.web import seen
from app.web.api import PREFIX, problems
from app.web.api_run_results import RunShape, run_shape
from app.web.api_run_shapes import RunAsked, guess_in
from app.web.deps import AppSettings, Changing, CurrentLearner, KnownLearner, Reading

router = APIRouter(prefix=f"{PREFIX}/runs", tags=["runs"])

RunId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,100}$", description="A run's id.")]


@router.post("", status_code=202, responses=problems(422, 429, 503))
def ask_for_run(
    asked: RunAsked,
    request: Request,
    response: Response,
    session: Changing,
    learner: CurrentLearner,
    settings: AppSettings,
) -> RunShape:
    """Ask for a run; it waits in line. `Location` is where to look."""
    try:
        chosen = choose(asked.experiment, asked.device, asked.parameters)
        order = Order(chosen, guess_in(asked))
        run = ask(session, request.app.state.jobs, settings, learner, order)
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
    run_id: RunId, request: Request, session: Changing, learner: KnownLearner
) -> RunShape:
    """End one's own run; one that has ended stays as it is."""
    run = session.get(Run, run_id)
    if run is None or learner is None or run.learner_id != learner.id:
        raise HTTPException(404, f"You have no run {run_id}: what you ask for is yours.")
    states.cancel(session, run_id, clock.now(session))
    session.commit()
    return run_shape(_found(request, run_id), learner)


def as_problem(refused: Refused) -> HTTPException:
    """The refusal as an error: 429 with a time to come back, 503 where there is none."""
    if refused.after is None:
        return HTTPException(503, refused.words)
    wait = max(1, round(refused.after.total_seconds()))
    return HTTPException(429, refused.words, {"Retry-After": str(wait)})


def _found(request: Request, run_id: str) -> RunView:
    following: Following = request.app.state.following
    view = following.look(run_id, None)
    if view is None:
        raise HTTPException(404, f"There is no run {run_id}: ask for one with POST {PREFIX}/runs.")
    return view
