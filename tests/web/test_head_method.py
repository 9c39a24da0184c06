"""HEAD: answered as GET without the page, but for a stream."""

import pytest
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.web.lab_runs import keep


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
