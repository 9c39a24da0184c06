"""Runs of the lab's experiments as the database holds them, one for each kind of question."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.running import RunSource, RunState
from app.store.engine import Database
from app.store.models import Run, RunEvent, Worker
from kernels.lab import EXPERIMENTS
from tests.lab import test_broken, test_share, test_size, test_width
from tests.lab.evidence import device
from tests.runs.benches import CHECK, DEVICE, LIMIT

SUMMARY = {
    "event": "summary",
    "method": {"statistic": "median", "seed": 7},
    "notes": ["A note of this run."],
    "suspect": [],
    "state": {"before": {"sm_mhz": 1980}, "after": None},
}
MEASURED = {
    "width": test_width.swept(180.0),  # a factor
    "share": test_share.measured(810.0),  # per cent
    "size": test_size.swept(),  # a choice
    "broken": test_broken.measured(no_synchronize=(150.0, 30.0)),  # a match
}


def events_of(name: str, measured: Sequence[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Every line that a run of this experiment prints."""
    chosen = {key: one.default for key, one in EXPERIMENTS[name].parameters.items()}
    progress = {"event": "progress", "done": 0, "of": 1, "doing": "loading PyTorch"}
    said = measured if measured is not None else MEASURED[name]
    return [progress, device(name, **chosen), CHECK, LIMIT, *said, SUMMARY]


def keep(
    database: Database,
    name: str,
    measured: Sequence[dict[str, Any]] | None = None,
    *,
    source: RunSource = RunSource.RECORDED,
    **others: Any,
) -> str:
    """A run of this experiment that is done; its id."""
    now = datetime.now(UTC)
    events = events_of(name, measured)
    parameters = events[1]["parameters"] | {"device": "gpu"}
    run_id = f"test-device-{name}-{source}"
    run = Run(run_id, name, parameters, source, RunState.DONE, now, finished_at=now, **others)
    with database.changing() as session:
        session.add(run)
        session.flush()
        session.add_all(RunEvent(run.id, seq, now, dict(body)) for seq, body in enumerate(events))
        session.commit()
    return run.id


def a_gpu(database: Database) -> None:
    """A living worker with a GPU, as the table of workers shows it."""
    now = datetime.now(UTC)
    with database.changing() as session:
        facts = DEVICE | {"serves": ["gpu", "cpu"]}
        session.add(Worker("w", facts, started_at=now, seen_at=now + timedelta(hours=1)))
        session.commit()
