"""What a worker has at hand for each of its jobs, and how what comes of them is stored."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.runs.device import Device
from app.settings import Settings
from app.store.engine import Database

TRY_AGAIN_SECONDS = 0.25
DATABASE_AWAY_SECONDS = 30.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a worker has at hand for each of its jobs."""

    settings: Settings
    database: Database
    worker: str
    device: Device
    stopping: threading.Event = field(default_factory=threading.Event)


def stored(place: Workplace, change: Callable[[Session], T], *, at_last: bool = False) -> T:
    """Commit `change`, with patience for a database that is away for a moment.

    OperationalError after that; `at_last` goes on trying for as long as the worker is to work,
    since a run that was not taken, or not ended, would stay so until its time is up.
    """
    patience = time.monotonic() + DATABASE_AWAY_SECONDS
    while True:
        try:
            with place.database.changing() as session:
                result = change(session)
                session.commit()
                return result
        except OperationalError:
            waits_on = at_last and not place.stopping.is_set()
            if time.monotonic() > patience and not waits_on:
                raise
            time.sleep(TRY_AGAIN_SECONDS)
