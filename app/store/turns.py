"""Work that one process at a time may do: by advisory locks on PostgreSQL.

A session of SQLite that writes begins with BEGIN IMMEDIATE, and has its turn by that.
"""

from enum import IntEnum

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import Session


class Turn(IntEnum):
    """What is done in turn; the numbers are any, the same in every process."""

    LINE_OF_RUNS = 7_411_203
    MIGRATIONS = 7_411_204
    CONTENT = 7_411_205


def take(held: Session | Connection, turn: Turn) -> None:
    """Wait until no other transaction has this turn, and keep it until this one ends."""
    bind = held.get_bind() if isinstance(held, Session) else held
    if bind.dialect.name == "postgresql":
        held.execute(select(func.pg_advisory_xact_lock(int(turn))))
