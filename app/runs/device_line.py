"""The line in every page's head: which device is here, and whether it is at work.

Asked for by every page and worked out once in a few seconds, so that it costs a page nothing.
"""

import asyncio
import threading
import time
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunState
from app.runs import workers
from app.settings import Settings
from app.store import clock
from app.store.engine import Database
from app.store.models import Run

FRESH_SECONDS = 4.0
CLOSE_SECONDS = 5.0


@dataclass(slots=True)
class DeviceLine:
    """What is known of the devices here, no older than `FRESH_SECONDS`."""

    database: Database
    settings: Settings
    _words: str = ""
    _until: float = 0.0
    _looking: threading.Thread | None = None

    def words(self) -> str:
        """`NVIDIA H200 · idle`; empty where the database can't be asked, which pages outlive.

        An event loop waits for nobody: it is told what was known before.
        """
        now = time.monotonic()
        if now >= self._until:
            self._until = now + FRESH_SECONDS  # first, so that one request asks for all
            if _in_an_event_loop():
                self._looking = threading.Thread(target=self._look, daemon=True)
                self._looking.start()
            else:
                self._look()
        return self._words

    def close(self) -> None:
        """Let a look that is under way end, before its database is closed."""
        if self._looking is not None:
            self._looking.join(CLOSE_SECONDS)

    def _look(self) -> None:
        try:
            with self.database.reading() as session:
                self._words = device_words(session, self.settings, clock.now(session))
        except SQLAlchemyError:
            self._words = ""


def _in_an_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def device_words(session: Session, settings: Settings, now: datetime) -> str:
    """Which GPUs the workers have, and whether a run is on one."""
    there = workers.alive(session, now, settings.worker_lost_after)
    able = workers.able(there, RunDevice.GPU)
    if not able:
        return "no GPU here" if there else "no worker here"
    names = sorted({str(worker.device.get("name", "a GPU")) for worker in able})
    on_gpu = Run.parameters["device"].as_string() == RunDevice.GPU
    going = select(func.count()).select_from(Run).where(Run.state == RunState.RUNNING, on_gpu)
    state = "at work" if session.scalar(going) else "idle"
    return f"{', '.join(names)} · {state}"
