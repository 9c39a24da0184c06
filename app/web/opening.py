"""Noting which parts of its ladder a learner has opened on a card."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from app.store import learners, reveals
from app.store.cards import StoredCard
from app.store.engine import Database
from app.store.models import Attempt, Learner, Reveal
from app.web.asked_card import card_at, current_attempt, parts_of

OPENING_MS = 1000
"""How long opening a rung waits for others to write: a class may open one at the same moment."""


def note(
    database: Database, key: str, slug: str, opened: list[str], *, again: bool, now: datetime
) -> None:
    """Note what a known learner opens, in a session of its own: the page itself only reads.

    What can't be noted in a second is told (503) and not shown: it has to be remembered.
    """
    with database.reading() as session:
        stored = card_at(session, slug)
        parts = parts_of(stored, opened)
        learner = learners.by_key(session, key)
        if learner is None:
            return
        attempt = current_attempt(session, learner.id, stored, again=again)
        if noted(session, learner, stored, attempt).keys() >= set(parts):
            return  # as on a reload: there is nothing to note
    with database.noting(OPENING_MS) as session:
        attempt = current_attempt(session, learner.id, stored, again=again)
        for part in parts:
            reveals.record(session, learner.id, stored.row_id, attempt, part, now)
        session.commit()


def noted(
    session: Session, learner: Learner | None, stored: StoredCard, attempt: Attempt | None
) -> Mapping[str, Reveal]:
    """The parts opened so far in this attempt, or without any, by their names."""
    if learner is None:
        return {}
    if attempt is not None:
        return reveals.in_attempt(session, attempt.id)
    return reveals.in_study(session, learner.id, stored.row_id)
