"""The answers whose checks were disputed."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.cases import Case, Disputed
from app.domain.checked import HERE
from app.store.models import Attempt, CardRow, FindingRow


def disputed(session: Session) -> list[Case]:
    """Every answer of which a finding is disputed now, whoever gave it, in no particular order."""
    query = (
        select(Attempt)
        .where(Attempt.findings.any(FindingRow.dispute.is_not(None)))
        .options(joinedload(Attempt.findings), joinedload(Attempt.card).load_only(CardRow.slug))
    )
    return [_case(attempt) for attempt in session.scalars(query).unique()]


def _case(attempt: Attempt) -> Case:
    return Case(
        attempt.card.slug,
        attempt.content_hash,
        attempt.checked_by or HERE,
        attempt.answer or "",
        _said(attempt.findings),
    )


def _said(rows: Sequence[FindingRow]) -> tuple[Disputed, ...]:
    return tuple(
        Disputed(row.kind, row.ref, row.state, row.start, row.end, row.dispute)
        for row in rows
        if row.dispute is not None
    )
