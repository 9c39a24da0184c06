"""What was seen is a case, kept once for each learner, whatever run of it was shown."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import event, func, select

from app.domain.guess import Guess
from app.domain.running import RunSource, RunState
from app.runs import guesses, sights
from app.store import migrate
from app.store.engine import Database
from app.store.models import Learner, Prediction, Run, Sight
from kernels.lab import EXPERIMENTS
from tests.runs.conftest import the_run
from tests.runs.measured import a_measurement, keep

CHOSEN = {"preset": "whisper-large", "dtype": "bf16", "direction": "forward", "device": "gpu"}


def a_case(experiment: str = "chain", **others: Any) -> str:
    return sights.case_of(a_run_of(experiment, CHOSEN | others))


def a_run_of(experiment: str, parameters: dict[str, Any]) -> Run:
    now = datetime.now().astimezone()
    return Run("r", experiment, parameters, RunSource.RECORDED, RunState.DONE, now)


def test_a_case_is_what_was_chosen_and_not_how_long_it_was_measured():
    assert a_case() == a_case(mode="full") == a_case(rows=48000, features=1280)
    others = [{"dtype": "fp32"}, {"direction": "backward"}, {"device": "cpu"}, {"preset": "x"}]
    assert len({a_case(), a_case("flops"), *(a_case(**other) for other in others)}) == 6


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_run_that_can_be_asked_for_is_one_of_the_experiments_cases(name: str):
    experiment = EXPERIMENTS[name]
    cases = dict(sights.cases(experiment))
    devices = {"gpu": {}} if experiment.no_cpu else {"gpu": {}, "cpu": experiment.on_cpu}
    for device, fixed in devices.items():
        chosen = {key: one.default for key, one in experiment.parameters.items()} | fixed
        case = cases[sights.case_of(a_run_of(name, chosen | {"device": device}))]
        assert case.items() <= (chosen | {"device": device}).items()


def test_an_experiment_that_left_has_cases_too():
    assert a_case("astrology") != a_case("alchemy")


def test_of_many_runs_of_a_case_none_is_made_an_object(database: Database, learner: Learner):
    chosen = {"source": RunSource.LIVE, "learner_id": learner.id, "parameters": CHOSEN}
    for number in range(5):
        keep(database, f"run-{number}", [], **chosen)
    made: list[Run] = []
    with database.reading() as session:
        event.listen(session, "loaded_as_persistent", lambda _, one: made.append(one))
        assert sights.seen(session, learner.id) == {a_case()}
        assert sights.saw(session, learner.id, a_run_of("chain", CHOSEN))
    assert made == []


def note(database: Database, learner: Learner, cases: Sequence[str], now: datetime) -> None:
    with database.changing() as session:
        sights.note(session, learner.id, cases, now)
        session.commit()


def test_tabs_that_show_the_same_at_once_keep_it_once(
    database: Database, learner: Learner, now: datetime
):
    cases = [f"case-{n}" for n in range(40)]
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(note, database, learner, cases, now) for _ in range(4)]:
            done.result()
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Sight)) == 40


@pytest.fixture
def run(database: Database) -> Run:
    return the_run(database, keep(database, "run", a_measurement()))


def test_guesses_from_before_this_was_kept_go_on_counting(
    database: Database, learner: Learner, run: Run, now: datetime
):
    with database.changing() as session:
        guesses.keep(session, run, learner, Guess(2.0, 2.5), now)
        session.commit()
    migrate.downgrade(database, "0002")
    migrate.upgrade(database)
    with database.reading() as session:
        (kept,) = session.scalars(select(Prediction)).all()
        assert (kept.low, kept.high, kept.after_seeing) == (2.0, 2.5, False)


def test_a_guess_that_came_after_stays_one_when_more_is_seen(
    database: Database, learner: Learner, run: Run, now: datetime
):
    note(database, learner, [sights.case_of(run)], now)
    with database.changing() as session:
        guesses.keep(session, run, learner, Guess(2.0, 2.5), now)
        guesses.keep(session, run, learner, Guess(1.0, 1.5), now)  # the first word stands
        session.commit()
    with database.reading() as session:
        said = guesses.guess_of(session, run, learner)
        assert said == Guess(2.0, 2.5, after_seeing=True)
