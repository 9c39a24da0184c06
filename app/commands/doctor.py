"""`ridgepoint doctor`: what works here, what is missing, and how to get it."""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.commands.database import database_of, why
from app.domain.checking.weights import all_whole
from app.judging import controls
from app.judging.asking import replies_to
from app.judging.endpoint import endpoint_of
from app.judging.trouble import JudgeTrouble
from app.settings import Settings
from app.store import migrate
from app.store.migrate import Standing
from app.trouble import Trouble, in_one_sentence

Finding = tuple[bool, str]
DRIVER_SECONDS = 10


def doctor(_arguments: argparse.Namespace) -> int:
    """Print one line for each thing looked at; 1 where the site itself could not start."""
    settings = Settings()
    needed = [_python(), _database(settings), _disk(settings)]
    wished = [
        _checker(),
        _torch(),
        _gpu(),
        _program("chromium", "browser tests"),
        _program("psql", "PostgreSQL"),
        _judge(settings),
    ]
    for fine, text in [*needed, *wished]:
        print(f"{'✓' if fine else '–'} {text}")
    return 0 if all(fine for fine, _ in needed) else 1


def _python() -> Finding:
    return sys.version_info >= (3, 11), f"Python {sys.version.split()[0]} (3.11 or newer is needed)"


_STANDS = {
    Standing.CURRENT: "up to date",
    Standing.BEHIND: "will be migrated at the start",
    Standing.NEWER: "was used by a newer Ridgepoint than this one: update this copy",
}


def _database(settings: Settings) -> Finding:
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
    there = _nearest(file)
    if not there.is_dir():
        return False, f"database: {file} can't be made, since {there} is no folder"
    if not os.access(there, os.W_OK | os.X_OK):
        return False, f"database: {file} can't be made, since {there} can't be written to"
    return True, f"database: {file} will be made at the start"


def _nearest(path: Path) -> Path:
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


def _disk(settings: Settings) -> Finding:
    free_mb = shutil.disk_usage(_nearest(settings.data_dir)).free // 2**20
    return free_mb > 100, f"disk: {free_mb} MB free (100 MB is enough to practise)"


def _checker() -> Finding:
    try:
        all_whole()  # loading the networks too would cost a health check 80 MB a minute
    except Trouble as trouble:
        return False, f"checker: no answer can be checked; {trouble}"
    return True, "checker: its networks are whole"


def _torch() -> Finding:
    if find_spec("torch") is None:
        return False, "torch: not installed; recorded runs are shown, none can be started"
    return True, "torch: installed"


def _gpu() -> Finding:
    if shutil.which("nvidia-smi") is None:
        return False, "GPU: none found; runs use the CPU edition, and the recorded runs are shown"
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        asked = subprocess.run(
            query, capture_output=True, text=True, check=False, timeout=DRIVER_SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, f"GPU: its driver has not answered for {DRIVER_SECONDS} s"
    return asked.returncode == 0, f"GPU: {(asked.stdout or asked.stderr).strip()}"


def _program(name: str, what_for: str) -> Finding:
    path = shutil.which(name)
    return path is not None, f"{name}: {path or f'not found; only needed for {what_for}'}"


def _judge(settings: Settings) -> Finding:
    endpoint = endpoint_of(settings)
    if endpoint is None:
        return False, "judge: none is set, so answers are checked here alone (RIDGEPOINT_JUDGE_URL)"
    try:
        asyncio.run(replies_to(endpoint, [controls.absent("Fusing saves trips to memory.")]))
    except JudgeTrouble as trouble:
        return False, f"judge {endpoint.model}: {endpoint.place} {trouble}"
    return True, f"judge {endpoint.model} at {endpoint.place} answers as it should"
