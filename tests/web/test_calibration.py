"""The page of one's guesses: empty, with numbers, with choices and matches, and nobody else's."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.calibration import Held
from app.store.engine import Database
from app.web.calibration import _picture
from tests.lab import test_width
from tests.runs.measured import a_measurement
from tests.runs.measured import keep as keep_run
from tests.web.lab_runs import keep, started
from tests.web.practising import another_browser
from tests.web.reading import plain


def guessed(client: TestClient, name: str, **fields: str) -> str:
    """Say what one expects of the recorded run; its address."""
    return started(client, name, where="recorded", **fields)


def test_with_no_guess_it_says_the_next_step(client: TestClient):
    page = client.get("/calibration").text
    assert "No guess of yours has been measured yet" in page
    assert 'href="/experiments"' in page
    assert "Set-Cookie" not in client.get("/calibration").headers


def test_a_guess_too_high_is_told_with_its_factor(client: TestClient, database: Database):
    keep(database, "width")
    guessed(client, "width", low="3.6")
    page = plain(client.get("/calibration").text)
    assert "inside your range 0 of 1 time." in page
    assert "usually" not in page  # one guess is no habit
    assert "3.6×" in page and "1.80×" in page and "▲ 2.00× too high" in page


def test_a_range_around_what_was_measured_is_inside(client: TestClient, database: Database):
    keep(database, "width")
    guessed(client, "width", low="1.5", high="2.16")
    page = plain(client.get("/calibration").text)
    assert "inside your range 1 of 1 time." in page
    assert "● as you said" in page


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (2.0, "You are usually too high, by a median of 2.00×."),
        (0.5, "You are usually too low, by a median of 2.00×."),
        (1.0, "Your guesses lean neither way: their median is 1.00× what was measured."),
    ],
)
def test_three_guesses_tell_which_way_one_leans(
    client: TestClient, database: Database, times: float, said: str
):
    keep(database, "width")
    keep(database, "share")
    keep_run(database, "rec", a_measurement())
    guessed(client, "width", low=str(1.8 * times))
    guessed(client, "share", low=str(19 * times))
    assert "usually" not in client.get("/calibration").text
    guessed(client, "chain", low=str(2.2 * times))
    assert said in plain(client.get("/calibration").text)


def test_two_guesses_make_a_picture_over_time(client: TestClient, database: Database):
    keep(database, "width")
    keep(database, "share")
    guessed(client, "width", low="0.9")
    assert "<svg" not in client.get("/calibration").text
    guessed(client, "share", low="38")
    page = client.get("/calibration").text
    assert "<svg" in page and "as measured" in page
    assert "▼ 2.00× too low" in page and "▲ 2.00× too high" in page


def test_a_guess_without_a_ratio_leaves_no_gap_in_the_picture():
    said = ((2.0, 1.0), (3.0, -0.1), (0.5, 1.0))
    picture = _picture([Held(low, low, *[measured] * 3) for low, measured in said])
    assert picture is not None
    places = [point.x for series in picture.series for point in series.points]
    assert sorted(places) == [1, 2]


def test_choices_and_matches_count_apart_from_numbers(client: TestClient, database: Database):
    keep(database, "size")
    keep(database, "broken")
    guessed(client, "size", choice="1GB")
    client.post("/runs/test-device-broken-recorded/matches", data={"A": "zeros", "B": "zeros"})
    page = plain(client.get("/calibration").text)
    assert "Of 2 questions without a number, 1 came out as you said." in page
    assert "2 of 7 matched" in page
    assert "inside your range" not in page


def test_just_show_me_is_no_guess(client: TestClient, database: Database):
    keep(database, "broken")
    client.post("/runs/test-device-broken-recorded/matches", data={"show": "1"})
    assert "No guess of yours" in client.get("/calibration").text


def test_a_guess_of_a_run_that_is_not_done_waits(client: TestClient):
    started(client, "width", where="gpu", low="2")
    assert "No guess of yours" in client.get("/calibration").text


def test_what_one_learner_guessed_is_not_anothers(
    app: FastAPI, client: TestClient, database: Database
):
    keep(database, "width", test_width.swept(120.0))
    guessed(client, "width", low="3")
    assert "No guess of yours" in another_browser(app, client).get("/calibration").text


def test_runs_and_history_lead_to_it(client: TestClient):
    for address in ("/runs", "/history", "/experiments"):
        assert 'href="/calibration"' in client.get(address).text
