"""Where a learner stands on every card, in three queries that read only what is told of it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    bindparam,
    case,
    func,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute, counts
from app.domain.standing import TIERS, Answered, Standing, standing
from app.store.later import later
from app.store.models import Attempt, CardRow, FindingRow

Asks = Mapping[int, Mapping[str, Collection[str]]]
"""By the card's row id and the tier: the ids of the key points that the tier asks for."""


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


class _Telling(NamedTuple):
    """Of a card, which attempts say where one stands on it: the last, and one a tier that holds."""

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


_COLUMNS = [getattr(Attempt, name) for name in _Line._fields]


def _at_card(*which: ColumnElement[bool]) -> Select[int]:
    """The learner's attempts of this sort at the card beside which they are asked for."""
    whose = Attempt.learner_id == bindparam("learner_id"), Attempt.card_id == CardRow.id
    return select(Attempt.id).where(*whose, Attempt.abandoned_at.is_(None), *which)


def _newest(*which: ColumnElement[bool]) -> ScalarSelect[Any]:
    newest_first = Attempt.started_at.desc(), Attempt.id.desc()
    return _at_card(*which).order_by(*newest_first).limit(1).scalar_subquery()


_HANDED_IN = Attempt.handed_in_at.is_not(None)
_SHOWN = Attempt.checked_at.is_not(None), Attempt.reviewed_at.is_not(None)
_OF_IT = FindingRow.attempt_id == Attempt.id
_AS_FOUND = FindingRow.dispute.is_(None)
_COUNTS = or_(  # as app/domain/practice.py has it
    FindingRow.dispute == Dispute.SAID,
    _AS_FOUND & (FindingRow.kind == Kind.KEY_POINT) & (FindingRow.state == State.COVERED),
    _AS_FOUND & (FindingRow.kind == Kind.PITFALL) & (FindingRow.state == State.FLAGGED),
)
_TRIPS = select(FindingRow.id).where(_OF_IT, FindingRow.kind == Kind.PITFALL, _COUNTS).exists()
_IS_ASKED = tuple_(Attempt.card_id, Attempt.tier, FindingRow.ref).in_(
    bindparam("asked", expanding=True)
)
_MORE_COVERED_THAN_NOT = (
    select(func.sum(case((_COUNTS, 1), else_=-1)))
    .where(_OF_IT, FindingRow.kind == Kind.KEY_POINT, _IS_ASKED)
    .correlate(Attempt)
    .scalar_subquery()
    > 0
)
_HOLDS = (
    _HANDED_IN,
    *_SHOWN,
    ~_TRIPS,
    _MORE_COVERED_THAN_NOT,
    func.coalesce(Attempt.clock_stopped_at, Attempt.handed_in_at)
    < later(Attempt.started_at, Attempt.target_seconds),
)
_TELLING = select(
    CardRow.id,
    _at_card(~_HANDED_IN).exists(),
    _newest(_HANDED_IN),
    *(_newest(Attempt.tier == tier, *_HOLDS) for tier in TIERS),
).where(CardRow.id.in_(bindparam("card_ids", expanding=True)))


def standings(session: Session, learner_id: int, asks: Asks) -> Mapping[int, Standing]:
    """The standing on each of these cards, by the card's row id."""
    asked = [(card, tier, ref) for card, of in asks.items() for tier in of for ref in of[tier]]
    given = {"learner_id": learner_id, "card_ids": list(asks), "asked": asked}
    telling = [_Telling(*row) for row in session.execute(_TELLING, given)]
    lines = _lines(session, [one for card in telling for one in card.ids])
    found = _found(session, [line.id for line in lines.values() if _is_shown(line)])
    return {
        card.card_id: standing(
            [_answered(lines[one], asks[card.card_id], found.get(one)) for one in card.ids],
            answering=card.answering,
        )
        for card in telling
    }


def since(session: Session, learner_id: int, moment: datetime) -> list[Answered]:
    """What the learner has handed in since `moment`, oldest first."""
    query = select(*_COLUMNS).where(
        Attempt.learner_id == learner_id, Attempt.handed_in_at >= moment
    )
    lines = [_Line(*row) for row in session.execute(query.order_by(Attempt.handed_in_at))]
    return [_answered(line, {}, None) for line in lines]


def _lines(session: Session, attempt_ids: Collection[int]) -> Mapping[int, _Line]:
    rows = session.execute(select(*_COLUMNS).where(Attempt.id.in_(attempt_ids)))
    return {line.id: line for line in (_Line(*row) for row in rows)}


def _is_shown(line: _Line) -> bool:
    """Whether its check has been shown: the own view comes first."""
    return line.checked_at is not None and line.reviewed_at is not None


def _found(session: Session, attempt_ids: Sequence[int]) -> Mapping[int, list[FindingRow]]:
    found: dict[int, list[FindingRow]] = {one: [] for one in attempt_ids}
    for row in session.scalars(select(FindingRow).where(FindingRow.attempt_id.in_(attempt_ids))):
        if counts(row.kind, row.state, row.dispute):
            found[row.attempt_id].append(row)
    return found


def _answered(
    line: _Line, asks: Mapping[str, Collection[str]], found: Sequence[FindingRow] | None
) -> Answered:
    """The answer of this line; `found` are the findings that count, None before they are shown."""
    asked = asks.get(line.tier, ())
    return Answered(
        line.id,
        line.tier,
        line.target_seconds,
        ((line.clock_stopped_at or line.handed_in_at) - line.started_at).total_seconds(),
        line.handed_in_at,
        None if found is None else sum(row.kind is Kind.PITFALL for row in found),
        sum(row.kind is Kind.KEY_POINT and row.ref in asked for row in found or ()),
        len(asked),
    )
