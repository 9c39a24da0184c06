"""What the tests of the pages share beside the client."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.settings import Settings
from app.store.engine import Database
from tests.runs.measured import keep as keep_run
from tests.web import checked_answer
from tests.web.chain_runs import WHOLE
from tests.web.lab_runs import keep
from tests.web.practising import answered, find


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Settings by which a check ends in time on a busy machine too; slow ones are tried apart."""
    return settings.model_copy(update={"check_deadline": timedelta(seconds=30)})


@pytest.fixture
def patient(app: FastAPI) -> Iterator[TestClient]:
    """A client that sees the answer to an error instead of the error."""
    browser = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
    with browser as client:
        yield client


@pytest.fixture
def attempt_id(client: TestClient, database: Database) -> int:
    """An attempt at the basics with findings of each state, its check shown."""
    attempt_id = answered(client, checked_answer.ANSWER, "basics")
    find(database, attempt_id, checked_answer.FOUND)
    return attempt_id


@pytest.fixture
def recording(database: Database) -> str:
    """A recorded run of the chain; its id."""
    return keep_run(database, "test-device-whisper", WHOLE)


@pytest.fixture
def width_recorded(database: Database) -> None:
    """A recorded run of the experiment on a row's width."""
    keep(database, "width")
