"""The one clock of a site that has several hosts: the database's."""

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.store.types import UtcDateTime


def now(session: Session) -> datetime:
    """This moment, by the clock of the database's server; a SQLite file has this machine's."""
    if session.get_bind().dialect.name == "postgresql":
        return session.execute(select(func.clock_timestamp(type_=UtcDateTime))).scalar_one()
    return datetime.now(UTC)
