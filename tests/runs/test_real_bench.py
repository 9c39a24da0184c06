"""The benchmark itself, as a worker starts it, on a processor."""

import threading
from importlib.util import find_spec

import pytest

from app.domain.guess import Guess
from app.domain.running import RunState
from app.runs import bench, queue
from app.runs.ask import Order, ask
from app.runs.choice import choose
from app.runs.device import probe
from app.runs.view import looker
from app.settings import Settings
from app.store.engine import Database
from app.store.models import Learner
from app.web.run_pages import shown
from tests.conftest import require_component
from tests.runs.conftest import PATIENCE_SECONDS, a_worker, ended
from tests.store.databases import on_sqlite

pytestmark = on_sqlite

HINT = "no PyTorch with Triton to measure with: install both (make serve does it where it can)"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Settings with the real benchmark."""
    require_component(find_spec("torch") and find_spec("triton"), HINT)
    return settings.model_copy(update={"bench_module": "kernels.bench"})


def test_a_probe_says_what_there_is_and_what_can_be_run_on_it(settings: Settings):
    facts = probe(settings, threading.Event())
    assert facts["name"]
    assert "cpu" in facts["serves"]
    assert ("gpu" in facts["serves"]) == (facts["kind"] == "cuda")


def test_it_ends_in_order_when_told_so_that_the_next_run_needs_no_probe(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bench, "GRACE_SECONDS", PATIENCE_SECONDS)
    arguments = choose("chain", "cpu", {"preset": "hubert-base"}).arguments()
    with bench.running(settings, arguments) as process:
        assert b'"progress"' in (process.output.next_line(PATIENCE_SECONDS) or b"")
        process.end()
        assert process.ended_in_order()


def test_the_cpu_edition_goes_from_the_queue_to_a_page_that_says_what_it_found(
    settings: Settings, database: Database, learner: Learner
):
    choice = choose("chain", "cpu", {"preset": "hubert-base"})
    with database.changing() as session:
        jobs = queue.open_jobs(database)
        run = ask(session, jobs, settings, learner, Order(choice, Guess(3.0, 3.0)))
        session.commit()
    with a_worker(settings):
        run = ended(database, run.id, within=300)
    assert run.state is RunState.DONE, run.trouble
    view = looker(database, settings)(run.id, None)
    assert view is not None and view.progress is not None
    values = shown(view, learner)
    assert values["said"] == "3×"
    assert "one core of this" in values["sentence"]
    (picture,) = values["conclusion"].pictures
    assert [bar.role for bar in picture.bars] == ["many", "one"] * 2
