"""Bring a database to the tables that this version of the program needs."""

from enum import StrEnum

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.settings import ROOT
from app.store import turns
from app.store.engine import Database
from app.store.turns import Turn

NEWER = "the database was used by a newer Ridgepoint than this one: update this copy."


class Standing(StrEnum):
    """How a database's tables stand to those that this version of the program needs."""

    CURRENT = "current"
    BEHIND = "behind"
    NEWER = "newer"


class Newer(Exception):
    """The database has migrations that this version does not know; the text says what to do."""


def upgrade(database: Database, revision: str = "head") -> None:
    """Apply every migration up to `revision`; a database already there is left as it is.

    Processes that start at once take turns. Newer where nothing can be applied.
    """
    with database.writing.connect() as connection:
        turns.take(connection, Turn.MIGRATIONS)
        standing = _standing(connection)
        if standing is Standing.NEWER:
            raise Newer(NEWER)
        if revision == "head" and standing is Standing.CURRENT:
            return
        command.upgrade(_config(connection), revision)
        connection.commit()


def downgrade(database: Database, revision: str) -> None:
    """Undo migrations down to `revision` (`base` for all)."""
    with database.writing.connect() as connection:
        command.downgrade(_config(connection), revision)
        connection.commit()


def check(database: Database) -> None:
    """Raise alembic's CommandError where the models and the tables differ."""
    with database.writing.connect() as connection:
        command.check(_config(connection))


def standing(database: Database) -> Standing:
    """Whether the database has the migrations that this version knows, fewer, or others."""
    with database.engine.connect() as connection:
        return _standing(connection)


def _standing(connection: Connection) -> Standing:
    known = ScriptDirectory(str(ROOT / "migrations"))
    applied = set(MigrationContext.configure(connection).get_current_heads())
    if applied == set(known.get_heads()):
        return Standing.CURRENT
    ours = {script.revision for script in known.walk_revisions()}
    return Standing.BEHIND if applied <= ours else Standing.NEWER


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.attributes["connection"] = connection
    return config
