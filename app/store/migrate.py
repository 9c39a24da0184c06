"""Bring a database to the tables that this version of the program needs."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.settings import ROOT
from app.store.engine import Database


def upgrade(database: Database, revision: str = "head") -> None:
    """Apply every migration up to `revision`; a database already there is left as it is."""
    with database.writing.connect() as connection:
        if revision == "head" and _is_current(connection):
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


def is_current(database: Database) -> bool:
    """Whether the database has every migration that this version knows."""
    with database.engine.connect() as connection:
        return _is_current(connection)


def _is_current(connection: Connection) -> bool:
    heads = ScriptDirectory(str(ROOT / "migrations")).get_heads()
    return set(MigrationContext.configure(connection).get_current_heads()) == set(heads)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.attributes["connection"] = connection
    return config
