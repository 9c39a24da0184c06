"""Attempts: begun or joined, and how to find them.

Every function here, in answers.py and in findings.py works in the caller's
session and leaves the commit to it.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload, selectinload

from app.store.cards import StoredCard
from app.store.models import Attempt

_WITH_FINDINGS = select(Attempt).options(joinedload(Attempt.findings))
_NEWEST = (
    select(Attempt.id)
    .where(
        Attempt.learner_id == bindparam("learner_id"),
        Attempt.card_id == bindparam("card_id"),
        Attempt.abandoned_at.is_(None),
    )
    .order_by(Attempt.started_at.desc(), Attempt.id.desc())
    .limit(1)
)
# Each visit of a learner to a card asks this: made once, it takes half the time.
_LATEST = _WITH_FINDINGS.where(Attempt.id == _NEWEST.scalar_subquery())


def begin(
    session: Session, learner_id: int, stored: StoredCard, tier_id: str, now: datetime
) -> Attempt:
    """Begin an attempt, or join the open one: a card has one open attempt for each learner.

    Raises KeyError when the card has no tier `tier_id`.
    """
    tier = stored.card.tier(tier_id)
    if (joined := _open(session, learner_id, stored.row_id)) is not None:
        return joined
    attempt = Attempt(
        learner_id=learner_id,
        card_id=stored.row_id,
        content_hash=stored.content_hash,
        tier=tier.id,
        target_seconds=tier.target_seconds,
        started_at=now,
    )
    try:
        with session.begin_nested():
            session.add(attempt)
    except IntegrityError:  # another request began it in this moment
        if (joined := _open(session, learner_id, stored.row_id)) is None:
            raise
        return joined
    return attempt


def latest(session: Session, learner_id: int, card_id: int) -> Attempt | None:
    """The learner's newest attempt at this card that was not given up, with its findings."""
    whose = {"learner_id": learner_id, "card_id": card_id}
    return session.scalars(_LATEST, whose).unique().one_or_none()


def own(
    session: Session, learner_id: int, attempt_id: int, *, lock: bool = False
) -> Attempt | None:
    """The attempt with this id, with its findings, if it is this learner's.

    `lock` keeps other requests from changing it until the session commits.
    """
    query = _WITH_FINDINGS.where(Attempt.id == attempt_id, Attempt.learner_id == learner_id)
    if lock:
        query = query.with_for_update(of=Attempt)
    return session.scalars(query).unique().one_or_none()


def held_again(session: Session, attempt: Attempt) -> None:
    """Load `attempt` and its findings as they are now, and keep other requests from changing it.

    For after a commit: until here others may have changed it.
    """
    session.refresh(attempt, with_for_update={"of": Attempt})
    session.refresh(attempt, ["findings"])


def history(
    session: Session, learner_id: int, *, before: int | None = None, limit: int = 50
) -> Sequence[Attempt]:
    """The learner's attempts, newest first, from before the id `before`.

    Each with its findings, which are asked for by themselves: beside each finding the
    database would send the attempt's texts once more.
    """
    query = select(Attempt.id).where(Attempt.learner_id == learner_id)
    if before is not None:
        query = query.where(Attempt.id < before)
    ids = query.order_by(Attempt.id.desc()).limit(limit)
    whole = select(Attempt).options(selectinload(Attempt.findings)).where(Attempt.id.in_(ids))
    return session.scalars(whole.order_by(Attempt.id.desc())).all()


def _open(session: Session, learner_id: int, card_id: int) -> Attempt | None:
    query = _WITH_FINDINGS.where(
        Attempt.learner_id == learner_id,
        Attempt.card_id == card_id,
        Attempt.handed_in_at.is_(None),
        Attempt.abandoned_at.is_(None),
    )
    return session.scalars(query).unique().one_or_none()
