"""Opening rungs of the ladder: what is kept of it, and what it does to the clock."""

from concurrent.futures import ThreadPoolExecutor
from html import unescape
from time import monotonic, sleep

import pytest
from sqlalchemy import text

from app.store import trouble
from app.store.engine import BUSY_TIMEOUT_MS, HURRIED_MS
from app.store.models import Reveal
from tests.web.practising import PAGE, another_browser, answered, begin, count, kept, statements


def test_the_first_rung_opened_stops_the_clock_and_the_next_ones_leave_it(client, database):
    attempt_id = begin(client)
    page = client.get(f"{PAGE}?open=basics").text
    stopped = kept(database, attempt_id).clock_stopped_at
    assert stopped is not None
    assert "data-running" not in page
    assert "The clock stopped" in page
    client.get(f"{PAGE}?open=solid")
    assert kept(database, attempt_id).clock_stopped_at == stopped


def test_asking_for_the_head_of_a_page_opens_nothing(client, database):
    attempt_id = begin(client)
    assert client.head(f"{PAGE}?open=basics").status_code == 200
    assert kept(database, attempt_id).clock_stopped_at is None
    assert count(database, Reveal) == 0


def test_what_was_opened_in_an_attempt_is_open_on_the_next_visit_and_closed_in_the_next_attempt(
    client, card
):
    begin(client)
    client.get(f"{PAGE}?open=basics")
    basics = card.tier("basics").answer.html
    assert basics in client.get(PAGE).text
    answered(client)
    assert basics in client.get(PAGE).text
    assert basics not in client.get(f"{PAGE}?again=1").text
    begin(client)
    assert basics not in client.get(PAGE).text


def test_opening_twice_keeps_the_first_moment(client, database):
    begin(client)
    for _ in range(2):
        client.get(f"{PAGE}?open=basics&open=basics")
    assert count(database, Reveal) == 1


on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@on_sqlite
def test_a_locked_database_is_said_in_time_and_nothing_is_shown_that_is_not_remembered(
    client, database, card
):
    attempt_id = begin(client)
    with database.changing() as session:
        session.execute(text("SELECT 1"))  # holds the only place to write
        asked = monotonic()
        told = client.get(f"{PAGE}?open=basics")
        assert monotonic() - asked < 0.2 * BUSY_TIMEOUT_MS / 1000
    assert told.status_code == 503 and told.headers["Retry-After"]
    assert trouble.BUSY in unescape(told.text)
    assert card.tier("basics").answer.html not in told.text
    assert kept(database, attempt_id).clock_stopped_at is None
    assert card.tier("basics").answer.html in client.get(f"{PAGE}?open=basics").text
    assert kept(database, attempt_id).clock_stopped_at is not None


@on_sqlite
def test_a_rung_waits_while_others_write_for_a_moment(client, database, card):
    begin(client)
    with ThreadPoolExecutor() as pool, database.changing() as session:
        session.execute(text("SELECT 1"))
        opened = pool.submit(client.get, f"{PAGE}?open=basics")
        sleep(2 * HURRIED_MS / 1000)
        session.rollback()
        assert card.tier("basics").answer.html in opened.result().text


@on_sqlite
def test_what_was_opened_before_is_shown_though_the_database_is_locked(app, client, database, card):
    begin(client)
    stranger = another_browser(app, client)
    client.get(f"{PAGE}?open=basics")
    with database.changing() as session:
        session.execute(text("SELECT 1"))
        for reader in (client, stranger):
            assert card.tier("basics").answer.html in reader.get(f"{PAGE}?open=basics").text


@pytest.mark.parametrize("answering", [True, False])
def test_opening_what_is_open_writes_nothing(app, client, answering):
    begin(client) if answering else answered(client)
    address = f"{PAGE}?open=basics&open=solid" + ("" if answering else "&again=1")
    client.get(address)
    with statements(app.state.database) as asked:
        client.get(address)
    assert not [one for one in asked if one.startswith(("BEGIN IMMEDIATE", "INSERT", "UPDATE"))]


def test_a_part_opened_in_one_attempt_is_noted_in_the_next(client, database):
    begin(client)
    client.get(f"{PAGE}?open=basics")
    answered(client)
    begin(client)
    client.get(f"{PAGE}?open=basics")
    assert count(database, Reveal) == 2
