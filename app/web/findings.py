"""What a learner says to a finding, and taking it back."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Response
from starlette.responses import RedirectResponse

from app.domain.practice import Dispute
from app.store import findings
from app.store.models import FindingRow
from app.web.deps import Changing, Now
from app.web.own_attempt import Id, OwnAttemptToChange, card_of
from app.web.pages import see_other

router = APIRouter(
    prefix="/attempts/{attempt_id}/findings/{finding_id}/dispute", include_in_schema=False
)

FromRecord = Annotated[bool, Form()]
"""Whether the form stood on the attempt's own page, which is then where to go back to."""


def _finding(attempt: OwnAttemptToChange, finding_id: Id) -> FindingRow:
    for row in attempt.findings:
        if row.id == finding_id:
            return row
    raise HTTPException(404, "This attempt has no such finding: it may have been checked anew.")


OwnFinding = Annotated[FindingRow, Depends(_finding)]


@router.post("")
def dispute(
    attempt: OwnAttemptToChange,
    finding: OwnFinding,
    session: Changing,
    now: Now,
    words: Annotated[Dispute, Form()],
    from_record: FromRecord = False,
) -> Response:
    """Keep what the learner says; it decides whether the finding counts."""
    findings.dispute(finding, words, now)
    session.commit()
    return _back(attempt, finding, session, from_record)


@router.post("/withdrawal")
def withdraw(
    attempt: OwnAttemptToChange,
    finding: OwnFinding,
    session: Changing,
    from_record: FromRecord = False,
) -> Response:
    """Take back what was said to the finding, exactly."""
    findings.withdraw_dispute(finding)
    session.commit()
    return _back(attempt, finding, session, from_record)


def _back(
    attempt: OwnAttemptToChange, finding: FindingRow, session: Changing, from_record: bool
) -> RedirectResponse:
    page = f"/attempts/{attempt.id}" if from_record else f"/questions/{_slug(session, attempt)}"
    return see_other(f"{page}#finding-{finding.id}")


def _slug(session: Changing, attempt: OwnAttemptToChange) -> str:
    return card_of(session, attempt).slug
