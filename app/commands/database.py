"""The database that a command works on, brought up to date."""

from sqlalchemy.exc import SQLAlchemyError

from app.runs import queue
from app.settings import Settings
from app.store import migrate
from app.store.engine import Database, open_database
from app.trouble import Trouble


def migrated_database(settings: Settings) -> Database:
    """The database of these settings, at the newest migration."""
    database = open_database(settings.resolved_database_url)
    try:
        migrate.upgrade(database)
        queue.make_tables(settings.resolved_database_url)
    except SQLAlchemyError as fault:
        where = database.engine.url.render_as_string(hide_password=True)
        raise Trouble(f"the database {where} can't be brought up to date: {fault}") from fault
    return database
