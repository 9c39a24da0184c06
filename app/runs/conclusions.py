"""What the lab concludes of a run; worked out once, since a finished run never changes."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.running import RunState
from app.runs.sound import is_sound
from app.store.models import Run, RunEvent
from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Conclusion
from kernels.lab.evidence import Incomplete, evidence_of

Event = Mapping[str, Any]

UNFOUNDED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What reading events raises where they are not those that the experiment's program prints."""

Version = tuple[str, str | None, datetime | None]
"""A run, the hash of its file and its end: a recording that was read anew is concluded anew."""

_KEPT = 4096
"""The lists of 80 learners; about 8 kB each, 32 MB in all."""
_one_at_a_time = Lock()
_concluded: dict[Version, Conclusion | None] = {}
_TURNS = tuple(Lock() for _ in range(64))
"""A run is concluded by one of those who ask at once; two runs seldom share a lock."""


class NoConclusion(ValueError):
    """Why these events allow no conclusion; the text completes 'The benchmark's output …: '."""


def draw(experiment: str, events: Iterable[Event]) -> Conclusion:
    """What the experiment concludes of these events; NoConclusion where they allow none."""
    known = EXPERIMENTS.get(experiment)
    if known is None:
        raise NoConclusion(f"there is no experiment {experiment!r} here")
    try:
        conclusion = known.conclude(evidence_of(events))
    except Incomplete as lacking:
        raise NoConclusion(f"it lacks {lacking}") from None
    except UNFOUNDED as fault:
        told = f"{type(fault).__name__}: {fault}"
        raise NoConclusion(f"nothing can be concluded from it ({told[:200]})") from fault
    if not is_sound(conclusion):
        raise NoConclusion("what follows from it can't be shown: a number is none, or a word")
    return conclusion


def conclude(experiment: str, events: Iterable[Event]) -> Conclusion | None:
    """What the experiment concludes of these events; None where they allow no conclusion."""
    try:
        return draw(experiment, events)
    except NoConclusion:
        return None


def concluded(session: Session, run: Run) -> Conclusion | None:
    """What is concluded of a run that is done; None of any other. Its events are read once."""
    if run.state is not RunState.DONE:
        return None
    version = _version(run)
    with suppress(KeyError):
        return _concluded[version]
    with _TURNS[hash(version) % len(_TURNS)]:
        with suppress(KeyError):  # unless someone drew it meanwhile
            return _concluded[version]
        return _kept(version, conclude(run.experiment, events_of(session, run.id)))


def _kept(version: Version, found: Conclusion | None) -> Conclusion | None:
    with _one_at_a_time:
        _concluded[version] = found
        for oldest in list(_concluded)[:-_KEPT]:
            del _concluded[oldest]
    return found


def is_concluded(run: Run) -> bool:
    """Whether `concluded` has its answer at hand."""
    return run.state is not RunState.DONE or _version(run) in _concluded


def _version(run: Run) -> Version:
    return run.id, run.content_hash, run.finished_at


def events_of(session: Session, run_id: str) -> tuple[dict[str, Any], ...]:
    """What the run's benchmark printed, in order."""
    kept = select(RunEvent.body).where(RunEvent.run_id == run_id).order_by(RunEvent.seq)
    return tuple(session.scalars(kept))
