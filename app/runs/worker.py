"""`ridgepoint worker`: takes runs from the queue and runs them, one at a time, on its device.

torch and CUDA are never imported here: a fault on the device ends a process
that this one started, not this one.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FrameType
from typing import Any

import structlog

from app import logs
from app.runs import device, lifeline, locks, queue
from app.runs.job import work_off
from app.runs.presence import beat, present
from app.runs.workplace import Workplace
from app.settings import Settings
from app.store import migrate
from app.store.engine import Database, open_database
from app.trouble import Trouble

BEAT_SECONDS = 3.0
LAST_GRACE_SECONDS = 8.0

log: Any = structlog.get_logger()


def work(settings: Settings, *, embedded: bool = False) -> int:
    """Work until told to stop (SIGTERM, SIGINT, or the end of the process that embeds this one)."""
    logs.configure(settings)
    stopping = threading.Event()
    _stop_on_signals(stopping)
    if embedded:
        lifeline.when_cut(partial(_stop_without_parent, stopping))
    database = open_database(settings.resolved_database_url)
    _see_that_it_is_current(database)
    with ExitStack() as held:
        held.callback(database.dispose)
        name = held.enter_context(_name(settings))
        found = device.find(settings, stopping)
        if stopping.is_set():
            return 0
        place = Workplace(settings, database, name, found, stopping)
        held.enter_context(present(place))
        held.enter_context(_taking_jobs(place))
        log.info("worker ready", worker=name, device=found.name)
        while not stopping.wait(BEAT_SECONDS):
            beat(place)
    return 0


def _see_that_it_is_current(database: Database) -> None:
    standing = migrate.standing(database)
    if standing is migrate.Standing.NEWER:
        raise Trouble(migrate.NEWER)
    if standing is migrate.Standing.BEHIND:
        raise Trouble("the database is not up to date: run `ridgepoint migrate` first.")


def _stop_on_signals(stopping: threading.Event) -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)


def _stop_without_parent(stopping: threading.Event) -> None:
    """End in order; if that takes too long, end anyhow: nobody is left to do it."""
    stopping.set()
    threading.Event().wait(LAST_GRACE_SECONDS)
    os._exit(1)


@contextmanager
def _name(settings: Settings) -> Iterator[str]:
    """A name that no other living worker has and that the next start of this one has again."""
    if settings.worker_id:
        with locks.at_once(settings.lock_dir / f"worker-{settings.worker_id}.lock") as alone:
            if not alone:
                raise Trouble(
                    f"a worker named {settings.worker_id} runs on this machine already: "
                    "give this one another name by RIDGEPOINT_WORKER_ID."
                )
            yield settings.worker_id
        return
    with locks.free_name(settings.lock_dir, f"worker-{socket.gethostname()}") as name:
        yield name.removeprefix("worker-")


@contextmanager
def _taking_jobs(place: Workplace) -> Iterator[None]:
    devices = place.device.serves
    if not devices:
        log.warning("no benchmark can be run here", found=place.device.name)
        yield
        return
    url = place.settings.resolved_database_url
    queue.work(url, place.worker, devices, partial(work_off, place))
    yield
    queue.stop()
