"""A database that is full, busy or gone is said in a sentence, and nothing is kept half."""

import pytest
from fastapi import FastAPI
from sqlalchemy import text
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.store import engine, trouble
from app.store.engine import Database

ATTEMPTS = "/api/v1/attempts"
BEGIN = {"slug": "fused-normalization-chain", "tier": "basics"}


on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


on_postgres = pytest.mark.parametrize(
    "database_url", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True
)


def fill(app: FastAPI) -> None:
    """Let the app's SQLite file grow no further."""
    pages = "PRAGMA page_count"

    def forbid_growth(connection, _record) -> None:
        count = connection.execute(pages).fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {count}")

    used = app.state.database.engine
    used.dispose()
    engine.event.listen(used, "connect", forbid_growth)


@on_sqlite
def test_a_full_disk_is_said_and_nothing_is_kept_half(
    app: FastAPI, database: Database, patient: TestClient
) -> None:
    fill(app)
    long = BEGIN | {"answer": "The same arithmetic. " * 900}
    answer = patient.post(ATTEMPTS, json=long)

    assert answer.status_code == 503
    assert answer.json()["detail"] == trouble.FULL
    assert answer.headers["Retry-After"]
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM attempt")) == 0
        assert session.scalar(text("SELECT count(*) FROM learner")) == 0


@on_sqlite
def test_a_busy_database_is_said(app: FastAPI, database: Database, patient: TestClient) -> None:
    engine.event.listen(
        app.state.database.engine,
        "connect",
        lambda connection, _record: connection.execute("PRAGMA busy_timeout = 20"),
    )
    with database.changing() as session:
        session.execute(text("SELECT 1"))  # holds the only place to write
        answer = patient.post(ATTEMPTS, json=BEGIN)

    assert answer.status_code == 503
    assert answer.json()["detail"] == trouble.BUSY


@on_postgres
def test_a_value_that_the_database_refuses_is_the_senders_fault(
    app: FastAPI, database: Database, patient: TestClient
) -> None:
    @app.get("/api/nul")
    def nul() -> None:
        with database.reading() as session:
            session.execute(text("SELECT CAST(:given AS text)"), {"given": "a\0b"})

    assert patient.get("/api/nul").status_code == 422


@on_sqlite
def test_a_database_that_is_gone_is_said(settings: Settings) -> None:
    gone = "postgresql+psycopg://nobody@127.0.0.1:9/none?connect_timeout=1"
    app = create_app(settings.model_copy(update={"database_url": gone}))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = client.get("/api/v1/cards")

    assert answer.status_code == 503
    assert answer.json()["detail"] == trouble.UNREACHABLE
