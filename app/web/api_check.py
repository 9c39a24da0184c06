"""/api/v1/check: what a check says of an answer, with nothing stored."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from app.domain.checking.bounded import unread
from app.domain.checking.findings import Finding, Kind, State
from app.store import cards
from app.store.models import FindingRow
from app.web.api import PREFIX, WITHOUT_NUL, Sent, Shown, Slug, problems
from app.web.api_cards import found
from app.web.attempts import typed
from app.web.checks import CheckTrouble
from app.web.deps import AppSettings, Reading

router = APIRouter(prefix=f"{PREFIX}/check", tags=["check"])

AnswerText = Annotated[
    str,
    Field(
        description="The answer, as plain text; line ends are kept as `\\n`.",
        pattern=WITHOUT_NUL,
        examples=["One pass reads the tensor once and writes it once. The FLOPs stay the same."],
    ),
]


CheckedBy = Annotated[
    str,
    Field(
        description="Who made the check: `here`, or `here and by` a judge's model that had a say.",
        examples=["here", "here and by qwen3:8b"],
    ),
]
CheckNote = Annotated[
    str | None, Field(description="Why a judge that was asked had no say in all or some of it.")
]

Unread = Annotated[
    int, Field(description="Characters at the answer's end that the check does not read.")
]


class FindingShape(Shown):
    """What the check concluded on one key point or pitfall.

    A key point is covered or not_found; a pitfall is flagged, possible, rejected
    or not_found. `words` are the answer's characters from `start` to `end`.
    """

    kind: Kind
    ref: str
    state: State
    start: int | None
    end: int | None
    words: str | None
    signs: list[str]


class CheckAsked(Sent):
    """An answer, and the card that it answers."""

    slug: Slug
    answer: AnswerText


class CheckShape(Shown):
    """One finding for every key point and every pitfall of the card."""

    slug: str
    content_hash: str
    checked_by: CheckedBy
    check_note: CheckNote
    unread: Unread
    findings: list[FindingShape]


@router.post("", responses=problems(404, 422, 503))
def check_answer(
    asked: CheckAsked, request: Request, session: Reading, settings: AppSettings
) -> CheckShape:
    """Check an answer against a card's key points and pitfalls; nothing of it is kept."""
    stored = found(cards.find(session, asked.slug), asked.slug)
    answer = typed(asked.answer, settings)
    session.rollback()  # no transaction stays open while the check runs
    try:
        checked = request.app.state.checks.checked(answer, stored.card)
    except CheckTrouble as trouble:
        raise HTTPException(503, f"{trouble} Send it again.") from trouble
    return CheckShape(
        slug=stored.slug,
        content_hash=stored.content_hash,
        checked_by=checked.by,
        check_note=checked.note,
        unread=unread(answer),
        findings=[finding_shape(finding, answer) for finding in checked.findings],
    )


def finding_shape(finding: Finding | FindingRow, answer: str) -> FindingShape:
    """A finding with the very words that show it."""
    words = None if finding.start is None else answer[finding.start : finding.end]
    return FindingShape(
        kind=finding.kind,
        ref=finding.ref,
        state=finding.state,
        start=finding.start,
        end=finding.end,
        words=words,
        signs=list(finding.signs),
    )
