"""What a learner says to a finding, and taking it back."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Response
from starlette.responses import RedirectResponse

from app.domain.practice import Dispute
from app.store import findings
from app.store.models import FindingRow
from app.web.deps import Changing, Now
from app.web.own_attempt import FromRecord, Id, OwnAttemptToChange, address_of, card_of
from app.web.pages import see_other

router = APIRouter(
    prefix="/attempts/{attempt_id}/findings/{finding_id}/dispute", include_in_schema=False
)


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
    card = card_of(session, attempt)
    return see_other(address_of(attempt, card, f"finding-{finding.id}", from_record=from_record))
