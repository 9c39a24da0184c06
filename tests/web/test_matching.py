"""A run whose measurements are to be told apart before the page names them."""

import re

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.web.lab_runs import keep
from tests.web.practising import another_browser


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
