"""Runs by the API: asked for, refused, followed."""

import pytest
from starlette.testclient import TestClient

from kernels.lab import EXPERIMENTS


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
