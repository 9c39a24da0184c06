"""Which parts of a card a learner has opened, in an attempt or only to study."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.store.models import Attempt, Reveal, is_open


def in_attempt(session: Session, attempt_id: int) -> Mapping[str, Reveal]:
    """What was opened in this attempt, by part, in the order of opening."""
    return _by_part(session, Reveal.attempt_id == attempt_id)


def in_study(session: Session, learner_id: int, card_id: int) -> Mapping[str, Reveal]:
    """What was opened outside any attempt, by part, in the order of opening."""
    return _by_part(
        session,
        Reveal.attempt_id.is_(None),
        Reveal.learner_id == learner_id,
        Reveal.card_id == card_id,
    )


def counted(session: Session, attempt_ids: Collection[int]) -> Mapping[int, list[str]]:
    """The parts opened in each of these attempts, in the order of opening."""
    parts: dict[int, list[str]] = {attempt_id: [] for attempt_id in attempt_ids}
    query = select(Reveal.attempt_id, Reveal.part).where(Reveal.attempt_id.in_(attempt_ids))
    for attempt_id, part in session.execute(query.order_by(Reveal.opened_at, Reveal.id)):
        if attempt_id is not None:
            parts[attempt_id].append(part)
    return parts


def record(
    session: Session,
    learner_id: int,
    card_id: int,
    attempt: Attempt | None,
    part: str,
    now: datetime,
) -> Reveal:
    """Note that `part` was opened; the first part opened stops the clock of an open attempt."""
    found = _opened(session, learner_id, card_id, attempt).get(part)
    reveal = found or _add(session, learner_id, card_id, attempt, part, now)
    if attempt is not None and is_open(attempt) and attempt.clock_stopped_at is None:
        attempt.clock_stopped_at = now
    return reveal


def _add(
    session: Session,
    learner_id: int,
    card_id: int,
    attempt: Attempt | None,
    part: str,
    now: datetime,
) -> Reveal:
    reveal = Reveal(learner_id, card_id, attempt.id if attempt else None, part, now)
    try:
        with session.begin_nested():
            session.add(reveal)
    except IntegrityError:  # a second tab opened it in this moment
        return _opened(session, learner_id, card_id, attempt)[part]
    return reveal


def _opened(
    session: Session, learner_id: int, card_id: int, attempt: Attempt | None
) -> Mapping[str, Reveal]:
    if attempt is not None:
        return in_attempt(session, attempt.id)
    return in_study(session, learner_id, card_id)


def _by_part(session: Session, *which: ColumnElement[bool]) -> Mapping[str, Reveal]:
    query = select(Reveal).where(*which).order_by(Reveal.opened_at, Reveal.id)
    return {reveal.part: reveal for reveal in session.scalars(query)}
