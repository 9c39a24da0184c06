"""Runs are begun, ended and shown all the same where something else fails.

A database is away, or takes nothing; or the worker makes an error of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.domain.running import RunState
from app.runs import workplace
from app.runs.job import work_off
from app.runs.view import looker
from app.runs.workplace import Workplace, stored
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Run
from tests.runs.conftest import a_place, a_run, the_run


class Away:
    """A database that can't be written to for so many times."""

    def __init__(self, database: Database, times: int) -> None:
        self.database = database
        self.times = times

    @contextmanager
    def changing(self) -> Iterator[Session]:
        if self.times:
            self.times -= 1
            raise OperationalError("UPDATE", {}, Exception("the server is gone"))
        with self.database.changing() as session:
            yield session


@pytest.fixture
def place(settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """A worker's that has no patience with its database."""
    monkeypatch.setattr(workplace, "DATABASE_AWAY_SECONDS", 0.0)
    return a_place(settings, database)


def away(place: Workplace, times: int) -> Workplace:
    return replace(place, database=cast(Database, Away(place.database, times)))


def test_a_run_is_taken_once_the_database_is_there_again(place: Workplace):
    run_id = a_run(place.database, place.settings)
    work_off(away(place, 3), run_id)
    assert the_run(place.database, run_id).state is RunState.DONE


def test_a_run_whose_taking_was_kept_and_not_confirmed_is_run_all_the_same(place: Workplace):
    class Unconfirmed(Away):
        @contextmanager
        def changing(self) -> Iterator[Session]:
            with self.database.changing() as session:
                yield session
            if self.times:
                self.times -= 1
                raise OperationalError("COMMIT", {}, Exception("the server is gone"))

    run_id = a_run(place.database, place.settings)
    work_off(replace(place, database=cast(Database, Unconfirmed(place.database, 1))), run_id)
    assert the_run(place.database, run_id).state is RunState.DONE


def test_a_run_that_an_error_keeps_from_being_begun_ends_with_that(place: Workplace):
    nowhere = replace(place, device=replace(place.device, lock=Path("/dev/null/lock")))
    run_id = a_run(place.database, place.settings)
    work_off(nowhere, run_id)
    run = the_run(place.database, run_id)
    assert (run.state, run.trouble_kind) == (RunState.FAILED, "worker_failed")


def test_what_can_be_done_without_is_given_up_when_patience_ends(place: Workplace):
    with pytest.raises(OperationalError):
        stored(away(place, 3), lambda session: session)


def test_a_worker_that_is_to_stop_waits_no_longer_than_that(place: Workplace):
    place.stopping.set()
    with pytest.raises(OperationalError):
        stored(away(place, 3), lambda session: session, at_last=True)


def test_a_run_that_can_not_be_ended_now_is_shown_as_it_stands(
    settings: Settings, database: Database
):
    run_id = a_run(database, settings)
    with database.changing() as session:
        session.execute(update(Run).values(deadline_at=datetime.now(UTC) - timedelta(days=1)))
        session.commit()
    only_read(database, "on")
    view = looker(database, settings)(run_id, None)
    assert view is not None and view.run.state is RunState.WAITING
    only_read(database, "off")
    view = looker(database, settings)(run_id, None)
    assert view is not None and view.run.state is RunState.INTERRUPTED


def only_read(database: Database, wanted: str) -> None:
    """Let the database refuse to be written, as on a full disk, or take it back."""
    name = "PRAGMA query_only" if database.at_hand else "SET default_transaction_read_only"

    def on_checkout(connection: Any, *_: object) -> None:
        connection.execute(f"{name} = {wanted}")
        connection.commit()

    event.listen(database.engine, "checkout", on_checkout)
