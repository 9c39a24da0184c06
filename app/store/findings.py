"""What is concluded on an answer: by its check, by the learner's own view, and by disputes."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.checked import Checked
from app.domain.checking.findings import Finding
from app.domain.omissions import Spoken
from app.domain.practice import Dispute, Sureness
from app.store.models import Attempt, FindingRow


def keep_findings(
    session: Session, attempt: Attempt, findings: Sequence[Finding], now: datetime
) -> None:
    """Store what the check concluded; what the learner said to earlier findings is kept."""
    known = {(row.kind, row.ref): row for row in attempt.findings}
    for finding in findings:
        row = known.pop((finding.kind, finding.ref), None)
        if row is None:
            session.add(_new_row(attempt, finding))
        else:
            row.state, row.start, row.end = finding.state, finding.start, finding.end
            row.signs = list(finding.signs)
    for gone in known.values():
        session.delete(gone)
    attempt.checked_at = now
    attempt.check_trouble = None
    session.flush()
    session.refresh(attempt, ["findings"])


def keep_check(session: Session, attempt: Attempt, checked: Checked, now: datetime) -> None:
    """Store a whole check: its findings, who made it, and who was asked in vain."""
    attempt.checked_by = checked.by
    attempt.check_note = checked.note
    keep_findings(session, attempt, checked.findings, now)


def keep_trouble(attempt: Attempt, sentence: str) -> None:
    """Note that the check did not finish; the answer stays, and it can be checked again."""
    attempt.check_trouble = sentence


def review(
    attempt: Attempt, claimed: Sequence[str], sureness: Sureness | None, now: datetime
) -> None:
    """Keep the learner's own view: the key points that they say they made, and how sure."""
    attempt.claimed = list(claimed)
    attempt.sureness = sureness.value if sureness else None
    attempt.reviewed_at = now


def withdraw_review(attempt: Attempt) -> None:
    """Take the learner's own view back, exactly."""
    attempt.claimed = []
    attempt.sureness = None
    attempt.reviewed_at = None


def dispute(finding: FindingRow, words: Dispute, now: datetime) -> None:
    """Keep what the learner says to a finding."""
    finding.dispute = words
    finding.disputed_at = now


def withdraw_dispute(finding: FindingRow) -> None:
    """Take back what the learner said to a finding, exactly."""
    finding.dispute = None
    finding.disputed_at = None


def spoken(attempt: Attempt) -> list[Spoken]:
    """The findings of an attempt, which must be loaded, with what the learner says to each."""
    return [Spoken(row.kind, row.ref, row.state, row.dispute) for row in attempt.findings]


def _new_row(attempt: Attempt, finding: Finding) -> FindingRow:
    return FindingRow(
        attempt_id=attempt.id,
        kind=finding.kind,
        ref=finding.ref,
        state=finding.state,
        start=finding.start,
        end=finding.end,
        signs=list(finding.signs),
    )
