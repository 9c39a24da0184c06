"""Hosts whose clocks differ agree on who lives and when what happened: the database's clock says.

Here the database's server is an hour ahead of the process that is tested.
"""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import make_url, select, update
from starlette.testclient import TestClient

from app.domain.running import RunState
from app.runs import device
from app.runs.job import work_off
from app.runs.presence import beat, present
from app.runs.view import looker
from app.runs.workplace import Workplace
from app.settings import Settings
from app.store import clock
from app.store.engine import Database
from app.store.models import Run, RunEvent, Worker
from tests.runs.conftest import a_run, the_run
from tests.store.databases import on_postgres

pytestmark = on_postgres
AN_HOUR = timedelta(hours=1)
AHEAD = """
    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
    AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$;
    ALTER DATABASE {} SET search_path = public, pg_catalog
"""


@pytest.fixture
def place(settings: Settings, database: Database, database_url: str) -> Workplace:
    """A worker's, an hour behind its database."""
    with database.writing.begin() as connection:
        connection.exec_driver_sql(AHEAD.format(make_url(database_url).database))
    database.dispose()  # the next connections have the other clock
    return Workplace(settings, database, "worker", a_device(settings))


def a_device(settings: Settings) -> device.Device:
    facts = {"name": "Test device", "serves": ["gpu"]}
    return device.Device(settings, facts, settings.lock_dir / "device.lock")


def is_ahead(moment: datetime | None) -> bool:
    return moment is not None and moment > datetime.now(UTC) + AN_HOUR / 2


def seen_at(place: Workplace) -> datetime:
    with place.database.reading() as session:
        return session.scalars(select(Worker.seen_at)).one()


def test_a_worker_is_seen_by_the_databases_clock(place: Workplace):
    with present(place):
        assert is_ahead(seen_at(place))
        beat(place)
        assert is_ahead(seen_at(place))
        with place.database.reading() as session:
            now = clock.now(session)
    assert is_ahead(now)


def test_a_run_is_begun_followed_and_ended_by_it(place: Workplace):
    run_id = a_run(place.database, longer(place.settings))
    work_off(place, run_id)
    run = the_run(place.database, run_id)
    assert run.state is RunState.DONE
    assert is_ahead(run.started_at) and is_ahead(run.finished_at)
    with place.database.reading() as session:
        assert all(map(is_ahead, session.scalars(select(RunEvent.at))))


@pytest.mark.parametrize("of", ["/api/v1/runs", "/runs"])
def test_one_is_asked_for_and_called_off_by_it(place: Workplace, client: TestClient, of: str):
    run_id = client.post("/api/v1/runs", json={"experiment": "chain"}).json()["id"]
    client.post(f"{of}/{run_id}/cancellation")
    run = the_run(place.database, run_id)
    assert is_ahead(run.requested_at) and is_ahead(run.finished_at)
    assert run.deadline_at == run.requested_at + place.settings.run_wait_limit


def test_none_is_lost_while_the_database_is_not_there_for_long(place: Workplace):
    """Where it was away, none could be heard; here its server says that it began just now."""
    began = "pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql"
    with place.database.writing.begin() as connection:
        connection.exec_driver_sql(
            f"CREATE FUNCTION public.{began} AS 'SELECT public.clock_timestamp()'"
        )
    assert state_of_a_silent_ones_run(place) is RunState.RUNNING


def test_a_page_finds_a_worker_silent_that_is_so_by_it(place: Workplace):
    assert state_of_a_silent_ones_run(place) is RunState.INTERRUPTED


def state_of_a_silent_ones_run(place: Workplace) -> RunState:
    """What a page finds of a run whose worker was last seen an hour ago."""
    run_id = a_run(place.database, longer(place.settings))
    with present(place), place.database.changing() as session:
        session.execute(update(Run).values(state=RunState.RUNNING, worker=place.worker))
        session.execute(update(Worker).values(seen_at=datetime.now(UTC)))
        session.commit()
        view = looker(place.database, place.settings)(run_id, None)
    assert view is not None
    return view.run.state


def longer(settings: Settings) -> Settings:
    return settings.model_copy(update={"run_wait_limit": 2 * AN_HOUR})
