"""A clock that the hosts of a site have in common: the database's."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.store.types import UtcDateTime


def now(session: Session) -> datetime:
    """This moment, by the clock of the database's server; a SQLite file has this machine's."""
    if session.get_bind().dialect.name == "postgresql":
        return session.execute(select(func.clock_timestamp(type_=UtcDateTime))).scalar_one()
    return datetime.now(UTC)


def uptime(session: Session) -> timedelta:
    """How long the database's server has been there; a SQLite file always was."""
    if session.get_bind().dialect.name == "postgresql":
        since = func.clock_timestamp() - func.pg_postmaster_start_time()
        return session.execute(select(since)).scalar_one()
    return timedelta.max
