"""Where a learner stands on every card, in three queries that read only what is told of it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, ScalarSelect, Select, bindparam, func, select
from sqlalchemy.orm import Session

from app.domain.checking.findings import Kind
from app.domain.practice import counts
from app.domain.standing import TIERS, Answered, Standing, standing
from app.store.later import later
from app.store.models import Attempt, CardRow, FindingRow


class _Line(NamedTuple):
    """What a standing needs of an attempt: its times, never its texts."""

    id: int
    tier: str
    target_seconds: int
    started_at: datetime
    clock_stopped_at: datetime | None
    handed_in_at: datetime
    checked_at: datetime | None
    reviewed_at: datetime | None
    said: bool


class _Telling(NamedTuple):
    """Of a card, which attempts say where one stands on it: the last, and one in time a tier."""

    card_id: int
    answering: bool
    last: int | None
    basics: int | None
    solid: int | None
    deep: int | None

    @property
    def ids(self) -> list[int]:
        """Each once, in the order they were begun."""
        return sorted({one for one in self[2:] if one is not None})


_SAID = func.coalesce(Attempt.answer, "") != ""
_COLUMNS = [getattr(Attempt, name) for name in _Line._fields if name != "said"] + [_SAID]


def _at_card(*which: ColumnElement[bool]) -> Select[int]:
    """The learner's attempts of this sort at the card beside which they are asked for."""
    whose = Attempt.learner_id == bindparam("learner_id"), Attempt.card_id == CardRow.id
    return select(Attempt.id).where(*whose, Attempt.abandoned_at.is_(None), *which)


def _newest(*which: ColumnElement[bool]) -> ScalarSelect[Any]:
    newest_first = Attempt.started_at.desc(), Attempt.id.desc()
    return _at_card(*which).order_by(*newest_first).limit(1).scalar_subquery()


_HANDED_IN = Attempt.handed_in_at.is_not(None)
_IN_TIME = (
    _HANDED_IN,
    _SAID,
    func.coalesce(Attempt.clock_stopped_at, Attempt.handed_in_at)
    < later(Attempt.started_at, Attempt.target_seconds),
)
_TELLING = select(
    CardRow.id,
    _at_card(~_HANDED_IN).exists(),
    _newest(_HANDED_IN),
    *(_newest(Attempt.tier == tier, *_IN_TIME) for tier in TIERS),
).where(CardRow.id.in_(bindparam("card_ids", expanding=True)))


def standings(
    session: Session, learner_id: int, card_ids: Collection[int]
) -> Mapping[int, Standing]:
    """The standing on each of these cards, by the card's row id."""
    given = {"learner_id": learner_id, "card_ids": list(card_ids)}
    telling = [_Telling(*row) for row in session.execute(_TELLING, given)]
    lines = _lines(session, [one for card in telling for one in card.ids])
    last = [lines[card.last] for card in telling if card.last is not None]
    tripped = _tripped(session, [line.id for line in last if _is_shown(line)])
    return {
        card.card_id: standing(
            _answered([lines[one] for one in card.ids], tripped), answering=card.answering
        )
        for card in telling
    }


def since(session: Session, learner_id: int, moment: datetime) -> list[Answered]:
    """What the learner has handed in since `moment`, oldest first."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.handed_in_at >= moment
    )
    lines = [_Line(*row) for row in session.execute(query.order_by(Attempt.handed_in_at))]
    return _answered(lines, {})


def _lines(session: Session, attempt_ids: Collection[int]) -> Mapping[int, _Line]:
    rows = session.execute(select(*_COLUMNS).where(Attempt.id.in_(attempt_ids)))
    return {line.id: line for line in (_Line(*row) for row in rows)}


def _is_shown(line: _Line) -> bool:
    """Whether its check has been shown: the own view comes first."""
    return line.checked_at is not None and line.reviewed_at is not None


def _tripped(session: Session, attempt_ids: Sequence[int]) -> Mapping[int, int]:
    query = select(FindingRow).where(
        FindingRow.attempt_id.in_(attempt_ids), FindingRow.kind == Kind.PITFALL
    )
    found = Counter(dict.fromkeys(attempt_ids, 0))
    for row in session.scalars(query):
        found[row.attempt_id] += counts(row.kind, row.state, row.dispute)
    return found


def _answered(lines: Sequence[_Line], tripped: Mapping[int, int]) -> list[Answered]:
    return [
        Answered(
            line.id,
            line.tier,
            line.target_seconds,
            ((line.clock_stopped_at or line.handed_in_at) - line.started_at).total_seconds(),
            line.handed_in_at,
            tripped.get(line.id),
            line.said,
        )
        for line in lines
    ]
