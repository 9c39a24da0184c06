"""What can be run here and now, and why not what can't."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunDevice, RunSource
from app.domain.wording import brief
from app.runs import listing, workers
from app.settings import Settings
from app.store import clock
from app.store.models import Run, Worker
from kernels.lab.experiment import Experiment

RECORDED = "recorded"
NO_CPU = "No worker here can run it: PyTorch is not installed, or the worker is still starting."
NOBODY = "No worker is running: start one by `ridgepoint worker`, or wait until it has begun."


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

    experiment: Experiment
    places: tuple[Where, ...]
    switched_off: bool

    @property
    def best(self) -> Where | None:
        """The first place that is open."""
        return next((place for place in self.places if place.open), None)


def offer_of(session: Session, settings: Settings, experiment: Experiment) -> Offer:
    """What can be run at this moment, by the database's clock, as workers say that they live."""
    there = workers.alive(session, clock.now(session), settings.worker_lost_after)
    on_cpu = _cpu(there, settings, experiment)
    places = (_gpu(there, settings), _recorded(session, experiment), on_cpu)
    return Offer(experiment, places, not settings.runs_enabled)


def _gpu(there: Sequence[Worker], settings: Settings) -> Where:
    able = workers.able(there, RunDevice.GPU)
    names = sorted({str(worker.device.get("name", "a GPU")) for worker in able})
    note = ", ".join(names) if names else workers.said_of_no_gpu(there) or NOBODY
    is_open = bool(names) and settings.runs_enabled
    return Where(RunDevice.GPU, "Live, on the GPU here", note, is_open)


def _cpu(there: Sequence[Worker], settings: Settings, experiment: Experiment) -> Where:
    able = workers.able(there, RunDevice.CPU)
    is_open = bool(able) and settings.runs_enabled and not experiment.no_cpu
    note = experiment.no_cpu or (_edition(experiment) if able else NO_CPU if there else NOBODY)
    return Where(RunDevice.CPU, "Live, on the processor here", note, is_open)


def _edition(experiment: Experiment) -> str:
    fixed = experiment.on_cpu.items()
    words = [brief(experiment.parameters[name].choices[value]) for name, value in fixed]
    return f"A small edition{': ' if words else ''}{', '.join(words)}. Its page says what binds."


def _recorded(session: Session, experiment: Experiment) -> Where:
    kept = session.scalars(
        select(Run).where(listing.nobodys(RunSource.RECORDED), Run.experiment == experiment.name)
    ).all()
    names = sorted(set(listing.devices(session, [run.id for run in kept]).values()))
    which = [
        told
        for name in experiment.parameters
        if name not in listing.LOOSE and (told := _each(experiment, name, kept))
    ]
    note = ": ".join([", ".join(names), *(["; ".join(which)] if which else [])])
    said = f"{note}." if kept else "No run of it is recorded yet."
    return Where(RECORDED, "Recorded, on a named device", said, bool(kept))


def _each(experiment: Experiment, name: str, kept: Sequence[Run]) -> str:
    """Each choice that is kept, once: `bfloat16 and float32`; nothing where all are."""
    choices = experiment.parameters[name].choices
    there = [value for value in choices if any(run.parameters.get(name) == value for run in kept)]
    return "" if len(there) == len(choices) else " and ".join(brief(choices[v]) for v in there)
