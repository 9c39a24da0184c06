"""What can be run here and now, and why not what can't."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunSource
from app.runs import workers
from app.settings import Settings
from app.store.models import Run, RunEvent, Worker
from kernels.bench.protocol import DIRECTIONS, DTYPES

RECORDED = "recorded"
UNKNOWN = "No worker is running yet, so it is not known which devices there are."


@dataclass(frozen=True, slots=True)
class Where:
    """One place where a run can come from."""

    value: str
    title: str
    note: str
    open: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """The places there are, the best first, and what the workers said of their devices."""

    experiment: str
    places: tuple[Where, ...]
    switched_off: bool

    @property
    def best(self) -> Where | None:
        """The first place that is open."""
        return next((place for place in self.places if place.open), None)


def offer_of(session: Session, settings: Settings, experiment: str, now: datetime) -> Offer:
    """What can be run at this moment."""
    there = workers.alive(session, now, settings.worker_lost_after)
    places = (_gpu(there, settings), _recorded(session), _cpu(there, settings))
    return Offer(experiment, places, not settings.runs_enabled)


def _gpu(there: Sequence[Worker], settings: Settings) -> Where:
    able = workers.able(there, RunDevice.GPU)
    names = sorted({str(worker.device.get("name", "a GPU")) for worker in able})
    note = ", ".join(names) if names else workers.said_of_no_gpu(there) or UNKNOWN
    is_open = bool(names) and settings.runs_enabled
    return Where(RunDevice.GPU, "Live, on the GPU here", note, is_open)


def _cpu(there: Sequence[Worker], settings: Settings) -> Where:
    able = workers.able(there, RunDevice.CPU)
    note = (
        "A small edition: float32, forward, one core, with a chain of its own; it says what binds."
        if able
        else "No worker here can run it: PyTorch is not installed, or the worker is still starting."
    )
    is_open = bool(able) and settings.runs_enabled
    return Where(RunDevice.CPU, "Live, on the processor here", note, is_open)


def _recorded(session: Session) -> Where:
    first_lines = (
        select(RunEvent.body, Run.parameters)
        .join(Run, Run.id == RunEvent.run_id)
        .where(Run.source == RunSource.RECORDED, RunEvent.seq == 0)
    )
    kept = session.execute(first_lines).all()
    names = sorted({str(line["name"]) for line, _ in kept})
    asked = [parameters for _, parameters in kept]
    what = (
        _each(DTYPES, [parameters["dtype"] for parameters in asked]),
        _each(DIRECTIONS, [parameters["direction"] for parameters in asked]),
    )
    note = f"{', '.join(names)}: {', '.join(what)}." if names else "None is kept here."
    return Where(RECORDED, "Recorded, on a named device", note, bool(names))


def _each(order: Sequence[str], kept: Sequence[str]) -> str:
    """Each that is kept, once: `bf16 and fp32`."""
    return " and ".join(one for one in order if one in kept)
