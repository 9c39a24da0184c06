"""Receipts brought in are runs like any other, once, and nobody's here."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy import func, select

from app.domain.running import RunSource, RunState
from app.runs import listing
from app.runs.conclusions import concluded, events_of
from app.runs.foreign import Imported, import_receipt
from app.runs.receipts import Receipt, receipt_of
from app.store.engine import Database
from app.store.models import Learner, Run, RunEvent
from tests.runs.conftest import the_run
from tests.runs.measured import MADE, a_measurement, keep


@pytest.fixture
def receipt() -> Receipt:
    return Receipt(tuple(a_measurement()), MADE, MADE)


def bring_in(database: Database, receipt: Receipt, now: datetime) -> Imported:
    with database.changing() as session:
        done = import_receipt(session, receipt, now)
        session.commit()
        return done


def test_a_receipt_becomes_a_run_that_is_done_and_imported(
    database: Database, receipt: Receipt, now: datetime
):
    done = bring_in(database, receipt, now)
    run = the_run(database, done.run_id)
    assert done.new
    assert (run.source, run.state, run.learner_id) == (RunSource.IMPORTED, RunState.DONE, None)
    assert (run.experiment, run.parameters["device"], run.finished_at) == ("chain", "gpu", MADE)
    with database.reading() as session:
        said = concluded(session, run)
    assert said is not None and "2.20× faster" in said.sentence


def test_its_own_receipt_is_the_one_that_came(database: Database, receipt: Receipt, now: datetime):
    run = the_run(database, bring_in(database, receipt, now).run_id)
    with database.reading() as session:
        again = receipt_of(run, events_of(session, run.id))
    assert again.sha256 == receipt.sha256


def test_importing_twice_changes_nothing(database: Database, receipt: Receipt, now: datetime):
    first, second = (bring_in(database, receipt, now) for _ in range(2))
    assert (first.run_id, second.new) == (second.run_id, False)
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 1
        kept = session.scalar(select(func.count()).select_from(RunEvent))
    assert kept == len(receipt.events)


def test_two_who_import_it_at_once_keep_it_once(
    database: Database, receipt: Receipt, now: datetime
):
    with ThreadPoolExecutor() as pool:
        with database.changing() as session:
            first = import_receipt(session, receipt, now)
            second = pool.submit(bring_in, database, receipt, now)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.3)
            session.commit()
        assert second.result() == Imported(first.run_id, new=False)


@pytest.mark.parametrize("source", [RunSource.LIVE, RunSource.RECORDED])
def test_a_run_of_this_copy_is_not_brought_in_as_anothers(
    database: Database, now: datetime, source: RunSource
):
    keep(database, "own", a_measurement(), source=source)
    run = the_run(database, "own")
    with database.reading() as session:
        receipt = receipt_of(run, events_of(session, "own"))
    assert bring_in(database, receipt, now) == Imported("own", new=False)
    other = replace(receipt, events=tuple(a_measurement(300.0)))
    assert bring_in(database, other, now).new


def test_an_imported_run_counts_as_nobodys_and_as_no_recording(
    database: Database, receipt: Receipt, now: datetime, learner: Learner
):
    bring_in(database, receipt, now)
    with database.reading() as session:
        assert listing.own(session, learner.id) == []
        assert listing.recorded(session) == []
