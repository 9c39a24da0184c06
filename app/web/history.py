"""What a learner has done: every attempt, and the record of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy.orm import Session

from app.domain.card import Card
from app.domain.checking.findings import Kind
from app.domain.practice import counts
from app.store import attempts, reveals
from app.store.models import Attempt, Learner, answer_seconds, study_seconds
from app.web.deps import KnownLearner, Now, Reading
from app.web.ladder_view import opened_labels
from app.web.own_attempt import LARGEST_ID, OwnAttempt, card_of, cards_of
from app.web.pages import page
from app.web.result import result_of

router = APIRouter(include_in_schema=False)

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One attempt in the history."""

    attempt: Attempt
    title: str
    seconds: float
    covered: int
    points: int
    tripped: int
    opened: int


@router.get("/history")
def show_history(
    request: Request,
    session: Reading,
    learner: KnownLearner,
    now: Now,
    before: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
) -> Response:
    """Every attempt, newest first, a page at a time."""
    found = _newest(session, learner, before)
    shown = found[:A_PAGE]
    opened = reveals.counted(session, [attempt.id for attempt in shown])
    known = cards_of(session, shown)
    lines = [
        _line(attempt, known[attempt.card_id], len(opened[attempt.id]), now) for attempt in shown
    ]
    older = shown[-1].id if len(found) > A_PAGE else None
    return page(request, "history.html", lines=lines, older=older, now=now)


@router.get("/attempts/{attempt_id}")
def show_attempt(request: Request, attempt: OwnAttempt, session: Reading, now: Now) -> Response:
    """The record of one attempt: its answer, its findings, what was opened and when."""
    card = card_of(session, attempt)
    return page(
        request,
        "attempt.html",
        part="_record.html",
        attempt=attempt,
        card=card,
        seconds=answer_seconds(attempt, now),
        studied=study_seconds(attempt, now),
        result=result_of(attempt, card) if attempt.checked_at else None,
        opened=opened_labels(card, reveals.in_attempt(session, attempt.id)),
        now=now,
    )


def _newest(session: Session, learner: Learner | None, before: int | None) -> Sequence[Attempt]:
    """A page of attempts, and one more where there are older ones."""
    if learner is None:
        return []
    return attempts.history(session, learner.id, before=before, limit=A_PAGE + 1)


def _line(attempt: Attempt, card: Card, opened: int, now: datetime) -> Line:
    asks = card.tier(attempt.tier).asks
    counted = [row for row in attempt.findings if counts(row.kind, row.state, row.dispute)]
    return Line(
        attempt,
        card.title,
        answer_seconds(attempt, now),
        covered=sum(row.kind is Kind.KEY_POINT and row.ref in asks for row in counted),
        points=len(asks),
        tripped=sum(row.kind is Kind.PITFALL for row in counted),
        opened=opened,
    )
