"""A run's conclusion is the lab's, drawn once; what allows none is no error."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier

import pytest

from app.domain.running import RunSource, RunState
from app.runs import conclusions
from app.runs.conclusions import conclude, concluded
from app.runs.listing import MANY
from app.store.engine import Database
from app.store.models import Run
from tests.runs.conftest import the_run
from tests.runs.measured import a_measurement, keep


def test_the_conclusion_is_the_experiments_own():
    said = conclude("chain", a_measurement(220.0, 100.0))
    assert said is not None
    assert said.sentence.startswith("One pass is 2.20× faster")


@pytest.mark.parametrize(
    "hostile",
    [
        {"samples_us": []},
        {"samples_us": ["fast"]},
        {"samples_us": [0.0]},
        {"samples_us": None},
        {"bytes": 0},
        {"bytes": "many"},
        {"at": ["x"]},
        {"median_us": 0},
        {"variant": {}},
    ],
)
def test_events_that_are_no_measurement_allow_no_conclusion(hostile: dict[str, object]):
    events = a_measurement()
    events[4] = events[4] | hostile
    conclude("chain", events)  # says nothing or something, and never raises
    events[4] = {name: value for name, value in events[4].items() if name not in hostile}
    conclude("chain", events)


def test_an_experiment_that_there_is_not_concludes_nothing():
    assert conclude("gossip", a_measurement()) is None


def test_a_runs_conclusion_is_drawn_once(database: Database, monkeypatch: pytest.MonkeyPatch):
    run = the_run(database, keep(database, "once", a_measurement()))
    with database.reading() as session:
        first = concluded(session, run)
        monkeypatch.setattr(conclusions, "events_of", None)
        assert first is not None and concluded(session, run) is first


def test_of_many_who_ask_at_once_one_draws_the_conclusion(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    run = the_run(database, keep(database, "crowd", a_measurement()))
    drawn: list[str] = []
    together = Barrier(4)

    def slowly(experiment: str, _events: object) -> None:
        drawn.append(experiment)
        time.sleep(0.2)  # the others come meanwhile

    def ask(_: int) -> None:
        with database.reading() as session:
            together.wait()
            concluded(session, run)

    monkeypatch.setattr(conclusions, "conclude", slowly)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(4)))
    assert drawn == ["chain"]


def test_what_is_concluded_for_the_lists_of_a_team_is_concluded_once(
    database: Database, monkeypatch: pytest.MonkeyPatch, now: datetime
):
    lists = [
        Run(f"{who}-{number}", "chain", {}, RunSource.LIVE, RunState.DONE, now)
        for who in range(40)
        for number in range(MANY)
    ]
    drawn: list[str] = []
    monkeypatch.setattr(conclusions, "_concluded", {})
    monkeypatch.setattr(conclusions, "events_of", lambda _session, run_id: drawn.append(run_id))
    monkeypatch.setattr(conclusions, "conclude", lambda *_: None)
    with database.reading() as session:
        for run in [*lists, *lists]:
            concluded(session, run)
    assert len(drawn) == len(lists)


def test_a_recording_that_was_read_anew_is_concluded_anew(database: Database):
    keep(database, "anew", a_measurement(220.0, 100.0), content_hash="1")
    with database.changing() as session:
        run = the_run(database, "anew")
        first = concluded(session, run)
        run.content_hash = "2"
        again = concluded(session, run)
    assert first == again and first is not again


def test_a_run_that_is_not_done_has_no_conclusion(database: Database):
    run = the_run(database, keep(database, "failed", a_measurement(), state=RunState.FAILED))
    with database.reading() as session:
        assert concluded(session, run) is None
