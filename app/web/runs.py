"""Runs: the list, the page that follows one as it goes, and ending one's own."""

from collections.abc import AsyncIterable, Iterable, Mapping
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.domain.guess import BadGuess, matched
from app.runs import guesses, listing, sights, states
from app.runs.following import Following
from app.runs.view import RunView
from app.store import clock
from app.store.models import Run
from app.web import evidence, seen
from app.web.counts import predictions
from app.web.deps import Changing, CurrentLearner, KnownLearner, Now, Reading
from app.web.filled import FilledForm
from app.web.pages import page, see_other
from app.web.recorded_table import tables
from app.web.run_pages import shown, title
from app.web.templating import templates
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Kind

router = APIRouter(prefix="/runs", include_in_schema=False)

ENDED = "ended"
"""The event that tells a page to listen no more."""


@router.get("")
def runs(
    request: Request, session: Reading, learner: KnownLearner, now: Now, show: bool = False
) -> Response:
    """The learner's own runs, the recorded ones and those brought in from elsewhere.

    What was found elsewhere is kept back until one has seen it or asks to `show` it: one is to
    say first what one expects.
    """
    own = listing.own(session, learner.id) if learner else []
    made_before, imported = listing.recorded(session), listing.imported(session)
    elsewhere = [one.run for one in (*made_before, *imported) if one.conclusion]
    held_back = evidence.held_back(elsewhere, seen.shown(request, session, learner))
    if show:
        seen.note(request, session, learner, filter(sights.given_away, elsewhere))
    return page(
        request,
        "runs.html",
        own=own,
        recorded=tables([line for line in made_before if line.run.experiment == "chain"]),
        others=_in_order(line for line in made_before if line.run.experiment != "chain"),
        imported=imported,
        held_back=frozenset() if show else held_back,
        predicted=predictions(),
        title=title,
        now=now,
    )


def _found(request: Request, run_id: str) -> RunView:
    following: Following = request.app.state.following
    view = following.look(run_id, None)
    if view is None:
        raise HTTPException(404, "There is no such run: the list of runs shows those there are.")
    return view


@router.get("/{run_id}")
def show(request: Request, run_id: str, session: Reading, learner: KnownLearner) -> Response:
    """The run as it stands."""
    values = shown(_found(request, run_id), learner)
    if _tells(values):
        seen.note(request, session, learner, [values["run"]])
    return page(request, "run.html", part="_run.html", **values)


def _tells(values: Mapping[str, Any]) -> bool:
    """Whether the page says what was found: of runs to be told apart only after one's answer."""
    return values["conclusion"] is not None and not values["to_match"]


def _in_order(lines: Iterable[listing.Line]) -> list[listing.Line]:
    """By experiment, in the order of the lab."""
    place = {name: number for number, name in enumerate(EXPERIMENTS)}
    return sorted(lines, key=lambda line: place.get(line.run.experiment, len(place)))


@router.post("/{run_id}/cancellation")
def cancel(run_id: str, session: Changing, learner: CurrentLearner) -> Response:
    """End one's own run; one that has ended stays as it is."""
    run = session.get(Run, run_id)
    if run is None or run.learner_id != learner.id:
        raise HTTPException(404, "You have no such run: the list of runs shows yours.")
    states.cancel(session, run_id, clock.now(session))
    session.commit()
    return see_other(f"/runs/{run_id}")


@router.post("/{run_id}/matches")
def match(
    run_id: str,
    view: Annotated[RunView, Depends(_found)],
    filled: FilledForm,
    session: Changing,
    learner: CurrentLearner,
    now: Now,
) -> Response:
    """Keep what the learner says of the run's items; what was found is shown after that.

    The first word stands; `just show me` says nothing of any item.
    """
    experiment = EXPERIMENTS.get(view.run.experiment)
    if view.conclusion is None or experiment is None or experiment.question.kind is not Kind.MATCH:
        raise HTTPException(404, "This run asks nothing: its page shows what there is.")
    said: Mapping[str, str] = {} if "show" in filled.fields else filled.fields
    try:
        guess = matched(experiment.question, dict(view.conclusion.answer.items), said)
    except BadGuess as bad:
        raise HTTPException(422, str(bad)) from None
    guesses.keep(session, view.run, learner, guess, now)
    session.commit()
    return see_other(f"/runs/{run_id}")


@router.get("/{run_id}/events", response_class=EventSourceResponse)
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
    async with aclosing(following.follow(run_id, last_event_id)) as views:
        async for view in views:
            ended, values = view.final, shown(view, learner)
            if view.version != last_event_id:
                html = part.render(request=request, **values)
                yield ServerSentEvent(raw_data=html, id=view.version)
            if learner and _tells(values):
                await run_in_threadpool(seen.keep, request, learner, [sights.case_of(view.run)])
    if ended:
        yield ServerSentEvent(event=ENDED, raw_data="")
