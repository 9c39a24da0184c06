"""One run as it stands, read whole: what its page shows, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.domain.guess import Guess
from app.domain.running import RunDevice, RunState
from app.runs import listing, waiting, workers
from app.runs.conclusions import concluded, events_of
from app.runs.guesses import guesses_of
from app.runs.reaper import reap
from app.runs.waiting import Place
from app.settings import Settings
from app.store import clock, trouble
from app.store.engine import Database
from app.store.models import Run, RunEvent
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Evidence, evidence_of

log: Any = structlog.get_logger()
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunView:
    """A run at one version: two views of the same version show the same."""

    version: str
    run: Run
    events: tuple[Event, ...]
    place: Place | None
    worker_at_hand: bool
    guesses: Mapping[int, Guess]
    recorded: Run | None
    conclusion: Conclusion | None
    """What was concluded of it, once it is done."""
    found: str | None
    """What the workers that are there found instead of the device it waits for."""

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.run.state.final

    @property
    def progress(self) -> Event | None:
        """The latest progress line, if any."""
        return next((e for e in reversed(self.events) if e["event"] == "progress"), None)

    @property
    def device(self) -> Event | None:
        """What the benchmark said about its device, if it has."""
        return next((e for e in self.events if e["event"] == "device"), None)

    @property
    def evidence(self) -> Evidence | None:
        """What was measured, of a run of which something was concluded."""
        return evidence_of(self.events) if self.conclusion else None


def looker(database: Database, settings: Settings) -> Callable[[str, str | None], RunView | None]:
    """A function that reads runs, after ending those that nobody else will end.

    Where none can be ended, as on a full disk, a run is shown as it stands all the same.
    """

    def look_now(run_id: str, known: str | None) -> RunView | None:
        with database.reading() as session:
            now = clock.now(session)
        try:
            reap(database, settings, now)
        except SQLAlchemyError as error:
            if (why := trouble.sentence(error)) is None:
                raise
            log.warning("no run could be ended", why=why)
        with database.reading() as session:
            return look(session, run_id, known, now, settings.worker_lost_after)

    return look_now


def look(
    session: Session, run_id: str, known: str | None, now: datetime, lost_after: timedelta
) -> RunView | None:
    """The run, or None if it is at the version known already or is not there."""
    run = session.get(Run, run_id)
    if run is None:
        return None
    waits = run.state is RunState.WAITING
    place = waiting.place_of(session, run) if waits else None
    alive = workers.alive(session, now, lost_after) if waits else []
    at_hand = not waits or bool(workers.able(alive, RunDevice(run.parameters["device"])))
    version = _version(session, run, place, at_hand)
    if version == known:
        return None
    return RunView(
        version,
        run,
        events_of(session, run_id),
        place,
        at_hand,
        guesses_of(session, run_id),
        listing.recorded_like(session, run.experiment, run.parameters, but_not=run.id),
        concluded(session, run),
        None if at_hand else workers.said_of_no_gpu(alive),
    )


def _version(session: Session, run: Run, place: Place | None, at_hand: bool) -> str:
    kept = session.scalar(select(func.count()).where(RunEvent.run_id == run.id))
    since = place.since.timestamp() if place and place.since else 0
    return f"{run.state}.{kept}.{place.number if place else 0}.{since:.0f}.{int(at_hand)}"
