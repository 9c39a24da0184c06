"""What a site does ahead of its first visitors."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.commands.ready import conclude_ahead
from app.domain.running import RunSource, RunState
from app.runs.conclusions import is_concluded
from app.runs.listing import MANY, likely
from app.store import learners
from app.store.engine import Database
from app.store.models import Learner
from tests.runs.measured import a_measurement, keep

MADE = datetime(2026, 11, 30, 18, 45, 1, tzinfo=UTC)


@pytest.fixture
def learner(database: Database) -> Learner:
    with database.changing() as session:
        learner = learners.create(session, MADE)
        session.commit()
    return learner


def ids(database: Database) -> list[str]:
    with database.reading() as session:
        return [run.id for run in likely(session)]


def test_what_is_looked_at_first_is_concluded_before_anyone_asks(database: Database):
    keep(database, "ahead-recorded", a_measurement())
    keep(database, "ahead-own", a_measurement(), source=RunSource.LIVE)
    with database.reading() as session:
        runs = likely(session)
    assert not any(map(is_concluded, runs))
    conclude_ahead(database)
    assert len(runs) == 2 and all(map(is_concluded, runs))


def test_recorded_runs_come_first_then_the_newest_and_none_that_is_not_done(
    database: Database, learner: Learner
):
    mine: dict[str, Any] = {"source": RunSource.LIVE, "learner_id": learner.id}
    keep(database, "older", [], **mine, requested_at=MADE)
    keep(database, "newer", [], **mine, requested_at=MADE + timedelta(days=1))
    keep(database, "brought", [], source=RunSource.IMPORTED, requested_at=MADE - timedelta(days=2))
    keep(database, "recorded", [], finished_at=MADE - timedelta(days=1))
    keep(database, "undated", [], finished_at=None)
    keep(database, "failed", [], **mine, state=RunState.FAILED)
    assert ids(database) == ["recorded", "undated", "newer", "older", "brought"]


def test_a_site_of_many_runs_begins_with_some(database: Database):
    for number in range(3 * MANY + 1):
        keep(database, f"many-{number}", [], source=RunSource.LIVE)
    assert len(ids(database)) == 3 * MANY
