"""Every experiment by one generic way: asked for, guessed, followed and shown."""

import re
from html import unescape

import pytest
from fastapi import FastAPI
from sqlalchemy import update
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from app.store.models import Run
from kernels.lab import EXPERIMENTS
from kernels.lab.experiment import Kind
from tests.lab import test_roofline, test_width
from tests.lab.runs import MEASURED
from tests.web.lab_runs import a_gpu, keep
from tests.web.practising import another_browser


def started(client: TestClient, name: str, **fields: str) -> str:
    """Start a run, or go to the recorded one; the address of its page."""
    answer = client.post(f"/experiments/{name}/runs", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def plain(html: str) -> str:
    """A page's text, its spaces squeezed."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_the_index_names_every_experiment_in_order_with_its_claim(client: TestClient):
    page = client.get("/experiments").text
    places = [page.index(f'href="/experiments/{name}"') for name in EXPERIMENTS]
    assert places == sorted(places)
    for experiment in EXPERIMENTS.values():
        assert experiment.claim.replace("'", "&#39;") in page
    assert "Not run yet" in page


def test_the_index_tells_ones_own_latest_result_before_the_recorded_one(
    app: FastAPI, client: TestClient, database: Database
):
    keep(database, "width")
    client.post("/questions/fused-normalization-chain/attempts", data={"tier": "basics"})
    keep(database, "width", test_width.swept(120.0), source=RunSource.LIVE, learner_id=1)
    mine = plain(client.get("/experiments").text)
    other = another_browser(app, client)
    other.get("/runs/test-device-width-recorded")
    theirs = plain(other.get("/experiments").text)
    assert "costs 1.20× as much" in mine and "costs 1.80× as much" not in mine
    assert "costs 1.80× as much" in theirs and "costs 1.20× as much" not in theirs


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


@pytest.mark.parametrize("name", MEASURED)
def test_a_done_run_of_any_experiment_shows_all_that_was_concluded(
    client: TestClient, database: Database, name: str
):
    run_id = keep(database, name)
    client.post(f"/runs/{run_id}/matches", data={"show": "1"})
    page = client.get(f"/runs/{run_id}").text
    parts = ['class="sentence"', "The claim:", "<svg", "Expected, counted, measured"]
    places = [page.index(part) for part in (*parts, "How it was measured", "Raw samples")]
    assert places == sorted(places)
    assert "A note of this run." in page
    assert f"<title>{EXPERIMENTS[name].title}: " in page.replace("&#39;", "'")
    assert "on a Test Device" in page


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


def test_no_form_claims_a_check_before_what_is_timed_cold(client: TestClient):
    page = client.get("/experiments/broken").text  # its first calls are timed before all else
    assert "checked against float64 before any of its times is told" in page


def test_words_in_a_table_of_numbers_are_set_apart_from_them(
    client: TestClient, database: Database
):
    page = client.get(f"/runs/{keep(database, 'width')}").text
    assert re.search(r'<th scope="col" class="wordy">Strategy</th>', page)
    assert '<td class="wordy">whole row in one program</td>' in page
    assert '<th scope="col">Median, µs</th>' in page


def test_the_list_of_runs_begins_what_was_found_with_a_capital(
    client: TestClient, database: Database
):
    keep(database, "roofline", test_roofline.roofline())
    page = plain(client.get("/runs").text)
    assert "The fused chain does 2.0 FLOPs a byte" in page


def test_the_slider_and_its_table_follow_from_the_chains_own_speed_up(
    client: TestClient, database: Database
):
    run_id = keep(database, "share")
    page = client.get(f"/runs/{run_id}").text
    assert re.search(r'data-amdahl="(2|1\.99)', page)
    assert "30 % 15.0 % 30 %" in plain(page)


def test_a_choice_stands_in_words_and_one_that_there_is_not_is_refused(
    client: TestClient, database: Database
):
    keep(database, "size")
    refused = client.post("/experiments/size/runs", data={"where": "recorded", "choice": "huge"})
    assert refused.status_code == 422
    page = client.get(started(client, "size", where="recorded", choice="never")).text
    assert "Found: 100 MB to 1 GB; you said nowhere up to 10 GB." in page
    assert re.search(r"Found in this run.*<dd>100 MB to 1 GB</dd>", page, re.DOTALL)


def test_a_run_that_asks_what_is_what_shows_nothing_of_it_before_the_answer(
    client: TestClient, database: Database
):
    run_id = keep(database, "broken")
    page = client.get(f"/runs/{run_id}").text
    assert "Just show me" in page
    assert "so 5.00×" in page and "One pass over the whole input moves" in page
    assert "1 of 7 mistakes" not in page and "Raw samples" not in page
    after = client.post(f"/runs/{run_id}/matches", data={"A": "zeros", "B": "zeros"}).text
    assert "1 of 7 mistakes" in after and "Which was which" in after
    assert after.count("✗ ") + after.count("✓ the same") == 2
    assert re.search("You named 2 of 7; (0 as they were|1 as it was)", after)


def test_the_first_match_stands_and_is_the_learners_own(
    app: FastAPI, client: TestClient, database: Database
):
    run_id = keep(database, "broken")
    client.post(f"/runs/{run_id}/matches", data={"show": "1"})
    again = client.post(f"/runs/{run_id}/matches", data={"A": "zeros"}).text
    assert "✗ " not in again and "✓ the same" not in again
    assert "Just show me" in another_browser(app, client).get(f"/runs/{run_id}").text


def test_a_match_that_the_page_does_not_offer_is_refused(client: TestClient, database: Database):
    run_id = keep(database, "broken")
    answer = client.post(f"/runs/{run_id}/matches", data={"A": "laziness"})
    assert answer.status_code == 422
    other = keep(database, "width")
    assert client.post(f"/runs/{other}/matches", data={"A": "zeros"}).status_code == 404


def test_samples_that_speak_against_the_claim_make_the_page_say_so(
    client: TestClient, database: Database
):
    run_id = keep(database, "width", test_width.swept(80.0))
    assert "The claim does not hold here." in client.get(f"/runs/{run_id}").text


def test_a_run_of_an_experiment_that_there_is_no_longer_still_has_a_page(
    client: TestClient, database: Database
):
    run_id = keep(database, "width")
    with database.changing() as session:
        session.execute(update(Run).values(experiment="gone"))
        session.commit()
    assert "It left no result that can be read." in client.get(f"/runs/{run_id}").text
    assert client.get("/runs").status_code == 200


def test_the_list_tells_each_run_in_words(client: TestClient, database: Database):
    keep(database, "width")
    page = plain(client.get("/runs").text)
    assert "How long a row one pass can hold: bfloat16, quick" in page
    assert "costs 1.80× as much" in page


def test_the_api_lists_the_experiments_and_runs_any_of_them(client: TestClient):
    listed = client.get("/api/v1/experiments").json()["experiments"]
    assert [one["name"] for one in listed] == list(EXPERIMENTS)
    for one in listed:
        chosen = {name: list(p["choices"])[-1] for name, p in one["parameters"].items()}
        answer = client.post("/api/v1/runs", json={"experiment": one["name"], "parameters": chosen})
        assert answer.status_code == 202
        run = answer.json()
        assert chosen.items() <= run["parameters"].items()
        client.post(f"/api/v1/runs/{run['id']}/cancellation")


@pytest.mark.parametrize(
    "wrong",
    [
        {"experiment": "astrology"},
        {"parameters": {"rows": "7"}},
        {"parameters": {"dtype": "int4"}},
        {"device": "cpu"},
        {"expectation": {"low": 0.0}},
    ],
)
def test_the_api_refuses_what_there_is_not_in_a_sentence(client: TestClient, wrong: dict):
    answer = client.post("/api/v1/runs", json={"experiment": "width"} | wrong)
    assert answer.status_code == 422
    assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/questions/fused-normalization-chain",
        "/experiments",
        "/experiments/width",
        "/runs",
        "/calibration",
        "/history",
        "/healthz",
    ],
)
def test_a_page_answers_head_as_it_answers_get(client: TestClient, address: str):
    head, get = client.head(address), client.get(address)
    assert head.status_code == get.status_code == 200
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.content == b""


def test_a_stream_answers_no_head_since_it_would_go_on(client: TestClient, database: Database):
    run_id = keep(database, "width")
    assert client.head(f"/runs/{run_id}").status_code == 200
    assert client.head(f"/runs/{run_id}/events").status_code == 405


def test_the_head_of_a_page_tells_the_device(client: TestClient, database: Database, app: FastAPI):
    assert '<span class="device">no worker here</span>' in client.get("/").text
    a_gpu(database)
    app.state.device_line._until = 0.0  # four seconds later
    assert '<span class="device">Test device · idle</span>' in client.get("/runs").text
