"""A run that is done, of any experiment: what was concluded and the numbers behind it."""

import re

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from app.store.engine import Database
from app.store.models import Run
from kernels.lab import EXPERIMENTS
from tests.lab import test_width
from tests.lab.runs import MEASURED
from tests.web.lab_runs import keep
from tests.web.reading import plain


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


def test_words_in_a_table_of_numbers_are_set_apart_from_them(
    client: TestClient, database: Database
):
    page = client.get(f"/runs/{keep(database, 'width')}").text
    assert re.search(r'<th scope="col" class="wordy">Strategy</th>', page)
    assert '<td class="wordy">one program</td>' in page
    assert '<th scope="col">Median, µs</th>' in page


def test_the_slider_and_its_table_follow_from_the_chains_own_speed_up(
    client: TestClient, database: Database
):
    run_id = keep(database, "share")
    page = client.get(f"/runs/{run_id}").text
    assert re.search(r'data-amdahl="(2|1\.99)', page)
    assert "30 % 15.0 % 30 %" in plain(page)
    at, shorter = re.search(
        r"(\d+) % of the step: it gets ([\d.]+) % shorter", plain(page)
    ).groups()
    assert float(shorter) == pytest.approx(int(at) / 2, abs=0.11)  # as the slider says it at `at`


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
