"""What the log holds, and what never gets into it."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from fastapi import FastAPI
from sqlalchemy import text
from starlette.testclient import TestClient

from app import logs
from app.settings import Settings

SECRET = "a sentence that only the learner may see"
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def log(settings: Settings) -> Iterator[io.StringIO]:
    """The log as JSON lines, in memory."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    stream = io.StringIO()
    logs.configure(settings.model_copy(update={"log_json": True}), stream)
    yield stream
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(log: io.StringIO, event: str) -> list[dict[str, object]]:
    """The lines of one event."""
    found = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in found if line["event"] == event]


@on_sqlite
def test_a_request_is_one_line_with_its_id_route_status_and_time(
    log: io.StringIO, client: TestClient
) -> None:
    answer = client.get("/api/v1/cards/nowhere?private=1")
    (line,) = lines(log, "request")

    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert (line["method"], line["route"]) == ("GET", "/api/v1/cards/{slug}")
    assert line["status"] == 404
    assert isinstance(line["ms"], float) and 0 < line["ms"] < 60_000
    assert "private" not in str(line)


@on_sqlite
def test_probes_and_static_files_leave_no_line(log: io.StringIO, client: TestClient) -> None:
    for quiet in ("/healthz", "/metrics", "/static/vendor/htmx-4.0.1.min.js"):
        assert client.get(quiet).status_code == 200

    assert lines(log, "request") == []


@on_sqlite
def test_an_answer_gets_into_no_line(log: io.StringIO, client: TestClient) -> None:
    begin = {"slug": "fused-normalization-chain", "tier": "basics", "answer": SECRET}

    assert client.post("/api/v1/attempts", json=begin).status_code == 201
    assert client.post("/api/v1/check", json=begin).status_code == 422
    assert SECRET not in log.getvalue()


@on_sqlite
def test_a_failing_statement_is_logged_without_its_values(log: io.StringIO, app: FastAPI) -> None:
    database = app.state.database
    try:
        with database.changing() as session:
            session.execute(text("INSERT INTO nowhere VALUES (:answer)"), {"answer": SECRET})
    except Exception:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")

    (line,) = lines(log, "Exception in ASGI application")

    assert "no such table: nowhere" in str(line["error"])
    assert "test_logs.py" in str(line["error"])
    assert SECRET not in log.getvalue()


def test_an_error_is_told_with_what_led_to_it_and_first_lines_only() -> None:
    try:
        try:
            raise ValueError(f"bad value\ninput: {SECRET}")
        except ValueError as cause:
            raise RuntimeError("can't go on") from cause
    except RuntimeError as error:
        told = logs.plain_error(None, "error", {"event": "failed", "exc_info": error})

    assert "ValueError: bad value" in told["error"]
    assert told["error"].endswith("RuntimeError: can't go on")
    assert "exc_info" not in told
    assert SECRET not in told["error"]


@on_sqlite
def test_lines_of_other_libraries_look_like_ours(log: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 7)
    (line,) = lines(log, "Started server process [7]")

    assert line["logger"] == "uvicorn.error"
    assert line["level"] == "info"
    assert str(line["timestamp"]).endswith("Z")


@on_sqlite
def test_a_line_can_not_be_forged_by_a_line_break(log: io.StringIO, client: TestClient) -> None:
    client.get("/nowhere%0A%7B%22event%22:%22forged%22%7D")

    assert lines(log, "forged") == []


@on_sqlite
@pytest.mark.parametrize("name", ["dbos", "alembic.runtime.migration"])
def test_steps_of_migrations_stay_out_and_troubles_of_them_do_not(
    log: io.StringIO, name: str
) -> None:
    logging.getLogger(name).info("migration 1")
    logging.getLogger(name).warning("migration 2 failed")

    assert lines(log, "migration 1") == []
    assert len(lines(log, "migration 2 failed")) == 1
