"""The database that a command works on, brought up to date."""

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.runs import queue
from app.settings import Settings
from app.store import migrate
from app.store.engine import Database, open_database
from app.trouble import Trouble

_FILE_HINT = "see that there is room, that it and its folder can be written to, and try again."
_SERVER_HINT = "see that its server runs and lets this user in, and try again."


def database_of(settings: Settings) -> Database:
    """The database of these settings, whether it answers or not; Trouble where they name none."""
    try:
        return open_database(settings.resolved_database_url)
    except (SQLAlchemyError, ValueError) as fault:
        raise Trouble("RIDGEPOINT_DATABASE_URL is no address of a database: mend it.") from fault


def migrated_database(settings: Settings) -> Database:
    """The database of these settings, at the newest migration; Trouble where that can't be."""
    database = database_of(settings)
    try:
        migrate.upgrade(database)
        queue.make_tables(settings.resolved_database_url)
    except migrate.Newer as newer:
        database.dispose()
        raise Trouble(str(newer)) from newer
    except SQLAlchemyError as fault:
        where = database.engine.url.render_as_string(hide_password=True)
        hint = _FILE_HINT if database.at_hand else _SERVER_HINT
        raise Trouble(
            f"the database {where} can't be brought up to date ({why(fault)}): {hint}"
        ) from fault
    return database


def why(fault: SQLAlchemyError) -> str:
    """The database's own words, on one line."""
    said = fault.orig if isinstance(fault, DBAPIError) else fault
    return " ".join(str(said).split())
