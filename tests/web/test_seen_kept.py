"""How it is kept what one has seen: once, in a stranger's cookie, and no page waits for it."""

from base64 import b64decode
from html import unescape
from time import monotonic
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event, select, text
from starlette.testclient import TestClient

from app.store.engine import BUSY_TIMEOUT_MS, Database
from app.store.models import Sight
from tests.web.practising import PAGE, begin, statements
from tests.web.seeing import LATE, RUN, guess_it, guesses


def test_seeing_makes_nobody_a_learner(
    client: TestClient, database: Database, width_recorded: None
):
    client.get(RUN)
    with database.reading() as session:
        assert session.scalars(select(Sight)).all() == []
    assert "No guess of yours" in unescape(client.get("/calibration").text)


@pytest.mark.parametrize(
    ("asked", "filled"),
    [
        (f"{PAGE}/attempts", {"tier": "none"}),
        ("/experiments/width/runs", {"where": "recorded", "dtype": "bf16", "low": "much"}),
    ],
    ids=["attempt", "experiment"],
)
def test_what_a_stranger_saw_outlives_a_form_that_was_refused(
    client: TestClient, width_recorded: None, asked: str, filled: dict[str, str]
):
    client.get(RUN)
    assert client.post(asked, data=filled).status_code == 422
    guess_it(client)
    assert LATE in guesses(client)


def test_the_cookie_lets_go_of_what_was_kept(client: TestClient, width_recorded: None):
    client.get(RUN)
    assert b"seen" in b64decode(client.cookies["ridgepoint"].partition(".")[0])
    begin(client), begin(client)
    assert b"seen" not in b64decode(client.cookies["ridgepoint"].partition(".")[0])
    guess_it(client)
    assert LATE in guesses(client)


def test_what_was_seen_is_kept_once(client: TestClient, database: Database, width_recorded: None):
    begin(client)
    for _ in range(3):
        client.get(RUN)
    with database.reading() as session:
        assert len(session.scalars(select(Sight)).all()) == 1


def test_the_form_reads_no_runs_but_recorded_ones_however_many_there_are(
    app: FastAPI, client: TestClient, width_recorded: None
):
    client.get(RUN)
    with statements(app.state.database) as asked:
        client.get("/experiments/width")
    asked_of_runs = [one.partition("WHERE")[2] for one in asked if "FROM run " in one]
    assert asked_of_runs and all("run.source =" in which for which in asked_of_runs)


def only_read(database: Database, wanted: str) -> None:
    """Let the database refuse to be written, as a standby server does, or take it back."""
    name = "PRAGMA query_only" if database.at_hand else "SET default_transaction_read_only"

    def on_checkout(connection: Any, *_: object) -> None:
        connection.execute(f"{name} = {wanted}")
        connection.commit()

    event.listen(database.engine, "checkout", on_checkout)


def test_a_database_that_cannot_be_written_keeps_no_page_back(
    app: FastAPI, client: TestClient, width_recorded: None
):
    begin(client)
    only_read(app.state.database, "on")
    assert client.get(RUN).status_code == 200
    only_read(app.state.database, "off")
    guess_it(client)
    assert LATE in guesses(client)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_locked_database_keeps_no_page_waiting(
    client: TestClient, database: Database, width_recorded: None
):
    begin(client)
    with database.changing() as session:
        session.execute(text("SELECT 1"))  # holds the only place to write
        asked = monotonic()
        assert client.get(RUN).status_code == 200
        assert monotonic() - asked < 0.2 * BUSY_TIMEOUT_MS / 1000
    guess_it(client)
    assert LATE in guesses(client)
