"""What attempts look like in the JSON API."""

from datetime import datetime
from typing import Annotated, cast

from pydantic import Field

from app.domain.card import Card, TierId
from app.domain.checking.bounded import unread
from app.domain.omissions import omissions
from app.domain.practice import Dispute
from app.store.findings import spoken
from app.store.models import Attempt, FindingRow, answer_seconds
from app.web.api import Sent, Shown, Slug
from app.web.api_check import (
    AnswerText,
    CheckedBy,
    CheckNote,
    FindingShape,
    Unread,
    finding_shape,
)


class AttemptAsked(Sent):
    """The card and tier to rehearse; with `answer` it is handed in and checked at once."""

    slug: Slug
    tier: TierId
    answer: AnswerText | None = None


class AnswerSent(Sent):
    """The answer to hand in."""

    answer: AnswerText


class KeptFinding(FindingShape):
    """A finding of an attempt, and what the learner says to it; a disputed one counts no more."""

    dispute: Dispute | None


class OmissionShape(Shown):
    """A key point that the attempt's tier asks for and the answer has no word on."""

    ref: str
    says: str


class AttemptShape(Shown):
    """One rehearsal: its clock against the target, its answer, and what the check said."""

    id: int
    slug: str
    content_hash: Annotated[str, Field(description="The card's version when it began.")]
    tier: TierId
    target_seconds: int
    started_at: datetime
    handed_in_at: datetime | None
    abandoned_at: datetime | None
    seconds: Annotated[float, Field(description="Seconds of answering, so far or in all.")]
    answer: str | None
    checked_at: datetime | None
    check_trouble: Annotated[str | None, Field(description="Why the check did not finish.")]
    checked_by: CheckedBy | None
    check_note: CheckNote
    unread: Unread
    findings: list[KeptFinding]
    omissions: list[OmissionShape]


class AttemptList(Shown):
    """A page of attempts, newest first; `next_before` asks for the one after it."""

    attempts: list[AttemptShape]
    next_before: int | None


def attempt_shape(attempt: Attempt, card: Card, now: datetime) -> AttemptShape:
    """An attempt, with its findings, as the API tells it."""
    answer = attempt.answer or ""
    return AttemptShape(
        id=attempt.id,
        slug=card.slug,
        content_hash=attempt.content_hash,
        tier=cast(TierId, attempt.tier),  # only ever stored from a card
        target_seconds=attempt.target_seconds,
        started_at=attempt.started_at,
        handed_in_at=attempt.handed_in_at,
        abandoned_at=attempt.abandoned_at,
        seconds=answer_seconds(attempt, now),
        answer=attempt.answer,
        checked_at=attempt.checked_at,
        check_trouble=attempt.check_trouble,
        checked_by=attempt.checked_by,
        check_note=attempt.check_note,
        unread=unread(answer),
        findings=[_kept(row, answer) for row in attempt.findings],
        omissions=[
            OmissionShape.model_validate(omission)
            for omission in omissions(spoken(attempt), card, attempt.tier, answer)
        ],
    )


def _kept(row: FindingRow, answer: str) -> KeptFinding:
    shape = finding_shape(row, answer)
    return KeptFinding(**shape.model_dump(), dispute=row.dispute)
