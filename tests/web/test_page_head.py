"""What stands at the head of every page."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.web.lab_runs import a_gpu


def test_the_head_of_a_page_tells_the_device(client: TestClient, database: Database, app: FastAPI):
    assert '<span class="device">no worker here</span>' in client.get("/").text
    a_gpu(database)
    app.state.device_line._until = 0.0  # four seconds later
    assert '<span class="device">Test device · idle</span>' in client.get("/runs").text
