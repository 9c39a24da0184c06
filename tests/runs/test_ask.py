"""Who may ask for a run, and that run, prediction and job are stored together or not at all."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from pytest import MonkeyPatch
from sqlalchemy import func, select, text

from app.domain.guess import Guess
from app.domain.running import RunState
from app.runs import queue, states, waiting
from app.runs.ask import Order, Refused, ask
from app.runs.choice import BadChoice, as_asked, as_parameters, choose
from app.runs.guesses import guess_of
from app.settings import Settings
from app.store import clock
from app.store.engine import Database
from app.store.models import Learner, Run
from kernels.lab import EXPERIMENTS
from tests.runs.conftest import a_learner, the_run

CHOICE = choose("chain", "gpu", {"preset": "whisper-large"})
BY_DEFAULT = Order(CHOICE)


def asked(
    database: Database,
    settings: Settings,
    learner: Learner,
    order: Order = BY_DEFAULT,
    now: datetime | None = None,
) -> str:
    with database.changing() as session, MonkeyPatch.context() as patch:
        if now is not None:
            patch.setattr(clock, "now", lambda _session: now)
        run = ask(session, queue.open_jobs(database), settings, learner, order)
        session.commit()
        return run.id


def jobs_in(database: Database) -> set[str]:
    schema = "dbos." if database.engine.dialect.name == "postgresql" else ""
    with database.reading() as session:
        return set(session.scalars(text(f"SELECT workflow_uuid FROM {schema}workflow_status")))


def test_a_run_is_stored_with_its_prediction_and_its_job(
    settings: Settings, database: Database, learner: Learner
):
    run_id = asked(database, settings, learner, Order(CHOICE, Guess(2.0, 2.5)))
    run = the_run(database, run_id)
    assert run.state is RunState.WAITING
    assert jobs_in(database) == {run_id}
    with database.reading() as session:
        assert guess_of(session, run, learner) == Guess(2.0, 2.5)


def test_without_a_commit_neither_the_run_nor_its_job_is_there(
    settings: Settings, database: Database, learner: Learner
):
    with database.changing() as session:
        ask(session, queue.open_jobs(database), settings, learner, Order(CHOICE))
    assert jobs_in(database) == set()
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 0


def test_start_pressed_twice_is_one_run(settings: Settings, database: Database, learner: Learner):
    order = Order(CHOICE, run_id="a" * 32)
    assert asked(database, settings, learner, order) == asked(database, settings, learner, order)
    assert len(jobs_in(database)) == 1


def test_another_learners_key_is_not_a_way_to_their_run(
    settings: Settings, database: Database, learner: Learner
):
    key = asked(database, settings, learner, Order(CHOICE, run_id="a" * 32))
    other = asked(database, settings, a_learner(database), Order(CHOICE, run_id=key))
    assert other != key


def test_a_learner_may_have_only_so_many_runs_under_way(
    settings: Settings, database: Database, learner: Learner
):
    ids = [asked(database, settings, learner) for _ in range(settings.runs_waiting_per_learner)]
    with pytest.raises(Refused, match="2 runs under way") as refused:
        asked(database, settings, learner)
    assert refused.value.after is not None
    asked(database, settings, a_learner(database))
    with database.changing() as session:
        assert states.cancel(session, ids[0], datetime.now(UTC))
        session.commit()
    asked(database, settings, learner)


def test_a_full_line_refuses_everybody_with_a_time_to_come_back(
    settings: Settings, database: Database, learner: Learner
):
    full = settings.model_copy(update={"runs_waiting_in_all": 1})
    asked(database, full, learner)
    with pytest.raises(Refused, match="as many as fit") as refused:
        asked(database, full, a_learner(database))
    assert refused.value.after == waiting.UNKNOWN_LENGTH


def test_the_days_cap_opens_again_when_the_oldest_run_is_a_day_old(
    settings: Settings, database: Database, learner: Learner, now: datetime
):
    capped = settings.model_copy(update={"runs_per_learner_a_day": 1})
    asked(database, capped, learner, now=now)
    later = now + timedelta(hours=5)
    with pytest.raises(Refused, match="within a day") as refused:
        asked(database, capped, learner, now=later)
    assert refused.value.after == timedelta(hours=19)
    asked(database, capped, learner, now=later + refused.value.after)


def test_caps_hold_when_everybody_asks_at_once(settings: Settings, database: Database):
    capped = settings.model_copy(update={"runs_waiting_in_all": 3})
    learners = [a_learner(database) for _ in range(8)]

    def try_it(learner: Learner) -> bool:
        try:
            asked(database, capped, learner)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_it, learners)) == 3
    assert len(jobs_in(database)) == 3


def test_runs_that_are_switched_off_are_refused_with_no_time_to_come_back(
    settings: Settings, database: Database, learner: Learner
):
    off = settings.model_copy(update={"runs_enabled": False})
    with pytest.raises(Refused, match="switched off") as refused:
        asked(database, off, learner)
    assert refused.value.after is None


def test_the_place_in_line_counts_those_before_on_the_same_kind_of_device(
    settings: Settings, database: Database, now: datetime
):
    on_cpu = Order(choose("chain", "cpu", {}))
    for order, minute in ((Order(CHOICE), 0), (on_cpu, 1), (Order(CHOICE), 2)):
        asked(database, settings, a_learner(database), order, now + timedelta(minutes=minute))
    with database.reading() as session:
        runs = session.scalars(select(Run).order_by(Run.requested_at)).all()
        assert [waiting.place_of(session, run).number for run in runs] == [1, 1, 2]


@pytest.mark.parametrize(
    ("name", "value"), [("preset", "../../etc"), ("dtype", "fp8"), ("direction", "sideways")]
)
def test_what_is_not_on_the_list_is_refused_by_name(name: str, value: str):
    with pytest.raises(BadChoice, match=f"{name.capitalize()} must be one of"):
        choose("chain", "gpu", {name: value})


def test_an_experiment_and_a_device_that_there_are_not_are_refused_with_those_there_are():
    with pytest.raises(BadChoice, match="there are chain, "):
        choose("matmul", "gpu", {})
    with pytest.raises(BadChoice, match="there are gpu, cpu"):
        choose("chain", "tpu", {})
    with pytest.raises(BadChoice, match="Parameter must be one of"):
        choose("chain", "gpu", {"output": "/etc/passwd"})


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_experiment_can_be_asked_for_with_nothing_but_its_name(name: str):
    asked = choose(name, "gpu", {})
    assert as_asked(name, as_parameters(asked)) == asked
    assert asked.arguments()[0] == name
    assert asked.arguments()[-2:] == ["--device", "cuda"]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_where_there_is_no_edition_for_a_processor_it_says_why(name: str):
    why = EXPERIMENTS[name].no_cpu
    if why is None:
        assert as_parameters(choose(name, "cpu", {}))["device"] == "cpu"
    else:
        with pytest.raises(BadChoice) as refused:
            choose(name, "cpu", {})
        assert str(refused.value).rstrip(".") == why.rstrip(".")


def test_on_a_processor_the_chain_has_one_number_format_and_direction():
    asked = choose("chain", "cpu", {"dtype": "bf16", "direction": "both"})
    assert (asked.parameters["dtype"], asked.parameters["direction"]) == ("fp32", "forward")
