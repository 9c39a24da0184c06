"""Runs by their pages: the form, the line, every state, the stream, with no JavaScript."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update
from starlette.testclient import TestClient

from app.domain.running import RunSource, RunState
from app.runs import states
from app.store.engine import Database
from app.store.models import Run, RunEvent, Worker
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, PARAMETERS, SEPARATE, SUMMARY
from tests.web.practising import another_browser

ON_GPU = {"preset": "whisper-large", "dtype": "bf16", "direction": "forward", "where": "gpu"}
BY_API = {"experiment": "chain", "parameters": {"preset": "hubert-base"}}
WHOLE = (DEVICE, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY)


@pytest.fixture
def gpu_worker(database: Database) -> None:
    """A living worker with a GPU, as the table of workers shows it."""
    now = datetime.now(UTC)
    with database.changing() as session:
        device = DEVICE | {"serves": ["gpu", "cpu"]}
        session.add(Worker("w", device, started_at=now, seen_at=now + timedelta(hours=1)))
        session.commit()


@pytest.fixture
def recording(database: Database) -> str:
    """A recorded run of the same choice."""
    keep(database, "test-device-whisper", WHOLE, source=RunSource.RECORDED, state=RunState.DONE)
    return "test-device-whisper"


def keep(database: Database, run_id: str, events: Any, **others: Any) -> None:
    now = datetime.now(UTC)
    values = {
        "experiment": "chain",
        "parameters": PARAMETERS | {"device": "gpu"},
        "source": RunSource.LIVE,
        "requested_at": now,
        "finished_at": now,
    }
    with database.changing() as session:
        session.add(Run(id=run_id, **values | others))
        session.flush()
        for seq, event in enumerate(events):
            session.add(RunEvent(run_id=run_id, seq=seq, at=now, body=event))
        session.commit()


def change(database: Database, **values: Any) -> None:
    with database.changing() as session:
        session.execute(update(Run).values(**values))
        session.commit()


def started(client: TestClient, **others: str) -> str:
    """Start a run; the address of its page."""
    answer = client.post("/experiments/chain/runs", data=ON_GPU | others, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def events_of(client: TestClient, address: str, **headers: str) -> list[dict[str, str]]:
    """The stream's events as a browser reads them, up to its end."""
    events = []
    text = client.get(f"{address}/events", headers=headers).text
    for block in text.split("\n\n"):
        event: dict[str, str] = {}
        for line in block.splitlines():
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        events.append(event)
    return [event for event in events if event and "" not in event]


def test_the_form_says_why_there_is_no_gpu_to_choose(client: TestClient):
    page = client.get("/experiments/chain").text
    assert "No worker is running yet" in page
    assert 'value="gpu" required  disabled' in page


def test_the_form_says_what_was_recorded_and_which_question_makes_the_claim(
    client: TestClient, recording: str
):
    page = client.get("/experiments/chain").text
    assert f"{DEVICE['name']}: Whisper large; bfloat16; forward." in page
    assert 'href="/questions/fused-normalization-chain"' in page


def test_the_page_in_view_is_marked_in_the_navigation(client: TestClient):
    assert 'href="/runs" aria-current="page"' in client.get("/runs").text
    assert "aria-current" not in client.get("/").text


def test_an_experiment_that_there_is_not_is_a_404(client: TestClient):
    assert client.get("/experiments/matmul").status_code == 404


def test_a_waiting_run_shows_its_place_and_what_was_expected(client: TestClient, gpu_worker: None):
    page = client.get(started(client, low="2,5×")).text
    assert "Next in line" in page
    assert "You said: 2.5×." in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_the_second_in_line_is_told_since_when_the_first_runs(
    client: TestClient, database: Database, gpu_worker: None
):
    first, second, third = started(client), started(client), None
    with database.changing() as session:
        run_id = first.rpartition("/")[2]
        assert states.take(session, run_id, "w", datetime.now(UTC), timedelta(minutes=5))
        session.commit()
    page = client.get(second).text
    assert "Next in line" in page
    assert "has been going since" in page
    assert third is None


def test_a_run_with_no_worker_at_hand_says_so(client: TestClient):
    assert "No worker for this is running" in client.get(started(client)).text


def test_a_run_that_waits_for_a_gpu_says_what_was_found_in_its_place(
    client: TestClient, database: Database
):
    said, now = "No GPU can be used here: the driver has none.", datetime.now(UTC)
    with database.changing() as session:
        device = {"serves": ["cpu"], "no_gpu": said}
        session.add(Worker("w", device, started_at=now, seen_at=now + timedelta(hours=1)))
        session.commit()
    page = client.get(started(client)).text
    assert "No worker for this is running" in page
    assert f"<p>{said}" in page


def test_a_run_that_waits_for_a_worker_offers_the_recorded_one(client: TestClient, recording: str):
    assert f'href="/runs/{recording}"' in client.get(started(client)).text


def test_a_full_line_answers_at_once_with_a_time_to_come_back(client: TestClient):
    started(client)
    started(client)
    answer = client.post("/experiments/chain/runs", data=ON_GPU | {"low": "2.5"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert "You have 2 runs under way" in answer.text
    assert "Come back at about" in answer.text
    assert 'value="2.5"' in answer.text


def test_two_learners_have_a_line_of_their_own_each(app: FastAPI, client: TestClient):
    started(client)
    started(client)
    other = another_browser(app, client)
    page = other.get(started(other)).text
    assert "3 in line" in page


def test_runs_switched_off_leave_the_rest_open(client: TestClient, app: FastAPI):
    app.state.settings = app.state.settings.model_copy(update={"runs_enabled": False})
    assert "switched off" in client.get("/experiments/chain").text
    answer = client.post("/experiments/chain/runs", data=ON_GPU)
    assert (answer.status_code, "switched off" in answer.text) == (503, True)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value"), [("preset", "x"), ("dtype", "int4"), ("where", "moon"), ("low", "??")]
)
def test_what_is_not_on_the_form_is_refused_in_a_sentence(
    client: TestClient, field: str, value: str
):
    answer = client.post("/experiments/chain/runs", data=ON_GPU | {field: value})
    assert answer.status_code == 422
    assert "Nothing was started" in answer.text
    assert client.get("/runs").text.count('class="line-title"') == 0


def test_a_done_run_begins_with_its_sentence_then_the_picture_then_the_method(
    client: TestClient, recording: str
):
    page = client.get(f"/runs/{recording}").text
    parts = ["One pass is 2.20× faster than the three", "<svg", "What moved", "How it was measured"]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert "Recorded on Test device" in page
    assert "7 B, 861 MB" in page
    assert "220.0\N{NO-BREAK SPACE}µs ÷ 100.0\N{NO-BREAK SPACE}µs" in page


def test_both_counts_stand_with_their_inputs_wherever_a_speedup_is_predicted(
    client: TestClient, recording: str
):
    result, listed = client.get(f"/runs/{recording}").text, client.get("/runs").text
    assert "tensors carried: separate ÷ one pass = 6 ÷ 2" in result
    assert "Bytes predict 2.33×." in result
    assert "7 ÷ 3 = 2.33× forward (6 ÷ 2 = 3.00× with the residual left out)" in listed


def test_one_can_say_what_one_expects_of_a_recorded_run_and_only_once(
    client: TestClient, recording: str
):
    assert started(client, where="recorded", low="3") == f"/runs/{recording}"
    started(client, where="recorded", low="2")
    assert "you said 3×" in client.get(f"/runs/{recording}").text


def test_what_one_learner_said_of_a_recorded_run_is_not_shown_to_another(
    app: FastAPI, client: TestClient, recording: str
):
    started(client, where="recorded", low="3")
    other = another_browser(app, client)
    assert "you said" not in other.get(f"/runs/{recording}").text


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
    keep(database, "bad", [DEVICE], state=state, trouble_kind=kind, trouble=words)
    page = client.get("/runs/bad").text
    assert heading in page
    assert (words or "You ended this run") in page
    assert "Run again" in page
    assert f'href="/runs/{recording}">See it recorded instead' in page


def test_a_suspect_result_is_marked_as_one(client: TestClient, database: Database):
    doubt = SUMMARY | {"suspect": ["fused reads as 140 % of the limit."]}
    keep(database, "odd", (*WHOLE[:-1], doubt), state=RunState.DONE)
    page = client.get("/runs/odd").text
    assert "Suspect." in page
    assert "140 % of the limit" in page


def test_within_noise_there_is_no_measurable_difference(client: TestClient, database: Database):
    even = (*WHOLE[:3], SEPARATE, SEPARATE | {"variant": "fused"}, SUMMARY)
    keep(database, "even", even, state=RunState.DONE)
    assert "No measurable difference between one pass" in client.get("/runs/even").text


def test_cancelling_is_for_the_one_who_started_it(app: FastAPI, client: TestClient):
    address = started(client)
    other = another_browser(app, client)
    assert other.post(f"{address}/cancellation").status_code == 404
    assert "Cancel this run" not in other.get(address).text
    page = client.post(f"{address}/cancellation").text
    assert "You ended this run" in page


def test_cancelling_what_has_ended_changes_nothing(client: TestClient, database: Database):
    address = started(client)
    change(database, state=RunState.DONE)
    client.post(f"{address}/cancellation")
    with database.reading() as session:
        assert session.scalar(select(Run.state)) is RunState.DONE


def test_the_stream_of_an_ended_run_shows_it_once_and_ends(client: TestClient, recording: str):
    shown, end = events_of(client, f"/runs/{recording}")
    assert "One pass is 2.20× faster" in shown["data"]
    assert end["event"] == "ended"


def test_the_stream_and_the_page_show_the_same(client: TestClient, recording: str):
    page = client.get(f"/runs/{recording}").text
    part = events_of(client, f"/runs/{recording}")[0]["data"]
    squeezed = " ".join(part.split())
    assert squeezed in " ".join(page.split())


def test_a_listener_who_comes_back_is_not_shown_the_same_again(client: TestClient, recording: str):
    version = events_of(client, f"/runs/{recording}")[0]["id"]
    again = events_of(client, f"/runs/{recording}", **{"Last-Event-ID": version})
    assert [event.get("event") for event in again] == ["ended"]


def test_a_run_that_there_is_not_has_no_page_and_no_stream(client: TestClient):
    assert client.get("/runs/nothing").status_code == 404
    assert client.get("/runs/nothing/events").status_code == 404


def test_a_run_left_by_a_dead_worker_is_ended_by_whoever_looks(
    client: TestClient, database: Database
):
    address = started(client)
    change(database, state=RunState.RUNNING, worker="gone", started_at=datetime.now(UTC))
    assert "Interrupted" in client.get(address).text


def test_the_list_shows_ones_own_runs_and_the_recorded_ones(
    app: FastAPI, client: TestClient, recording: str
):
    address = started(client)
    page = client.get("/runs").text
    assert f'href="{address}"' in page
    assert f'href="/runs/{recording}">2.20×' in page
    assert "7 ÷ 3 = 2.33× forward" in page
    other = another_browser(app, client)
    assert f'href="{address}"' not in other.get("/runs").text


def test_the_api_asks_shows_and_cancels(client: TestClient):
    asked = client.post("/api/v1/runs", json=BY_API | {"expectation": {"low": 2, "high": 2.5}})
    assert asked.status_code == 202
    run = client.get(asked.headers["location"]).json()
    assert (run["state"], run["place"]) == ("waiting", 1)
    assert run["expectation"] == {"low": 2, "high": 2.5, "choice": None}
    assert run["parameters"]["preset"] == "hubert-base"
    ended = client.post(f"{asked.headers['location']}/cancellation").json()
    assert ended["state"] == "cancelled"


def test_the_api_refuses_with_a_time_to_come_back(client: TestClient):
    for _ in range(2):
        client.post("/api/v1/runs", json=BY_API)
    refused = client.post("/api/v1/runs", json=BY_API)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert refused.headers["content-type"] == "application/problem+json"


def test_the_api_tells_what_was_found_and_every_line(client: TestClient, recording: str):
    run = client.get(f"/api/v1/runs/{recording}").json()
    assert run["outcome"]["measured"] == pytest.approx(2.2)
    assert run["outcome"]["outcome"] == "the claim holds here"
    assert run["events"] == list(WHOLE)
