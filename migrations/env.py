"""Alembic's entry: the app's models against the database it was handed.

The database comes from `app.store.migrate`, which puts a connection into the
configuration, or, for the `alembic` command, from the app's own settings.
"""

from alembic import context
from sqlalchemy import Connection

from app.settings import Settings
from app.store.engine import open_database
from app.store.models import Base
from app.store.types import JsonType, UtcDateTime


def only_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Skip tables of others in the same database (the job queue keeps its own)."""
    return kind != "table" or name in Base.metadata.tables


def plain_types(kind: str, value: object, autogen_context: object) -> str | bool:
    """Write our column types into migrations as plain ones, so that old migrations stand alone."""
    if kind == "type" and isinstance(value, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and value is JsonType:
        autogen_context.imports.add("from sqlalchemy.dialects.postgresql import JSONB")
        return 'sa.JSON().with_variant(JSONB(), "postgresql")'
    return False


def run(connection: Connection) -> None:
    """Apply what was asked for, in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_name=only_ours,
        render_item=plain_types,
        render_as_batch=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    database = open_database(Settings().resolved_database_url)
    with database.writing.connect() as connection:
        run(connection)
        connection.commit()
