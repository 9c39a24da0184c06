"""Whether a process says that it can serve only when it can."""

import pytest
from fastapi import FastAPI
from sqlalchemy import text
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.store import migrate

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_all_is_well_when_the_database_answers_and_is_migrated(client: TestClient) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "database": "reachable",
        "migrations": "current",
        "detail": "All is well.",
    }


def test_a_database_that_lacks_migrations_is_failing(app: FastAPI, client: TestClient) -> None:
    migrate.downgrade(app.state.database, "base")

    answer = client.get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["migrations"] == "behind"
    assert "ridgepoint migrate" in answer.json()["detail"]


def test_a_database_of_a_newer_version_is_failing(app: FastAPI, client: TestClient) -> None:
    with app.state.database.writing.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))

    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()["migrations"]) == (503, "newer")
    assert "update this copy" in answer.json()["detail"]


@on_sqlite
def test_a_database_that_is_gone_is_failing_and_figures_still_come(settings: Settings) -> None:
    gone = "postgresql+psycopg://nobody@127.0.0.1:9/none?connect_timeout=1"
    app = create_app(settings.model_copy(update={"database_url": gone}))

    with TestClient(app, base_url="http://localhost") as client:
        health = client.get("/healthz")
        figures = client.get("/metrics")

    assert health.status_code == 503
    assert health.json()["database"] == "unreachable"
    assert "ridgepoint_database_up 0.0" in figures.text
    assert 'route="/healthz",status="503"} 1.0' in figures.text
