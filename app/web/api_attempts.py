"""/api/v1/attempts: a learner's rehearsals, begun and handed in here or on the pages alike."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from sqlalchemy.orm import Session

from app.store import answers, attempts, cards
from app.store.models import Attempt
from app.web.api import PREFIX, Responses, problems
from app.web.api_attempt_shapes import (
    AnswerSent,
    AttemptAsked,
    AttemptList,
    AttemptShape,
    attempt_shape,
)
from app.web.api_cards import found
from app.web.attempts import typed
from app.web.checks import check_attempt
from app.web.deps import AppSettings, Changing, CurrentLearner, KnownLearner, Now, Reading
from app.web.own_attempt import (
    LARGEST_ID,
    OwnAttempt,
    OwnAttemptToChange,
    card_of,
    cards_of,
)

router = APIRouter(prefix=f"{PREFIX}/attempts", tags=["attempts"])

JOINED: Responses = {200: {"model": AttemptShape, "description": "The card's open one, joined."}}


@router.post("", status_code=201, responses=JOINED | problems(404, 422))
def begin_attempt(
    asked: AttemptAsked,
    request: Request,
    response: Response,
    session: Changing,
    learner: CurrentLearner,
    settings: AppSettings,
    now: Now,
) -> AttemptShape:
    """Begin an attempt; where the card has an open one, that one is joined, its tier and clock."""
    stored = found(cards.find(session, asked.slug), asked.slug)
    answer = None if asked.answer is None else typed(asked.answer, settings)
    begun = attempts.begin(session, learner.id, stored, asked.tier, now)
    attempt = attempts.own(session, learner.id, begun.id, lock=True) or begun
    if answer is not None:
        _hand_in(request, session, attempt, answer, now)
    session.commit()
    response.status_code = 201 if attempt.started_at == now else 200
    response.headers["Location"] = f"{router.prefix}/{attempt.id}"
    return _shown(session, attempt, now)


@router.get("", responses=problems(422))
def list_attempts(
    session: Reading,
    learner: KnownLearner,
    now: Now,
    before: Annotated[
        int | None, Query(ge=1, le=LARGEST_ID, description="Only attempts older than this id.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> AttemptList:
    """The learner's own attempts, newest first; none without the cookie."""
    if learner is None:
        return AttemptList(attempts=[], next_before=None)
    rows = attempts.history(session, learner.id, before=before, limit=limit)
    known = cards_of(session, rows)
    shapes = [attempt_shape(row, known[row.card_id], now) for row in rows]
    return AttemptList(attempts=shapes, next_before=rows[-1].id if len(rows) == limit else None)


@router.get("/{attempt_id}", responses=problems(404, 422))
def read_attempt(attempt: OwnAttempt, session: Reading, now: Now) -> AttemptShape:
    """One of the learner's own attempts."""
    return _shown(session, attempt, now)


@router.put("/{attempt_id}/answer", responses=problems(404, 409, 422))
def hand_in_answer(
    sent: AnswerSent,
    request: Request,
    attempt: OwnAttemptToChange,
    session: Changing,
    settings: AppSettings,
    now: Now,
) -> AttemptShape:
    """Hand the answer in: it is kept first, then checked; `check_trouble` says if that failed."""
    _hand_in(request, session, attempt, typed(sent.answer, settings), now)
    return _shown(session, attempt, now)


def _hand_in(
    request: Request, session: Session, attempt: Attempt, answer: str, now: datetime
) -> None:
    try:
        answers.hand_in(attempt, answer, "", now)  # a program has seen no draft
    except answers.AlreadyEnded as ended:
        raise HTTPException(409, str(ended)) from None
    checks = request.app.state.checks
    check_attempt(session, checks, attempt, card_of(session, attempt), now)
    session.refresh(attempt, ["findings"])


def _shown(session: Session, attempt: Attempt, now: datetime) -> AttemptShape:
    return attempt_shape(attempt, card_of(session, attempt), now)
