"""Runs that wait: their place in line, what they wait for, and what there is instead."""

from datetime import UTC, datetime, timedelta

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.runs import states
from app.store.engine import Database
from app.store.models import Worker
from tests.web.chain_runs import ON_GPU, started_chain
from tests.web.lab_runs import a_gpu
from tests.web.practising import another_browser


def test_a_waiting_run_shows_its_place_and_what_was_expected(
    client: TestClient, database: Database
):
    a_gpu(database)
    page = client.get(started_chain(client, low="2,5×")).text
    assert "Next in line" in page
    assert "You said: 2.5×." in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_the_second_in_line_is_told_since_when_the_first_runs(
    client: TestClient, database: Database
):
    a_gpu(database)
    first, second = started_chain(client), started_chain(client)
    with database.changing() as session:
        run_id = first.rpartition("/")[2]
        assert states.take(session, run_id, "w", datetime.now(UTC), timedelta(minutes=5))
        session.commit()
    page = client.get(second).text
    assert "Next in line" in page
    assert "has been going since" in page


def test_two_learners_have_a_line_of_their_own_each(app: FastAPI, client: TestClient):
    started_chain(client)
    started_chain(client)
    other = another_browser(app, client)
    page = other.get(started_chain(other)).text
    assert "3 in line" in page


def test_a_full_line_answers_at_once_with_a_time_to_come_back(client: TestClient):
    started_chain(client)
    started_chain(client)
    answer = client.post("/experiments/chain/runs", data=ON_GPU | {"low": "2.5"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert "You have 2 runs under way" in answer.text
    assert "Come back at about" in answer.text
    assert 'value="2.5"' in answer.text


def test_a_run_with_no_worker_at_hand_says_so(client: TestClient):
    assert "No worker for this is running" in client.get(started_chain(client)).text


def test_a_run_that_waits_for_a_gpu_says_what_was_found_in_its_place(
    client: TestClient, database: Database
):
    said, now = "No GPU can be used here: the driver has none.", datetime.now(UTC)
    with database.changing() as session:
        device = {"serves": ["cpu"], "no_gpu": said}
        session.add(Worker("w", device, started_at=now, seen_at=now + timedelta(hours=1)))
        session.commit()
    page = client.get(started_chain(client)).text
    assert "No worker for this is running" in page
    assert f"<p>{said}" in page


def test_a_run_that_waits_for_a_worker_offers_the_recorded_one(client: TestClient, recording: str):
    assert f'href="/runs/{recording}"' in client.get(started_chain(client)).text
