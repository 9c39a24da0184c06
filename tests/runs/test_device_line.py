"""The line in a page's head: which device is here, asked for seldom and waited for by no loop."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from app.runs import device_line as module
from app.runs.device_line import DeviceLine
from app.settings import Settings
from app.store.engine import Database, open_database
from app.store.models import Run, Worker
from tests.runs.conftest import PATIENCE_SECONDS, a_run, eventually
from tests.store.databases import on_sqlite


def a_worker_with(database: Database, **facts: object) -> None:
    now = datetime.now(UTC)
    with database.changing() as session:
        session.add(Worker("w", facts, started_at=now, seen_at=now))
        session.commit()


def line(database: Database, settings: Settings) -> str:
    return DeviceLine(database, settings).words()


def test_it_says_whether_there_is_a_worker_and_a_gpu(settings: Settings, database: Database):
    assert line(database, settings) == "no worker here"
    a_worker_with(database, name="AMD EPYC", serves=["cpu"])
    assert line(database, settings) == "no GPU here"


def test_a_gpu_is_idle_until_a_run_is_on_it(settings: Settings, database: Database):
    a_worker_with(database, name="NVIDIA H200", serves=["gpu", "cpu"])
    run_id = a_run(database, settings)
    assert line(database, settings) == "NVIDIA H200 · idle"
    with database.changing() as session:
        run = session.get(Run, run_id)
        assert run is not None
        run.state = module.RunState.RUNNING
        session.commit()
    assert line(database, settings) == "NVIDIA H200 · at work"


def test_a_worker_that_fell_silent_is_none(settings: Settings, database: Database):
    a_worker_with(database, name="NVIDIA H200", serves=["gpu"])
    with database.changing() as session:
        worker = session.get(Worker, "w")
        assert worker is not None
        worker.seen_at -= settings.worker_lost_after + timedelta(seconds=1)
        session.commit()
    assert line(database, settings) == "no worker here"


def test_many_pages_in_a_row_ask_once(settings: Settings, database: Database, monkeypatch):
    asked = []
    monkeypatch.setattr(module, "device_words", lambda *_: asked.append(1) or "a device")
    known = DeviceLine(database, settings)
    assert [known.words() for _ in range(50)] == ["a device"] * 50
    assert len(asked) == 1


def test_pages_outlive_a_database_that_can_not_be_asked(settings: Settings, tmp_path):
    away = open_database(f"sqlite:///{tmp_path / 'empty.db'}")
    assert line(away, settings) == ""
    away.dispose()


class Stuck:
    """A database that answers only once it is let go."""

    def __init__(self, database: Database) -> None:
        self.database, self.go = database, threading.Event()

    @contextmanager
    def reading(self) -> Iterator[object]:
        assert self.go.wait(PATIENCE_SECONDS)
        with self.database.reading() as session:
            yield session


@on_sqlite
def test_an_event_loop_is_told_what_was_known_and_later_what_is(
    settings: Settings, database: Database
):
    stuck = Stuck(database)
    known = DeviceLine(stuck, settings)  # type: ignore[arg-type]

    async def in_a_loop() -> str:
        return known.words()

    assert asyncio.run(in_a_loop()) == ""
    stuck.go.set()
    assert eventually(lambda: asyncio.run(in_a_loop())) == "no worker here"
    known.close()
