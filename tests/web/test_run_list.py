"""The list of runs: each in words, with what was found."""

from starlette.testclient import TestClient

from app.store.engine import Database
from tests.lab import test_roofline
from tests.web.lab_runs import keep
from tests.web.reading import plain


def test_the_list_of_runs_begins_what_was_found_with_a_capital(
    client: TestClient, database: Database
):
    keep(database, "roofline", test_roofline.roofline())
    page = plain(client.get("/runs").text)
    assert "The fused chain does 2.0 FLOPs a byte" in page


def test_the_list_tells_each_run_in_words(client: TestClient, database: Database):
    keep(database, "width")
    page = plain(client.get("/runs").text)
    assert "How long a row one pass can hold: bfloat16, quick" in page
    assert "costs 1.80× as much" in page
