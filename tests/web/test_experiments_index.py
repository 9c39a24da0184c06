"""The list of experiments: every one with its claim, and what was found last."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import Database
from kernels.lab import EXPERIMENTS
from tests.lab import test_width
from tests.web.lab_runs import keep
from tests.web.practising import another_browser
from tests.web.reading import plain


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
