"""What stands at the head of every page: where one is, and the device."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.store.engine import Database
from tests.web.lab_runs import a_gpu


def test_the_page_in_view_is_marked_in_the_navigation(client: TestClient):
    assert 'href="/runs" aria-current="page"' in client.get("/runs").text
    assert "aria-current" not in client.get("/").text


def test_the_head_of_a_page_tells_the_device(client: TestClient, database: Database, app: FastAPI):
    assert '<span class="device">no worker here</span>' in client.get("/").text
    a_gpu(database)
    app.state.device_line._until = 0.0  # four seconds later
    assert '<span class="device">Test device · idle</span>' in client.get("/runs").text
