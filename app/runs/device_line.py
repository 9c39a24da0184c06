"""The line in every page's head: which device is here, and whether it is at work.

Asked for by every page and worked out once in a few seconds, so that it costs a page nothing.
"""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunState
from app.runs import workers
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Run

FRESH_SECONDS = 4.0


@dataclass(slots=True)
class DeviceLine:
    """What is known of the devices here, no older than `FRESH_SECONDS`."""

    database: Database
    settings: Settings
    _words: str = ""
    _until: float = field(default=0.0)

    def words(self) -> str:
        """`NVIDIA H200 · idle`; empty where the database can't be asked, which pages outlive."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + FRESH_SECONDS  # first, so that one request asks for all
            self._words = self._looked()
        return self._words

    def _looked(self) -> str:
        try:
            with self.database.reading() as session:
                return device_words(session, self.settings, datetime.now(UTC))
        except SQLAlchemyError:
            return ""


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
