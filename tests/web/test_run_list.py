"""The list of runs: one's own and the recorded ones, each in words, with what was found."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.lab import test_roofline
from tests.web.chain_runs import started_chain
from tests.web.lab_runs import keep
from tests.web.practising import another_browser
from tests.web.reading import plain


def test_the_list_shows_ones_own_runs_and_the_recorded_ones(
    app: FastAPI, client: TestClient, recording: str
):
    address = started_chain(client)
    page = client.get("/runs?show=1").text
    assert f'href="{address}"' in page
    assert f'href="/runs/{recording}">2.20×' in page
    assert "7 ÷ 3 = 2.33× forward" in page
    assert "separate kernels, on a Test device, <time" in page
    other = another_browser(app, client)
    assert f'href="{address}"' not in other.get("/runs").text


def test_the_list_of_runs_begins_what_was_found_with_a_capital(
    client: TestClient, database: Database
):
    keep(database, "roofline", test_roofline.roofline())
    page = plain(client.get("/runs?show=1").text)
    assert "The fused chain does 2.0 FLOPs a byte" in page


def test_the_list_tells_each_run_in_words(client: TestClient, database: Database):
    keep(database, "width")
    page = plain(client.get("/runs?show=1").text)
    assert "How long a row one pass can hold: bfloat16, quick" in page
    assert "costs 1.80× as much" in page
