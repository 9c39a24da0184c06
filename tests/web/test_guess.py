"""What one expects of a run: read as people type it, and shown beside what was measured."""

import re

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.lab import test_roofline
from tests.web.chain_runs import started_chain
from tests.web.lab_runs import keep, started
from tests.web.practising import another_browser
from tests.web.reading import plain


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        ("1,5×", "2", "You said 1.5 to 2×."),
        ("2", "1.5", "You said 1.5 to 2×."),
        ("", " 1.7 x ", "You said 1.7×."),
        ("1.7", "1.7", "You said 1.7×."),
    ],
)
def test_a_range_is_read_as_people_type_it(
    client: TestClient, database: Database, low: str, high: str, told: str
):
    run_id = keep(database, "width")
    assert started(client, "width", where="recorded", low=low, high=high) == f"/runs/{run_id}"
    assert told in client.get(f"/runs/{run_id}").text


@pytest.mark.parametrize("low", ["fast", "1e9", "nan", "0", "1 2", "2.3.4", "²"])
def test_what_is_no_number_is_refused_and_still_stands_in_the_form(
    client: TestClient, database: Database, low: str
):
    keep(database, "width")
    answer = client.post("/experiments/width/runs", data={"where": "recorded", "low": low})
    assert answer.status_code == 422
    assert "Nothing was started" in answer.text
    assert f'value="{low}"' in answer.text


def test_a_guess_in_per_cent_stands_beside_amdahls(client: TestClient, database: Database):
    keep(database, "share")
    page = client.get(started(client, "share", where="recorded", low="10 %", high="−5")).text
    assert "Amdahl's rule predicts 20.0 %; you said −5 to 10 %." in plain(page)


def test_an_option_that_was_said_stands_within_the_sentence(client: TestClient, database: Database):
    keep(database, "roofline", test_roofline.roofline())
    page = client.get(started(client, "roofline", where="recorded", choice="matrix")).text
    assert "Found: memory bandwidth; you said matrix units." in plain(page)


def test_a_choice_stands_in_words_and_one_that_there_is_not_is_refused(
    client: TestClient, database: Database
):
    keep(database, "size")
    refused = client.post("/experiments/size/runs", data={"where": "recorded", "choice": "huge"})
    assert refused.status_code == 422
    page = client.get(started(client, "size", where="recorded", choice="never")).text
    assert "Found: 100 MB to 1 GB; you said nowhere up to 10 GB." in page
    assert re.search(r"Found in this run.*<dd>100 MB to 1 GB</dd>", page, re.DOTALL)


def test_one_can_say_what_one_expects_of_a_recorded_run_and_only_once(
    client: TestClient, recording: str
):
    assert started_chain(client, where="recorded", low="3") == f"/runs/{recording}"
    started_chain(client, where="recorded", low="2")
    assert "you said 3×" in client.get(f"/runs/{recording}").text


def test_what_one_learner_said_of_a_recorded_run_is_not_shown_to_another(
    app: FastAPI, client: TestClient, recording: str
):
    started_chain(client, where="recorded", low="3")
    other = another_browser(app, client)
    assert "you said" not in other.get(f"/runs/{recording}").text
