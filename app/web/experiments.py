"""The lab's index, and the form that asks for a run: what can be chosen, what one expects of it."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from sqlalchemy.orm import Session

from app.domain import guess
from app.domain.guess import BadGuess
from app.domain.running import RunDevice
from app.runs import guesses, listing
from app.runs.ask import Order, Refused, ask
from app.runs.choice import BadChoice, as_parameters, choose
from app.runs.offer import RECORDED
from app.store.models import Learner, Run
from app.web import evidence, seen
from app.web.deps import Changing, CurrentLearner, KnownLearner, Now, Reading
from app.web.experiment_form import Form
from app.web.filled import Filled, FilledForm
from app.web.pages import page, see_other
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Experiment

router = APIRouter(prefix="/experiments", include_in_schema=False)

_NOT_RECORDED = (
    "This combination was not recorded: under Where it says which were, or choose a live run there."
)


async def _experiment(name: str) -> Experiment:
    if name not in EXPERIMENTS:
        told = ", ".join(EXPERIMENTS)
        raise HTTPException(404, f"There is no such experiment; there are {told}.")
    return EXPERIMENTS[name]


Known = Annotated[Experiment, Depends(_experiment)]


@router.get("")
def index(request: Request, session: Reading, learner: KnownLearner, now: Now) -> Response:
    """All experiments, each with its claim and the latest that was found.

    What was recorded is kept back until the learner has seen it: they are to say first what
    they expect of it.
    """
    latest = evidence.told(session, learner, EXPERIMENTS)
    runs = (line.run for lines in latest.values() for line in lines)
    return page(
        request,
        "experiments.html",
        experiments=EXPERIMENTS,
        latest=latest,
        held_back=evidence.held_back(runs, seen.shown(request, session, learner)),
        now=now,
    )


@router.get("/{name}")
def form(
    request: Request, experiment: Known, session: Reading, learner: KnownLearner, now: Now
) -> Response:
    """What can be run here, and what one expects of it."""
    return Form(request, session, learner, experiment, now).answer()


@router.post("/{name}/runs")
def start(
    request: Request,
    experiment: Known,
    filled: FilledForm,
    session: Changing,
    learner: CurrentLearner,
    now: Now,
) -> Response:
    """Ask for the run, or go to the recorded one; either way the guess is kept."""
    try:
        run = _run_for(request, session, learner, experiment, filled, now)
    except (BadChoice, BadGuess) as bad:
        refused = Refused("bad_choice", str(bad))
    except Refused as words:
        refused = words
    else:
        session.commit()
        return see_other(f"/runs/{run.id}")
    return Form(request, session, learner, experiment, now).answer(refused, filled)


def _run_for(
    request: Request,
    session: Session,
    learner: Learner,
    experiment: Experiment,
    filled: Filled,
    now: datetime,
) -> Run:
    said = guess.read(
        experiment.question, *(filled.get(name) for name in ("low", "high", "choice"))
    )
    where = filled.get("where")
    if not where:
        raise BadChoice("Choose where it is to run: under Where it says what can be used here.")
    given = {name: filled.get(name) for name in experiment.parameters if filled.get(name)}
    asked = choose(experiment.name, RunDevice.GPU if where == RECORDED else where, given)
    if where == RECORDED:
        run = listing.recorded_like(session, experiment.name, as_parameters(asked))
        if run is None:
            raise BadChoice(_NOT_RECORDED)
        guesses.keep(session, run, learner, said, now)
        return run
    state = request.app.state
    return ask(session, state.jobs, state.settings, learner, Order(asked, said, filled.key))
