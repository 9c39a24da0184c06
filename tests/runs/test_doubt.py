"""When a device is asked whether it still answers: after a bad end, and while nobody waits."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.running import RunState
from app.runs import bench, device, states
from app.runs.job import LeaveForLater, work_off
from app.runs.workplace import Workplace
from app.settings import Settings
from app.store.engine import Database
from tests.runs.conftest import (
    PATIENCE_SECONDS,
    a_place,
    a_run,
    events_of,
    eventually,
    the_run,
    with_bench,
)

Probe = Callable[[Settings, threading.Event], dict[str, Any]]
SILENT = {"serves": [], "trouble": "no answer"}


@pytest.fixture
def place(settings: Settings, database: Database) -> Workplace:
    return a_place(settings, database)


@pytest.fixture
def asked(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The probes from now on, by what they asked with."""
    return note(device.probe, monkeypatch)


def note(answer: Probe, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have every probe answered by `answer` and noted in the list."""
    asked: list[str] = []

    def noting(settings: Settings, stopping: threading.Event) -> dict[str, Any]:
        asked.append(settings.bench_module)
        return answer(settings, stopping)

    monkeypatch.setattr(device, "probe", noting)
    return asked


def run_with(place: Workplace, name: str, run_id: str) -> None:
    work_off(replace(place, settings=with_bench(place.settings, name)), run_id)


def cancel_a_run_of(place: Workplace, name: str) -> None:
    """Run `name` until it says something, cancel that, and see the job to its end."""
    run_id = a_run(place.database, place.settings)
    job = threading.Thread(target=run_with, args=(place, name, run_id), daemon=True)
    job.start()
    eventually(lambda: len(events_of(place.database, run_id)) > 1)
    with place.database.changing() as session:
        assert states.cancel(session, run_id, datetime.now(UTC))
        session.commit()
    job.join(PATIENCE_SECONDS)
    assert not job.is_alive()
    assert the_run(place.database, run_id).state is RunState.CANCELLED


def end_of_the_next(place: Workplace) -> tuple[RunState, str | None]:
    run_id = a_run(place.database, place.settings)
    run_with(place, "steady", run_id)
    run = the_run(place.database, run_id)
    return run.state, run.trouble_kind


def serving(place: Workplace, *kinds: str) -> Workplace:
    """The same place, but that its device is of these kinds."""
    facts = place.device.facts | {"serves": list(kinds)}
    return replace(place, device=replace(place.device, facts=facts))


def test_after_cancelled_runs_that_ended_when_told_a_processor_is_not_asked(
    place: Workplace, asked: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bench, "GRACE_SECONDS", PATIENCE_SECONDS)
    processor = serving(place, "cpu")
    cancel_a_run_of(processor, "told")
    cancel_a_run_of(processor, "told")
    assert end_of_the_next(processor) == (RunState.DONE, None)
    assert asked == []


def test_a_gpu_is_asked_after_every_cancelled_run_before_anybody_waits(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bench, "GRACE_SECONDS", PATIENCE_SECONDS)
    on_gpu = serving(place, "gpu", "cpu")
    asked = note(lambda *_: on_gpu.device.facts, monkeypatch)
    cancel_a_run_of(on_gpu, "told")
    assert len(asked) == 1
    assert end_of_the_next(on_gpu) == (RunState.DONE, None)
    assert len(asked) == 1


@pytest.mark.parametrize("times", [1, 2])
def test_after_a_run_that_had_to_be_killed_the_device_is_asked_before_anybody_waits(
    place: Workplace, asked: list[str], times: int
):
    for _ in range(times):
        cancel_a_run_of(place, "endless")
    assert len(asked) == times
    assert end_of_the_next(place) == (RunState.DONE, None)
    assert len(asked) == times


def test_after_a_run_that_failed_the_device_is_asked_before_anybody_waits(
    place: Workplace, asked: list[str]
):
    run_with(place, "crashing", a_run(place.database, place.settings))
    assert len(asked) == 1
    assert end_of_the_next(place) == (RunState.DONE, None)
    assert len(asked) == 1


def test_a_device_silent_at_first_is_asked_again_for_the_next_run(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
):
    answers = iter([SILENT, SILENT, place.device.facts])
    asked = note(lambda *_: next(answers), monkeypatch)
    monkeypatch.setattr(device, "PAUSE_SECONDS", 0)
    cancel_a_run_of(place, "endless")
    assert end_of_the_next(place) == (RunState.DONE, None)
    assert len(asked) == 3


def test_nothing_is_started_on_a_device_that_stays_silent(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
):
    asked = note(lambda *_: SILENT, monkeypatch)
    monkeypatch.setattr(device, "PAUSE_SECONDS", 0)
    cancel_a_run_of(place, "endless")
    assert end_of_the_next(place) == (RunState.FAILED, "device_silent")
    assert len(asked) == 1 + device.TRIES


def test_a_worker_told_to_stop_waits_for_no_answer_and_leaves_the_run_waiting(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
):
    began = threading.Event()

    def hanging(settings: Settings, stopping: threading.Event) -> dict[str, Any]:
        began.set()
        return device_probe(with_bench(settings, "mute"), stopping)

    device_probe = device.probe
    monkeypatch.setattr(device, "probe", hanging)
    monkeypatch.setattr(device, "PROBE_SECONDS", PATIENCE_SECONDS * 10)
    run_id = a_run(place.database, place.settings)
    left = threading.Event()

    def take_it() -> None:
        with pytest.raises(LeaveForLater):
            work_off(place, run_id)
        left.set()

    place.device.doubt()
    threading.Thread(target=take_it, daemon=True).start()
    assert began.wait(PATIENCE_SECONDS)
    place.stopping.set()
    assert left.wait(PATIENCE_SECONDS)
    assert the_run(place.database, run_id).state is RunState.WAITING


@pytest.mark.parametrize(
    ("name", "grace", "in_order"),
    [
        ("steady", PATIENCE_SECONDS, True),
        ("crashing", PATIENCE_SECONDS, False),
        ("told", PATIENCE_SECONDS, True),
        ("endless", bench.GRACE_SECONDS, False),
    ],
)
def test_what_had_to_be_killed_or_died_did_not_end_in_order(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    grace: float,
    in_order: bool,
):
    monkeypatch.setattr(bench, "GRACE_SECONDS", grace)
    with bench.running(with_bench(settings, name), []) as process:
        for _ in range(2):  # crashing has one and its end, and is gone by then
            process.output.next_line(PATIENCE_SECONDS)
        process.end()
        assert process.ended_in_order() is in_order
