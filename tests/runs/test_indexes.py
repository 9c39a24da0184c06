"""What is asked of one learner's runs and guesses is found by an index, however many others have.

SQLite keeps no statistics here, so it plans for an empty database as for a large one.
"""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from app.domain.running import RunSource, RunState
from app.runs import ask, evidence, guesses, listing, offer, sights, waiting
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Learner, Run
from app.web import comparable
from kernels.lab import EXPERIMENTS
from tests.store.databases import on_sqlite

WHO = 1
NOW = datetime.fromisoformat("2026-11-30T12:00:00Z")
RUN = Run("r", "chain", {"device": "gpu"}, RunSource.LIVE, RunState.DONE, NOW)
RUNS, GUESSES = "ix_run_learner_id_requested_at", "ix_prediction_learner_id_made_at"
OF_ONE_EXPERIMENT = "ix_run_learner_id_experiment_finished_at"


def someone() -> Learner:
    learner = Learner("key", NOW)
    learner.id = WHO
    return learner


ASKED: dict[str, tuple[str, Callable[[Session], Any]]] = {
    "the list of one's runs": (RUNS, lambda session: listing.own(session, WHO)),
    "what one has seen": (OF_ONE_EXPERIMENT, lambda session: sights.seen(session, WHO)),
    "whether one saw the case": (OF_ONE_EXPERIMENT, lambda session: sights.saw(session, WHO, RUN)),
    "the evidence of one's own": (
        OF_ONE_EXPERIMENT,
        lambda session: evidence.lines(session, WHO, ["chain"]),
    ),
    "what one asked for today": (
        RUNS,
        lambda session: ask.requested_since(session, someone(), NOW),
    ),
    "the runs to compare one with": (
        OF_ONE_EXPERIMENT,
        lambda session: comparable.offered(session, RUN, EXPERIMENTS["chain"], someone()),
    ),
    "one's guesses": (GUESSES, lambda session: guesses.answered(session, WHO)),
}


def plans(
    database: Database, ask_it: Callable[[Session], Any], naming: str = "learner_id = ?"
) -> list[str]:
    """How SQLite would find the rows of each statement that names a learner, or `naming`."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        if naming in statement and "FROM sight" not in statement:
            asked.append((statement, given))

    event.listen(database.engine, "before_cursor_execute", note)
    with database.reading() as session:
        ask_it(session)
    event.remove(database.engine, "before_cursor_execute", note)
    with database.engine.connect() as connection:
        told = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {one}", how) for one, how in asked]
        return ["; ".join(row.detail for row in rows) for rows in told]


@on_sqlite
@pytest.mark.parametrize("what", list(ASKED))
def test_it_is_found_by_its_index(database: Database, what: str) -> None:
    index, ask_it = ASKED[what]
    (plan,) = plans(database, ask_it)
    assert f"{index} (learner_id=?" in plan


@on_sqlite
@pytest.mark.parametrize(
    "what",
    ["the list of one's runs", "what one asked for today", "the runs to compare one with"],
)
def test_runs_come_in_the_indexs_order(database: Database, what: str) -> None:
    (plan,) = plans(database, ASKED[what][1])
    assert "TEMP B-TREE" not in plan


NOBODYS: dict[str, Callable[[Session], Any]] = {
    "the list of recorded runs": listing.recorded,
    "the list of imported runs": listing.imported,
    "the recorded evidence": lambda session: evidence.lines(session, None, ["chain"]),
    "the recorded run like another": lambda s: listing.recorded_like(s, "chain", RUN.parameters),
    "what an experiment has recorded": lambda s: offer._recorded(s, EXPERIMENTS["chain"]),
    "the recorded runs looked at first": listing.likely,
    "the runs from elsewhere to compare one with": lambda session: comparable.offered(
        session, RUN, EXPERIMENTS["chain"], None
    ),
}


@on_sqlite
@pytest.mark.parametrize("what", list(NOBODYS))
def test_runs_from_elsewhere_are_found_by_no_look_at_all_that_were_made(
    database: Database, what: str
) -> None:
    (plan,) = plans(database, NOBODYS[what], "learner_id IS NULL")
    assert re.search(rf"({RUNS}|{OF_ONE_EXPERIMENT}) \(learner_id=\?", plan)


@on_sqlite
def test_how_many_wait_is_no_look_at_all_that_one_ever_asked_for(database: Database) -> None:
    (plan,) = plans(database, lambda session: waiting.unfinished(session, WHO), "FROM run")
    assert "ix_run_state_requested_at (state=?)" in plan


@on_sqlite
def test_the_newest_of_all_come_in_the_indexs_order(database: Database) -> None:
    (plan,) = plans(database, listing.likely, "LIMIT")
    assert "ix_run_state_requested_at (state=?)" in plan and "TEMP B-TREE" not in plan


@on_sqlite
def test_how_long_the_latest_took_is_no_look_at_all_there_are(
    database: Database, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path)
    (plan,) = plans(
        database, lambda session: waiting.time_to_come_back(session, settings, 1), "FROM run"
    )
    assert "ix_run_state_requested_at (state=?)" in plan and "TEMP B-TREE" not in plan
