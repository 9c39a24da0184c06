"""A card's page: one route for the page and its part, for reading, answering and the ladder."""

import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.orm import Session

from app.domain import ladder
from app.runs.evidence import Line, NotWorkedOut
from app.store import attempts, learners
from app.store.cards import StoredCard
from app.store.engine import Database
from app.store.models import Learner
from app.web import evidence, opening
from app.web import seen as seen_results
from app.web.asked_card import card_at, parts_of
from app.web.deps import Changing, CurrentLearner, Now
from app.web.pages import Kept, device, keep, kept_page, page, see_other
from app.web.practice_view import Practice, current, practice_of

router = APIRouter(include_in_schema=False)


@router.get("/questions/{slug}")
async def show(
    request: Request,
    slug: str,
    opened: Annotated[list[str] | None, Query(alias="open")] = None,
    again: bool = False,
) -> Response:
    """The card as this learner finds it now; `open` opens parts of its ladder.

    What writes, or asks a server, waits in a thread. Looking into a file at hand
    does not: it takes less time than two threads take to hand Python over.
    """
    shown = partial(_shown, request, slug, opened or [], again=again)
    if request.app.state.database.at_hand and not opened:
        with suppress(NotWorkedOut):  # once after a start, and once after a run
            return shown(patient=False)
    return await run_in_threadpool(shown)


def _shown(
    request: Request, slug: str, opened: list[str], *, again: bool, patient: bool = True
) -> Response:
    database: Database = request.app.state.database
    key = request.session.get("learner")
    if key is None and not opened:
        stored, second = _looked_up(database, slug), int(time.monotonic())
        return kept_page(request, _for_everyone(stored, device(request), second))
    now = datetime.now(UTC)
    if key and opened and request.method != "HEAD":  # then nobody sees what is opened
        opening.note(database, key, slug, opened, again=again, now=now)
    with database.reading() as session:
        stored = card_at(session, slug)
        asked = parts_of(stored, opened)
        learner = learners.by_key(session, key)
        latest = attempts.latest(session, learner.id, stored.row_id) if learner else None
        seen = opening.noted(session, learner, stored, current(latest, again=again))
        view = practice_of(slug, stored.card, latest, seen, again=again, asked=asked, now=now)
        found = _evidence(session, learner, view, patient=patient)
        shown = seen_results.shown(request, session, learner) if found else ()
        runs = (line.run for lines in found.values() for line in lines)
        held_back = evidence.held_back(runs, shown)
    sent_to = request.app.state.checks.sent_to
    values: dict[str, Any] = {"evidence": found, "held_back": held_back, "sent_to": sent_to}
    return page(request, "question.html", part="_practice.html", practice=view, **values)


@lru_cache(maxsize=256)
def _for_everyone(stored: StoredCard, device: str, _second: int) -> Kept:
    """The page of those who have done nothing yet: all see the same, so once a second is enough."""
    view = practice_of(
        stored.slug, stored.card, None, {}, again=False, asked=(), now=datetime.now(UTC)
    )
    nothing: dict[str, Any] = {"evidence": {}, "held_back": ()}
    return keep("question.html", part="_practice.html", device=device, practice=view, **nothing)


def _evidence(
    session: Session, learner: Learner | None, view: Practice, *, patient: bool
) -> Mapping[str, tuple[Line, ...]]:
    """The latest evidence on the claims that are in view; nothing is asked where none is."""
    told = (one for one in view.rungs if one.rung.kind != "follow-up" or one.tried is not None)
    opened = [one.rung.id for one in told if one.opened]
    claims = {claim.experiment for rung in opened for claim in ladder.claims_in(view.card, rung)}
    return evidence.told(session, learner, claims, patient=patient)


def _looked_up(database: Database, slug: str) -> StoredCard:
    with database.looking() as connection:
        return card_at(connection, slug)


@router.post("/questions/{slug}/attempts")
def begin(
    slug: str,
    session: Changing,
    learner: CurrentLearner,
    now: Now,
    tier: Annotated[str, Form()],
) -> Response:
    """Begin an attempt, or join the one that is open; its clock starts here."""
    stored = card_at(session, slug)
    if tier not in [known.id for known in stored.card.tiers]:
        raise HTTPException(422, f"There is no length {tier!r}: choose one that the page offers.")
    attempts.begin(session, learner.id, stored, tier, now)
    session.commit()
    return see_other(f"/questions/{slug}#answer")
