"""The API tells how much a run's answer and each of its cases scatter."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.running import RunState
from app.store.engine import Database
from tests.runs.measured import a_measurement, keep


def test_the_answer_has_its_interval_and_the_spread_of_its_rounds(
    client: TestClient, database: Database
):
    keep(database, "rec", a_measurement())
    found = client.get("/api/v1/runs/rec").json()["outcome"]
    assert found["p10"] <= found["measured"] <= found["p90"]
    assert found["low"] <= found["measured"] <= found["high"]
    assert found["interval"] == "95 % of resamplings"
    assert found["predicted_by"] == "bytes"


def test_each_case_has_the_spread_of_its_samples(client: TestClient, database: Database):
    keep(database, "rec", a_measurement())
    separate, fused = client.get("/api/v1/runs/rec").json()["results"]
    assert (separate["variant"], fused["variant"]) == ("separate", "fused")
    assert fused["p10_us"] < fused["median_us"] == 100.0 < fused["p90_us"]
    assert (fused["n"], fused["at"]) == (30, {})


def test_a_run_under_way_tells_the_cases_timed_so_far(client: TestClient, database: Database):
    so_far = a_measurement()[:4]
    keep(database, "now", so_far, state=RunState.RUNNING, finished_at=None)
    run = client.get("/api/v1/runs/now").json()
    assert run["outcome"] is None
    assert [one["variant"] for one in run["results"]] == ["separate"]


def test_the_description_says_what_each_number_is(app: FastAPI):
    shapes = app.openapi()["components"]["schemas"]
    assert {"p10", "p90", "interval"} <= set(shapes["Found"]["required"])
    assert {"n", "median_us", "p10_us", "p90_us"} <= set(shapes["Timed"]["required"])
    assert "from round to round" in " ".join(shapes["Found"]["description"].split())
