"""`ridgepoint serve`: the database, the cards, the server and its worker, in that order."""

import argparse
import socket
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from types import FrameType

import uvicorn
from fastapi import FastAPI

from app import logs
from app.commands.database import migrated_database
from app.commands.listening import allow_many_files, listen
from app.commands.ready import get_ready
from app.main import create_app
from app.runs.embedded import embedded_worker
from app.runs.recordings import import_recordings
from app.settings import Settings, faults
from app.store.card_faults import CardFileError
from app.store.cards import listed
from app.store.engine import Database
from app.store.importing import import_cards, read_folder
from app.trouble import Trouble

GRACE_SECONDS = 3  # an open event stream would keep a stopping server waiting for ever


def serve(arguments: argparse.Namespace) -> int:
    """Bring everything up to date, then serve until told to stop."""
    settings = _settings(arguments)
    logs.configure(settings)
    allow_many_files()
    listener = listen(settings.host, settings.port)  # first, so that a taken port is said at once
    database = migrated_database(settings)
    import_content(database, settings)
    with database.reading() as session:
        known = listed(session)
    database.dispose()
    app = create_app(settings)
    host, port = listener.getsockname()[:2]
    print(f"Ridgepoint is at http://{host}:{port}  (Ctrl+C stops it)", flush=True)
    with embedded_worker(settings) if settings.embedded_worker else nullcontext():
        _server(app, lambda: get_ready(app, known)).run(sockets=[listener])
    return 0


def migrate(_arguments: argparse.Namespace) -> int:
    """Apply the migrations and import the content, then end: for a server's start-up step."""
    settings = Settings()
    database = migrated_database(settings)
    import_content(database, settings)
    print("The database is up to date.")
    return 0


def import_content(database: Database, settings: Settings) -> None:
    """Put the cards and the recorded runs of `content_dir` into the database."""
    try:
        cards = read_folder(settings.content_dir)
    except CardFileError as fault:
        raise Trouble(f"the cards can't be imported:\n{fault}") from fault
    now = datetime.now(UTC)
    with database.changing() as session:
        import_cards(session, cards, now)
        import_recordings(session, settings.content_dir / "recordings", now)
        session.commit()


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings with the options that were given; Trouble names an option that doesn't fit."""
    options = {"host": arguments.host, "port": arguments.port}
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return Settings(**given)
    except ValueError as fault:
        told = faults(fault)
        if told is None or not given:
            raise
        for name in given:
            told = told.replace(f"RIDGEPOINT_{name.upper()}", f"--{name}")
        raise Trouble(f"the settings don't fit: {told}.") from fault


class _Server(uvicorn.Server):
    """Says when it answers; ends the event streams as soon as it is told to stop.

    Those who listen to one come back.
    """

    def __init__(self, app: FastAPI, config: uvicorn.Config, when_up: Callable[[], None]) -> None:
        super().__init__(config)
        self.app = app
        self.when_up = when_up

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.when_up()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.app.state.following.close()
        super().handle_exit(sig, frame)


def _server(app: FastAPI, when_up: Callable[[], None]) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    return _Server(app, config, when_up)
