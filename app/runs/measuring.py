"""The measuring of one run: the benchmark is started, and each of its lines checked and kept.

Nothing the benchmark prints is believed before it is checked, and nothing is
written to a run that is no longer this worker's.
"""

import time
from typing import Any

import structlog
from sqlalchemy.orm import Session

from app.runs import bench, states, troubles
from app.runs.choice import BadChoice, as_asked
from app.runs.transcript import BadLine, Transcript
from app.runs.troubles import Trouble
from app.runs.workplace import Workplace, stored
from app.store import clock
from app.store.models import Run

LOOK_SECONDS = 0.25
"""How often a running job looks whether it was cancelled; well within 2 s with the kill."""

log: Any = structlog.get_logger()


class Lost(Exception):
    """The run is no longer this worker's: cancelled, ended, or taken away."""


def measure(place: Workplace, run: Run) -> Trouble | None:
    """Start the benchmark and store its lines; None when they make a whole measurement.

    Lost once the run is somebody else's, or nobody's.
    """
    try:
        arguments = as_asked(run.experiment, run.parameters).arguments()
    except BadChoice as gone:
        return troubles.not_offered(str(gone))
    with bench.running(place.settings, arguments) as process:
        try:
            return _followed(place, run, process)
        except Lost:
            process.end()
            if place.device.is_gpu or not process.ended_in_order():
                place.device.doubt()
            raise


def _followed(place: Workplace, run: Run, process: bench.Process) -> Trouble | None:
    over = time.monotonic() + place.settings.run_deadline.total_seconds()
    transcript = Transcript(run.experiment)
    while time.monotonic() < over:
        line = process.output.next_line(LOOK_SECONDS)
        if line == b"":
            return _verdict(transcript, process)
        try:
            event = transcript.add(line) if line else None
        except BadLine as bad:
            return troubles.bad_output(str(bad))
        _keep(place, run.id, len(transcript) - 1, event)
        if place.stopping.is_set():
            return troubles.worker_stopped()
    return troubles.past_deadline(place.settings.run_deadline)


def _verdict(transcript: Transcript, process: bench.Process) -> Trouble | None:
    trouble = transcript.verdict(process.exit_code())
    if trouble is not None:
        log.warning("benchmark failed", trouble=trouble.kind, stderr=process.last_words())
    return trouble


def _keep(place: Workplace, run_id: str, seq: int, event: dict[str, Any] | None) -> None:
    """Store the event, if any, after seeing that the run is still ours; Lost if it isn't."""

    def keep(session: Session) -> None:
        if not states.is_owner(session, run_id, place.worker):
            raise Lost
        if event is not None:
            states.keep_event(session, run_id, seq, event, clock.now(session))

    stored(place, keep)
