"""Where a learner stands on every card, in two queries."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from app.domain.checking.findings import Kind
from app.domain.practice import counts
from app.domain.standing import Answered, Standing, standing
from app.store.models import Attempt, FindingRow

_COLUMNS = (
    Attempt.id,
    Attempt.card_id,
    Attempt.tier,
    Attempt.target_seconds,
    Attempt.started_at,
    Attempt.clock_stopped_at,
    Attempt.handed_in_at,
    Attempt.checked_at,
)


def standings(
    session: Session, learner_id: int, card_ids: Collection[int]
) -> Mapping[int, Standing]:
    """The standing on each of these cards, by the card's row id."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.abandoned_at.is_(None)
    )
    rows = session.execute(query.order_by(Attempt.id)).all()
    by_card: dict[int, list[Row]] = {card_id: [] for card_id in card_ids}
    for row in rows:
        by_card.setdefault(row.card_id, []).append(row)
    last = {row.id: row for row in _last_checked(rows)}
    tripped = _tripped(session, last)
    return {card_id: _standing(of_card, tripped) for card_id, of_card in by_card.items()}


def since(session: Session, learner_id: int, moment: datetime) -> list[Answered]:
    """What the learner has handed in since `moment`, oldest first."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.handed_in_at >= moment
    )
    return [_answered(row, None) for row in session.execute(query.order_by(Attempt.handed_in_at))]


def _last_checked(rows) -> Collection[Row]:
    last = {row.card_id: row for row in rows if row.handed_in_at is not None}
    return [row for row in last.values() if row.checked_at is not None]


def _tripped(session: Session, attempt_ids: Collection[int]) -> Mapping[int, int]:
    query = select(FindingRow).where(
        FindingRow.attempt_id.in_(attempt_ids), FindingRow.kind == Kind.PITFALL
    )
    found = Counter(dict.fromkeys(attempt_ids, 0))
    for row in session.scalars(query):
        found[row.attempt_id] += counts(row.kind, row.state, row.dispute)
    return found


def _standing(rows: list[Row], tripped: Mapping[int, int]) -> Standing:
    answers = [_answered(row, tripped.get(row.id)) for row in rows if row.handed_in_at is not None]
    return standing(answers, answering=len(answers) < len(rows))


def _answered(row: Row, tripped: int | None) -> Answered:
    ended = row.clock_stopped_at or row.handed_in_at
    seconds = (ended - row.started_at).total_seconds()
    return Answered(row.id, row.tier, row.target_seconds, seconds, row.handed_in_at, tripped)
