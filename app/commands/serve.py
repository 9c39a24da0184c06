"""`ridgepoint serve`: the database, the cards, the server and its worker, in that order."""

import argparse
import errno
import resource
import socket
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from types import FrameType

import uvicorn
from fastapi import FastAPI

from app import logs
from app.commands.database import migrated_database
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

MOST_FILES = 65_536
GRACE_SECONDS = 3  # an open event stream would keep a stopping server waiting for ever


def serve(arguments: argparse.Namespace) -> int:
    """Bring everything up to date, then serve until told to stop."""
    settings = _settings(arguments)
    logs.configure(settings)
    _allow_many_files()
    listener = _listen(settings.host, settings.port)
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


def _allow_many_files() -> None:
    """Take all the open files that the system grants: each event stream holds one for long.

    Where they run out, asyncio tries 2048 times a second to accept, and logs each.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; taken before anything else, so that a taken port is said at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where a socket names its protocol; with it
    # on, an answer's second packet waits up to 40 ms for the browser's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)  # from here on who follows the printed address waits, not fails
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            raise Trouble(
                f"port {port} is taken: stop what uses it, or choose another with "
                f"`make serve PORT={port + 1}`."
            ) from fault
        raise Trouble(f"can't listen on {host}:{port}: {fault.strerror}.") from fault
    return listener


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
