"""Learners, by the key in their cookie."""

import secrets
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.store.models import Learner

_BY_KEY = select(Learner).where(Learner.key == bindparam("key"))  # made once: every page asks it


def by_key(session: Session, key: str | None) -> Learner | None:
    """The learner with this key, if there is one."""
    if key is None:
        return None
    return session.scalar(_BY_KEY, {"key": key})


def create(session: Session, now: datetime) -> Learner:
    """A new learner with an unguessable key; kept when the session commits."""
    learner = Learner(key=secrets.token_urlsafe(24), created_at=now)
    session.add(learner)
    session.flush()
    return learner
