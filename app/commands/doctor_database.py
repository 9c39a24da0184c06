"""What the doctor finds of the database: one that is there is asked, and none is made."""

import os
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.commands.database import database_of, why
from app.settings import Settings
from app.store import migrate
from app.store.migrate import Standing
from app.trouble import Trouble, in_one_sentence

Finding = tuple[bool, str]
"""Whether all is well, and what to say of it."""

_STANDS = {
    Standing.CURRENT: "up to date",
    Standing.BEHIND: "will be migrated at the start",
    Standing.NEWER: "was used by a newer Ridgepoint than this one: update this copy",
}


def database_found(settings: Settings) -> Finding:
    """How the settings' database stands; none is made by looking."""
    unmade = _file_to_be_made(settings.resolved_database_url)
    return _place(unmade) if unmade else _standing(settings)


def _file_to_be_made(url: str) -> Path | None:
    """The SQLite file that the first start makes; None where one is there, or none is used."""
    try:
        parsed = make_url(url)
    except (SQLAlchemyError, ValueError):  # whoever opens it says so
        return None
    file = Path(parsed.database or "")
    of_a_file = parsed.get_backend_name() == "sqlite" and "uri" not in parsed.query
    return file if of_a_file and not os.access(file, os.F_OK) else None


def _place(file: Path) -> Finding:
    """Whether that file can be made: to open it would make it, and its folder."""
    there = nearest(file)
    if not there.is_dir():
        return False, f"database: {file} can't be made, since {there} is no folder"
    if not os.access(there, os.W_OK | os.X_OK):
        return False, f"database: {file} can't be made, since {there} can't be written to"
    return True, f"database: {file} will be made at the start"


def nearest(path: Path) -> Path:
    """The path itself, or the nearest above it that is there for this user to see."""
    return next(one for one in [path, *path.absolute().parents] if os.access(one, os.F_OK))


def _standing(settings: Settings) -> Finding:
    try:
        database = database_of(settings)
    except (Trouble, OSError) as trouble:
        return False, f"database: {in_one_sentence(trouble)}"
    where = database.engine.url.render_as_string(hide_password=True)
    try:
        standing = migrate.standing(database)
    except SQLAlchemyError as fault:
        return False, f"database {where}: {why(fault)}"
    return standing is not Standing.NEWER, f"database {where}: {_STANDS[standing]}"
