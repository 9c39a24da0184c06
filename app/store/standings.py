"""Where a learner stands on every card, in two queries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.checking.findings import Kind
from app.domain.practice import counts
from app.domain.standing import Answered, Standing, standing
from app.store.models import Attempt, FindingRow


class _Line(NamedTuple):
    """What a standing needs of an attempt: its times, never its texts."""

    id: int
    card_id: int
    tier: str
    target_seconds: int
    started_at: datetime
    clock_stopped_at: datetime | None
    handed_in_at: datetime | None
    checked_at: datetime | None
    reviewed_at: datetime | None
    characters: int | None


_TIMES = [getattr(Attempt, name) for name in _Line._fields if name != "characters"]
_COLUMNS = [*_TIMES, func.length(Attempt.answer)]


def standings(
    session: Session, learner_id: int, card_ids: Collection[int]
) -> Mapping[int, Standing]:
    """The standing on each of these cards, by the card's row id."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.abandoned_at.is_(None)
    )
    by_card: dict[int, list[_Line]] = defaultdict(list)
    for row in session.execute(query.order_by(Attempt.id)):
        line = _Line(*row)
        by_card[line.card_id].append(line)
    tripped = _tripped(session, [line.id for lines in by_card.values() for line in _last(lines)])
    return {card_id: _standing(by_card[card_id], tripped) for card_id in card_ids}


def since(session: Session, learner_id: int, moment: datetime) -> list[Answered]:
    """What the learner has handed in since `moment`, oldest first."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.handed_in_at >= moment
    )
    lines = [_Line(*row) for row in session.execute(query.order_by(Attempt.handed_in_at))]
    return _answered(lines, {})


def _last(lines: Sequence[_Line]) -> Sequence[_Line]:
    """The last answer of a card, if its check has been shown: the own view comes first."""
    handed_in = [line for line in lines if line.handed_in_at is not None]
    return [line for line in handed_in[-1:] if line.checked_at and line.reviewed_at]


def _tripped(session: Session, attempt_ids: Sequence[int]) -> Mapping[int, int]:
    query = select(FindingRow).where(
        FindingRow.attempt_id.in_(attempt_ids), FindingRow.kind == Kind.PITFALL
    )
    found = Counter(dict.fromkeys(attempt_ids, 0))
    for row in session.scalars(query):
        found[row.attempt_id] += counts(row.kind, row.state, row.dispute)
    return found


def _standing(lines: Sequence[_Line], tripped: Mapping[int, int]) -> Standing:
    answers = _answered(lines, tripped)
    return standing(answers, answering=len(answers) < len(lines))


def _answered(lines: Sequence[_Line], tripped: Mapping[int, int]) -> list[Answered]:
    return [
        Answered(
            line.id,
            line.tier,
            line.target_seconds,
            ((line.clock_stopped_at or line.handed_in_at) - line.started_at).total_seconds(),
            line.handed_in_at,
            tripped.get(line.id),
            bool(line.characters),
        )
        for line in lines
        if line.handed_in_at is not None
    ]
