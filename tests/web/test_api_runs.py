"""Runs by the API: asked for, refused, followed."""

import pytest
from starlette.testclient import TestClient

from kernels.lab import EXPERIMENTS
from tests.web.chain_runs import WHOLE

BY_API = {"experiment": "chain", "parameters": {"preset": "hubert-base"}}


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


def test_the_api_asks_shows_and_cancels(client: TestClient):
    asked = client.post("/api/v1/runs", json=BY_API | {"expectation": {"low": 2, "high": 2.5}})
    assert asked.status_code == 202
    run = client.get(asked.headers["location"]).json()
    assert (run["state"], run["place"]) == ("waiting", 1)
    assert run["expectation"] == {"low": 2, "high": 2.5, "choice": None}
    assert run["parameters"]["preset"] == "hubert-base"
    ended = client.post(f"{asked.headers['location']}/cancellation").json()
    assert ended["state"] == "cancelled"


def test_the_api_refuses_with_a_time_to_come_back(client: TestClient):
    for _ in range(2):
        client.post("/api/v1/runs", json=BY_API)
    refused = client.post("/api/v1/runs", json=BY_API)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert refused.headers["content-type"] == "application/problem+json"


def test_the_api_tells_what_was_found_and_every_line(client: TestClient, recording: str):
    run = client.get(f"/api/v1/runs/{recording}").json()
    assert run["outcome"]["measured"] == pytest.approx(2.2)
    assert run["outcome"]["outcome"] == "the claim holds here"
    assert run["events"] == WHOLE
