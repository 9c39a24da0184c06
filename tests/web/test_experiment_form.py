"""The form of an experiment: its choices, its question, and what to do where it cannot run."""

import pytest
from starlette.testclient import TestClient

from app.store.engine import Database
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Kind
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
