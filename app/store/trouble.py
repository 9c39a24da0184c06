"""What a database's own error means for the person who ran into it."""

import sqlite3

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

FULL = "The database's disk is full, so nothing was kept: make room on it, then try it again."
BUSY = "The database is busy, so nothing was kept: wait a few seconds, then try it again."
READ_ONLY = (
    "The database can't be written to, so nothing was kept: give its folder write permission again."
)
UNWRITABLE = (
    "The database's file takes no more, so nothing was kept: see that its disk is sound and has "
    "room, and that no quota or size limit holds it, then try it again."
)
UNREACHABLE = "The database can't be reached, so nothing was kept: try again in a minute."

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
    sqlite3.SQLITE_IOERR: UNREACHABLE,
    sqlite3.SQLITE_IOERR_WRITE: UNWRITABLE,  # also where a quota or a limit on files is reached
}

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_BY_SQLSTATE = {
    "53100": FULL,  # disk_full
    "53300": BUSY,  # too_many_connections
    "55P03": BUSY,  # lock_not_available
    "57014": BUSY,  # query_canceled: a time limit of the server's
    "40001": BUSY,  # serialization_failure
    "40P01": BUSY,  # deadlock_detected
    "25006": READ_ONLY,  # read_only_sql_transaction
    "57P01": UNREACHABLE,  # admin_shutdown
    "57P02": UNREACHABLE,  # crash_shutdown
    "57P03": UNREACHABLE,  # cannot_connect_now
}


def sentence(error: SQLAlchemyError) -> str | None:
    """What to tell when the database's state is the cause; None where a statement is at fault."""
    if isinstance(error, NoFreeConnection):
        return BUSY
    if not isinstance(error, DBAPIError):
        return None
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        primary = code & 0xFF  # the low byte
        return _BY_SQLITE_CODE.get(code, _BY_SQLITE_CODE.get(primary))
    if (state := getattr(error.orig, "sqlstate", None)) is not None:
        return _BY_SQLSTATE.get(state)
    return UNREACHABLE if _lost(error) else None


def _lost(error: DBAPIError) -> bool:
    """Whether the connection broke or was never made; no server said anything, so no code."""
    return error.connection_invalidated or type(error.orig).__name__ == "OperationalError"
