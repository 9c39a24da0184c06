"""The form that asks for a run: what can be chosen here and now, and what one expects of it."""

from datetime import datetime
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Form, HTTPException, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from app.domain.running import RunDevice
from app.runs.ask import Order, Refused, ask, predict
from app.runs.choice import BadChoice, choose
from app.runs.offer import RECORDED, offer_of
from app.runs.view import recorded
from app.settings import Settings
from app.store import cards
from app.store.cards import StoredCard
from app.store.models import Learner, Run
from app.web.deps import AppSettings, Changing, CurrentLearner, Now, Reading
from app.web.pages import page, see_other
from app.web.run_pages import DTYPES
from kernels.bench.protocol import DIRECTIONS, PRESETS
from kernels.lab import EXPERIMENTS

router = APIRouter(prefix="/experiments/{name}", include_in_schema=False)

_NOT_RECORDED = (
    "This combination was not recorded: under Where it says which were, or choose a live run there."
)
STATUS = {"bad_choice": 422, "switched_off": 503}
TOO_MUCH = 429


class Asked(BaseModel):
    """The form as filled in."""

    preset: str
    dtype: str
    direction: str
    where: str
    expected: Annotated[str, Field(max_length=20)] = ""
    key: Annotated[str, Field(pattern="^([0-9a-f]{32})?$")] = ""


@router.get("")
def form(
    request: Request, name: str, session: Reading, settings: AppSettings, now: Now
) -> Response:
    """What can be run here, and what one expects of it."""
    return _form(request, session, settings, _experiment(name), now)


@router.post("/runs")
def start(
    request: Request,
    name: str,
    asked: Annotated[Asked, Form()],
    session: Changing,
    learner: CurrentLearner,
    settings: AppSettings,
    now: Now,
) -> Response:
    """Ask for the run, or go to the recorded one; either way the expectation is kept."""
    try:
        run = _run_for(request, session, learner, _experiment(name), asked, now)
    except BadChoice as bad:
        refused = Refused("bad_choice", str(bad))
    except Refused as said:
        refused = said
    else:
        session.commit()
        return see_other(f"/runs/{run.id}")
    return _form(request, session, settings, name, now, refused=refused, asked=asked)


def factor(typed: str) -> float | None:
    """A speed-up as typed: 3, 2.5, 2,5×; None for nothing; BadChoice for anything else."""
    text = typed.strip().rstrip("x×X ").replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 1000:
        raise BadChoice("Say the speed-up you expect as a number such as 2.5, or leave it out.")
    return value


def _run_for(
    request: Request, session: Session, learner: Learner, name: str, asked: Asked, now: datetime
) -> Run:
    expected = factor(asked.expected)
    device = RunDevice.GPU if asked.where == RECORDED else asked.where
    choice = choose(name, asked.preset, asked.dtype, asked.direction, device)
    if asked.where == RECORDED:
        run = recorded(session, choice.as_parameters())
        if run is None:
            raise BadChoice(_NOT_RECORDED)
        predict(session, run, learner, expected, now)
        return run
    order = Order(choice, expected, asked.key or None)
    return ask(session, request.app.state.jobs, request.app.state.settings, learner, order, now)


def _form(
    request: Request,
    session: Session,
    settings: Settings,
    name: str,
    now: datetime,
    *,
    refused: Refused | None = None,
    asked: Asked | None = None,
) -> Response:
    after = refused.after if refused else None
    return page(
        request,
        "experiment.html",
        status=STATUS.get(refused.kind, TOO_MUCH) if refused else 200,
        headers={"Retry-After": str(round(after.total_seconds()))} if after else None,
        offer=offer_of(session, settings, name, now),
        claimed_by=_claimed_by(session, name),
        presets=PRESETS,
        dtypes=DTYPES,
        directions=DIRECTIONS,
        refused=refused,
        back_at=now + after if after else None,
        asked=asked,
        key=uuid4().hex,
    )


def _claimed_by(session: Session, name: str) -> list[StoredCard]:
    """The questions that make a claim which this experiment tries."""
    return [
        stored
        for stored in cards.listed(session)
        if any(claim.experiment == name for claim in stored.card.claims)
    ]


def _experiment(name: str) -> str:
    if name not in EXPERIMENTS:
        raise HTTPException(
            404, f"There is no such experiment; there is {next(iter(EXPERIMENTS))}."
        )
    return name
