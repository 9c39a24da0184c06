"""Runs of the lab's experiments: started by their forms, or kept in the database."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.testclient import TestClient

from app.domain.running import RunSource, RunState
from app.store.engine import Database
from app.store.models import Run, RunEvent, Worker
from tests.lab.runs import events_of
from tests.runs.benches import DEVICE


def started(client: TestClient, name: str, **fields: str) -> str:
    """Start a run, or go to the recorded one; the address of its page."""
    answer = client.post(f"/experiments/{name}/runs", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


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
