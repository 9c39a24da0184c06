"""What one says of a run with a result of it in view is told apart from what one said before."""

from base64 import b64decode
from collections.abc import Callable
from html import unescape
from time import monotonic
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event, select, text
from starlette.testclient import TestClient

from app.domain.running import RunSource
from app.store.engine import BUSY_TIMEOUT_MS, Database
from app.store.models import Sight
from tests.lab import test_width
from tests.runs.measured import a_measurement
from tests.runs.measured import keep as keep_run
from tests.web.lab_runs import a_gpu, keep, started
from tests.web.practising import PAGE, another_browser, begin, statements
from tests.web.reading import plain

RUN = "/runs/test-device-width-recorded"
LATE = "made after you saw a result"
SHOW: dict[str, Callable[[TestClient], object]] = {
    "its page": lambda client: client.get(RUN),
    "its receipt": lambda client: client.get(f"{RUN}/receipt.json"),
    "the api": lambda client: client.get(f"/api/v1{RUN}"),
    "the list of runs": lambda client: client.get("/runs"),
    "a comparison's choice": lambda client: client.get(f"{RUN}/comparison"),
    "the card's claims": lambda client: client.get(f"{PAGE}?open=claims"),
    "the card's explanation": lambda client: client.get(f"{PAGE}?open=explanation"),
}


def guesses(client: TestClient) -> str:
    return plain(client.get("/calibration").text)


@pytest.fixture
def recorded(database: Database) -> None:
    keep(database, "width")


def guess_it(client: TestClient, low: str = "1.8") -> None:
    started(client, "width", where="recorded", low=low)


def test_what_is_said_before_seeing_counts(client: TestClient, recorded: None):
    client.get("/experiments"), client.get("/experiments/width"), client.get(PAGE)
    guess_it(client)
    assert "inside your range 1 of 1 time." in guesses(client)
    assert LATE not in guesses(client)
    assert "You said 1.8×." in plain(client.get(RUN).text)


@pytest.mark.parametrize("shown", list(SHOW))
@pytest.mark.parametrize("known", [True, False], ids=["learner", "stranger"])
def test_what_is_said_after_seeing_is_told_and_counts_in_no_figure(
    client: TestClient, recorded: None, shown: str, known: bool
):
    if known:
        begin(client)
    SHOW[shown](client)
    guess_it(client)
    page = guesses(client)
    assert LATE in page and "inside your range" not in page
    assert "1 guess was made after you had seen a result of the same case" in page
    run = plain(client.get(RUN).text)
    assert "You said 1.8×, after you had seen a result." in run
    assert "before it was shown" not in run
    assert client.get(f"/api/v1{RUN}").json()["expectation_after_seeing"] is True


def test_the_form_says_what_was_seen(client: TestClient, recorded: None):
    assert "You have seen" not in client.get("/experiments/width").text
    client.get(RUN)
    form = plain(client.get("/experiments/width").text)
    assert "You have seen what was measured of bfloat16." in unescape(form)
    assert "doesn't count among your guesses" in form


def test_the_form_reads_no_runs_but_recorded_ones_however_many_there_are(
    app: FastAPI, client: TestClient, recorded: None
):
    client.get(RUN)
    with statements(app.state.database) as asked:
        client.get("/experiments/width")
    asked_of_runs = [one.partition("WHERE")[2] for one in asked if "FROM run " in one]
    assert asked_of_runs and all("run.source =" in which for which in asked_of_runs)


def test_a_second_tab_that_was_open_before_does_not_help(client: TestClient, recorded: None):
    begin(client)
    client.get("/experiments/width")  # the first tab, with its form
    client.get(RUN)  # the second
    guess_it(client)
    assert LATE in guesses(client)


def test_another_case_of_the_experiment_counts(client: TestClient, database: Database):
    keep(database, "width")
    keep_run(database, "rec", a_measurement())
    client.get("/runs/rec")
    guess_it(client)
    assert LATE not in guesses(client)


def test_what_one_saw_another_did_not(app: FastAPI, client: TestClient, recorded: None):
    client.get(RUN)
    other = another_browser(app, client)
    guess_it(other)
    assert LATE not in guesses(other)


def test_an_imported_run_shows_the_case_as_well(client: TestClient, database: Database):
    keep(database, "width", source=RunSource.IMPORTED)
    keep(database, "width")
    client.get("/runs/test-device-width-imported")
    guess_it(client)
    assert LATE in guesses(client)


def test_a_finished_run_of_ones_own_is_seen_looked_at_or_not(
    client: TestClient, database: Database, recorded: None
):
    begin(client)
    keep(database, "width", test_width.swept(120.0), source=RunSource.LIVE, learner_id=1)
    guess_it(client)
    assert LATE in guesses(client)


def test_ones_own_run_that_ends_later_was_guessed_before(client: TestClient, database: Database):
    a_gpu(database)
    first = started(client, "width", where="gpu", low="2")
    started(client, "width", where="gpu", low="3")
    told = client.get(f"/api/v1{first}").json()
    assert told["expectation"]["low"] == 2 and told["expectation_after_seeing"] is False


def test_a_run_to_be_told_apart_is_not_seen_before_it_is_answered(
    client: TestClient, database: Database
):
    keep(database, "broken")
    run = "/runs/test-device-broken-recorded"
    client.get("/runs"), client.get(run)
    client.post(f"{run}/matches", data={"A": "no_synchronize"})
    assert LATE not in guesses(client)


def test_nor_by_following_it_to_its_end(client: TestClient, database: Database):
    begin(client)
    keep(database, "broken")
    run = "/runs/test-device-broken-recorded"
    client.get(f"{run}/events")
    client.post(f"{run}/matches", data={"A": "no_synchronize"})
    assert LATE not in guesses(client)


def test_one_that_was_answered_gives_the_next_away(client: TestClient, database: Database):
    keep(database, "broken")
    keep(database, "broken", source=RunSource.IMPORTED)
    client.post("/runs/test-device-broken-recorded/matches", data={"show": "1"})
    client.post("/runs/test-device-broken-imported/matches", data={"A": "no_synchronize"})
    assert LATE in guesses(client)
    assert "after you had seen" in plain(client.get("/runs/test-device-broken-imported").text)


def test_the_index_keeps_a_recorded_figure_back_until_it_was_seen(
    client: TestClient, recorded: None
):
    index = plain(client.get("/experiments").text)
    assert "costs 1.80× as much" not in index
    assert "Say what you expect : How long a row one pass can hold , then see it" in index
    client.get(RUN)
    assert "costs 1.80× as much" in plain(client.get("/experiments").text)


def test_a_head_shows_nothing(client: TestClient, recorded: None):
    client.head(RUN)
    guess_it(client)
    assert LATE not in guesses(client)


def test_seeing_makes_nobody_a_learner(client: TestClient, database: Database, recorded: None):
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
    client: TestClient, recorded: None, asked: str, filled: dict[str, str]
):
    client.get(RUN)
    assert client.post(asked, data=filled).status_code == 422
    guess_it(client)
    assert LATE in guesses(client)


def test_the_cookie_lets_go_of_what_was_kept(client: TestClient, recorded: None):
    client.get(RUN)
    assert b"seen" in b64decode(client.cookies["ridgepoint"].partition(".")[0])
    begin(client), begin(client)
    assert b"seen" not in b64decode(client.cookies["ridgepoint"].partition(".")[0])
    guess_it(client)
    assert LATE in guesses(client)


def test_what_was_seen_is_kept_once(client: TestClient, database: Database, recorded: None):
    begin(client)
    for _ in range(3):
        client.get(RUN)
    with database.reading() as session:
        assert len(session.scalars(select(Sight)).all()) == 1


def test_a_follow_up_gives_nothing_away_before_it_is_tried(client: TestClient, recorded: None):
    begin(client)
    client.get(f"{PAGE}?open=follow-up-length")
    guess_it(client)
    assert LATE not in guesses(client)


def test_one_that_was_tried_does(client: TestClient, recorded: None):
    assert "costs 1.80× as much" in plain(
        client.post(f"{PAGE}/follow-ups/length/tries", data={"aloud": "1"}).text
    )
    guess_it(client)
    assert LATE in guesses(client)


def only_read(database: Database, wanted: str) -> None:
    """Let the database refuse to be written, as a standby server does, or take it back."""
    name = "PRAGMA query_only" if database.at_hand else "SET default_transaction_read_only"

    def on_checkout(connection: Any, *_: object) -> None:
        connection.execute(f"{name} = {wanted}")
        connection.commit()

    event.listen(database.engine, "checkout", on_checkout)


def test_a_database_that_cannot_be_written_keeps_no_page_back(
    app: FastAPI, client: TestClient, recorded: None
):
    begin(client)
    only_read(app.state.database, "on")
    assert client.get(RUN).status_code == 200
    only_read(app.state.database, "off")
    guess_it(client)
    assert LATE in guesses(client)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_locked_database_keeps_no_page_waiting(
    client: TestClient, database: Database, recorded: None
):
    begin(client)
    with database.changing() as session:
        session.execute(text("SELECT 1"))  # holds the only place to write
        asked = monotonic()
        assert client.get(RUN).status_code == 200
        assert monotonic() - asked < 0.2 * BUSY_TIMEOUT_MS / 1000
    guess_it(client)
    assert LATE in guesses(client)


def test_anothers_run_that_ends_while_one_looks_on_is_seen(client: TestClient, recorded: None):
    begin(client)
    assert "1.80×" in client.get(f"{RUN}/events").text
    guess_it(client)
    assert LATE in guesses(client)
