"""Runs: the form that asks for one, the page that follows it, cancelling, and the list."""

from collections.abc import AsyncIterable
from datetime import datetime
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Header, HTTPException, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from app.domain.running import RunDevice
from app.runs import listing, states
from app.runs.ask import Order, Refused, ask, predict
from app.runs.choice import BadChoice, choose
from app.runs.following import Following
from app.runs.offer import RECORDED, offer_of
from app.runs.view import RunView, recorded
from app.settings import Settings
from app.store.models import Learner, Run
from app.web.deps import AppSettings, Changing, CurrentLearner, KnownLearner, Now, Reading
from app.web.pages import page, see_other, templates
from app.web.run_pages import DTYPES, shown, title
from kernels.bench.protocol import DIRECTIONS, EXPERIMENTS, PRESETS

router = APIRouter(include_in_schema=False)

ENDED = "ended"
"""The event that tells a page to listen no more."""


class Asked(BaseModel):
    """The form as filled in."""

    preset: str
    dtype: str
    direction: str
    where: str
    expected: Annotated[str, Field(max_length=20)] = ""
    key: Annotated[str, Field(pattern="^([0-9a-f]{32})?$")] = ""


@router.get("/experiments/{name}")
def form(
    request: Request, name: str, session: Reading, settings: AppSettings, now: Now
) -> Response:
    """What can be run here, and what one expects of it."""
    return _form(request, session, settings, _experiment(name), now)


@router.post("/experiments/{name}/runs")
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
        raise HTTPException(422, str(bad)) from None
    except Refused as refused:
        return _form(request, session, settings, name, now, refused=refused, asked=asked)
    session.commit()
    return see_other(f"/runs/{run.id}")


@router.get("/runs")
def runs(request: Request, session: Reading, learner: KnownLearner, now: Now) -> Response:
    """The learner's own runs and the recorded ones."""
    own = listing.own(session, learner.id) if learner else []
    made_before = listing.recorded(session)
    return page(request, "runs.html", own=own, recorded=made_before, title=title, now=now)


@router.get("/runs/{run_id}")
def show(request: Request, run_id: str, learner: KnownLearner) -> Response:
    """The run as it stands."""
    return page(request, "run.html", part="_run.html", **shown(_found(request, run_id), learner))


@router.post("/runs/{run_id}/cancellation")
def cancel(run_id: str, session: Changing, learner: CurrentLearner, now: Now) -> Response:
    """End one's own run; one that has ended stays as it is."""
    run = session.get(Run, run_id)
    if run is None or run.learner_id != learner.id:
        raise HTTPException(404, "You have no such run: the list of runs shows yours.")
    states.cancel(session, run_id, now)
    session.commit()
    return see_other(f"/runs/{run_id}")


def _found(request: Request, run_id: str) -> RunView:
    following: Following = request.app.state.following
    view = following.look(run_id, None)
    if view is None:
        raise HTTPException(404, "There is no such run: the list of runs shows those there are.")
    return view


@router.get("/runs/{run_id}/events", response_class=EventSourceResponse)
async def events(
    request: Request,
    run_id: str,
    _: Annotated[RunView, Depends(_found)],  # a 404 has to come before the stream begins
    learner: KnownLearner,
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterable[ServerSentEvent]:
    """The run's part of the page, whole, at each change; the event `ended` after the last."""
    part = templates().get_template("_run.html")
    following: Following = request.app.state.following
    ended = False
    async for view in following.follow(run_id, last_event_id):
        ended = view.final
        if view.version != last_event_id:
            html = part.render(request=request, **shown(view, learner))
            yield ServerSentEvent(raw_data=html, id=view.version)
    if ended:
        yield ServerSentEvent(event=ENDED, raw_data="")


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
            raise BadChoice("This one was not recorded; choose another shape, format or direction.")
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
    wait = round(refused.after.total_seconds()) if refused and refused.after else None
    return page(
        request,
        "experiment.html",
        status=429 if wait else 503 if refused else 200,
        headers={"Retry-After": str(wait)} if wait else None,
        offer=offer_of(session, settings, name, now),
        presets=PRESETS,
        dtypes=DTYPES,
        directions=DIRECTIONS,
        refused=refused,
        back_at=now + refused.after if refused and refused.after else None,
        asked=asked,
        key=uuid4().hex,
    )


def _experiment(name: str) -> str:
    if name not in EXPERIMENTS:
        raise HTTPException(404, f"There is no such experiment; there is {EXPERIMENTS[0]}.")
    return name
