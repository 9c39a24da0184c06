"""Runs that ended without a result: failed, interrupted, cancelled."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update
from starlette.testclient import TestClient

from app.domain.running import RunSource, RunState
from app.store.engine import Database
from app.store.models import Run
from tests.runs.benches import DEVICE
from tests.runs.measured import keep
from tests.web.chain_runs import started_chain
from tests.web.practising import another_browser


def change(database: Database, **values: Any) -> None:
    with database.changing() as session:
        session.execute(update(Run).values(**values))
        session.commit()


@pytest.mark.parametrize(
    ("state", "kind", "words", "heading"),
    [
        (RunState.FAILED, "no_gpu", "PyTorch found no CUDA device.", "No GPU was found"),
        (RunState.FAILED, "driver_too_old", "Update it.", "The GPU&#39;s driver is too old"),
        (RunState.FAILED, "out_of_memory", "Too large.", "The GPU ran out of memory"),
        (RunState.FAILED, "died", "It was killed by signal 9.", "This run failed"),
        (RunState.INTERRUPTED, "worker_lost", "The worker stopped.", "Interrupted"),
        (RunState.CANCELLED, None, None, "Cancelled"),
    ],
)
def test_each_bad_end_says_what_happened_and_offers_the_next_step(
    client: TestClient,
    database: Database,
    recording: str,
    state: RunState,
    kind: str | None,
    words: str | None,
    heading: str,
):
    ended = {"state": state, "trouble_kind": kind, "trouble": words}
    keep(database, "bad", [DEVICE], source=RunSource.LIVE, **ended)
    page = client.get("/runs/bad").text
    assert heading in page
    assert (words or "You ended this run") in page
    assert "Run again" in page
    assert f'href="/runs/{recording}">See it recorded instead' in page


def test_a_run_left_by_a_dead_worker_is_ended_by_whoever_looks(
    client: TestClient, database: Database
):
    address = started_chain(client)
    change(database, state=RunState.RUNNING, worker="gone", started_at=datetime.now(UTC))
    assert "Interrupted" in client.get(address).text


def test_cancelling_is_for_the_one_who_started_it(app: FastAPI, client: TestClient):
    address = started_chain(client)
    other = another_browser(app, client)
    assert other.post(f"{address}/cancellation").status_code == 404
    assert "Cancel this run" not in other.get(address).text
    page = client.post(f"{address}/cancellation").text
    assert "You ended this run" in page


def test_cancelling_what_has_ended_changes_nothing(client: TestClient, database: Database):
    address = started_chain(client)
    change(database, state=RunState.DONE)
    client.post(f"{address}/cancellation")
    with database.reading() as session:
        assert session.scalar(select(Run.state)) is RunState.DONE
