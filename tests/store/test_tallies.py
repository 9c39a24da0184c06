"""What an operator's figures count, and how little is read for it."""

from datetime import datetime

from app.domain.running import RunSource, RunState
from app.store import learners, tallies
from app.store.engine import Database
from app.store.models import Run
from tests.runs.test_indexes import plans
from tests.store.databases import on_sqlite


def test_runs_from_elsewhere_are_none_that_were_asked_for_here(
    database: Database, now: datetime
) -> None:
    with database.changing() as session:
        who = learners.create(session, now)
        for number, (source, state, of) in enumerate(
            [
                (RunSource.LIVE, RunState.DONE, who.id),
                (RunSource.LIVE, RunState.FAILED, who.id),
                (RunSource.LIVE, RunState.DONE, None),
                (RunSource.RECORDED, RunState.DONE, None),
                (RunSource.IMPORTED, RunState.DONE, None),
            ]
        ):
            session.add(Run(f"r{number}", "chain", {}, source, state, now, learner_id=of))
        session.commit()
    with database.reading() as session:
        found = tallies.runs(session)
        assert found == dict.fromkeys(map(str, RunState), 0) | {"done": 2, "failed": 1}


@on_sqlite
def test_runs_are_counted_by_an_index_alone(database: Database) -> None:
    in_all, elsewhere = plans(database, tallies.runs, "FROM run")
    assert in_all == "SCAN run USING COVERING INDEX ix_run_state_requested_at"
    assert "ix_run_learner_id_requested_at (learner_id=?)" in elsewhere
