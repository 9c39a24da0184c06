"""What a newer SQLite knows and an older one has to be taught.

The job queue's tables stamp their rows with `unixepoch('subsec')`, which SQLite
has had since 3.42; before that it answers NULL and every insert fails.
"""

import sqlite3
import time

KNOWS_SUBSEC = (3, 42)


def teach_subsec(connection: sqlite3.Connection) -> None:
    """Let an older SQLite answer `unixepoch('subsec')`: seconds since 1970, with a fraction."""
    if sqlite3.sqlite_version_info < KNOWS_SUBSEC:
        connection.create_function("unixepoch", 1, _unixepoch)


def _unixepoch(when: str) -> float | None:
    return time.time() if when == "subsec" else None
