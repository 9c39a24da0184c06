"""The form of an experiment: its choices, its question, and what to do where it cannot run."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Kind
from tests.runs.benches import DEVICE
from tests.web.chain_runs import ON_GPU
from tests.web.lab_runs import a_gpu, started
from tests.web.reading import plain


def test_an_experiment_that_cannot_be_run_nor_seen_says_so_and_asks_nothing(client: TestClient):
    page = plain(client.get("/experiments/width").text)
    assert "No run of it is recorded yet." in page
    assert "a processor has none." in page
    assert "There is nothing to start here now" in page and "NVIDIA GPU can run it" in page
    assert "First say it" not in page and "<button class" not in page


def test_a_form_without_a_place_to_run_says_what_to_do(client: TestClient):
    answer = client.post("/experiments/width/runs", data={"mode": "quick"})
    assert answer.status_code == 422
    assert "Choose where it is to run" in plain(answer.text)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_form_offers_the_choices_and_asks_the_question_of_its_kind(
    client: TestClient, database: Database, name: str
):
    a_gpu(database)
    page, experiment = client.get(f"/experiments/{name}").text, EXPERIMENTS[name]
    for parameter, one in experiment.parameters.items():
        for value in one.choices:
            assert f'name="{parameter}" value="{value}"' in page
    ranges = experiment.question.kind in (Kind.FACTOR, Kind.PERCENT)
    assert ('name="low"' in page) == ranges == ('name="high"' in page)
    assert ('name="choice"' in page) == (experiment.question.kind is Kind.CHOICE)
    if experiment.no_cpu:
        assert experiment.no_cpu.replace("'", "&#39;") in page


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_can_be_started_with_its_defaults_and_waits_under_its_own_name(
    client: TestClient, database: Database, name: str
):
    a_gpu(database)
    page = client.get(started(client, name, where="gpu")).text
    assert "Next in line" in page
    assert EXPERIMENTS[name].title in plain(page).replace("&#39;", "'")


def test_no_form_claims_a_check_before_what_is_timed_cold(client: TestClient):
    page = client.get("/experiments/broken").text  # its first calls are timed before all else
    assert "checked against float64 before any of its times is told" in page


def test_the_form_says_why_there_is_no_gpu_to_choose(client: TestClient):
    page = client.get("/experiments/chain").text
    assert page.count("No worker is running: start one") == 2  # for the GPU and the processor
    assert 'value="gpu" required  disabled' in page


def test_the_form_says_what_was_recorded_and_which_question_makes_the_claim(
    client: TestClient, recording: str
):
    page = client.get("/experiments/chain").text
    assert f"{DEVICE['name']}: Whisper large; bfloat16; forward." in page
    assert 'href="/questions/fused-normalization-chain"' in page


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


def test_runs_switched_off_leave_the_rest_open(client: TestClient, app: FastAPI):
    app.state.settings = app.state.settings.model_copy(update={"runs_enabled": False})
    assert "switched off" in client.get("/experiments/chain").text
    answer = client.post("/experiments/chain/runs", data=ON_GPU)
    assert (answer.status_code, "switched off" in answer.text) == (503, True)
    assert client.get("/").status_code == 200


def test_an_experiment_that_there_is_not_is_a_404(client: TestClient):
    assert client.get("/experiments/matmul").status_code == 404


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("chain", "relu(x·w + b)·0.5 + r , in float32, forward, on one core"),
        ("size", "relu(x·w + b)·0.5 + r , in float32, on one core"),
        ("activation", "activation(x) + r , in float32, on one core"),
    ],
)
def test_what_a_processor_runs_is_said_before_the_guess(
    client: TestClient, database: Database, name: str, told: str
):
    a_gpu(database)
    before, _, _ = plain(client.get(f"/experiments/{name}").text).partition("First say it")
    assert f"another chain runs than on a GPU: {told}" in before


def test_where_a_processor_runs_nothing_there_is_nothing_to_say_of_it(
    client: TestClient, database: Database
):
    a_gpu(database)
    assert "another chain runs" not in client.get("/experiments/width").text
