"""Processes that get ready at once and measure in turn."""

import time
from types import SimpleNamespace

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench import limits, workers
from kernels.bench.bars import Measured
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request
from kernels.bench.workers import Worker

SHAPE = Request(64, 32, direction="both")
NARROW = Request(64, 16, direction="both")


def measuring(connection, shape, others) -> None:
    connection.send({"start": 1.0, "default": shape.features})
    for direction in connection.recv():
        us = {"add": 1.0, "fused": float(len(others) + len(direction))}
        connection.send(Measured(shape, us))


def falling_over(connection, _shape, _others) -> None:
    connection.send({})
    connection.recv()
    raise SystemExit(3)


def never_ready(_connection, _shape, _others) -> None:
    raise SystemExit(3)


def hung(_connection, _shape, _others) -> None:
    while True:
        time.sleep(60)


def hung_later(connection, _shape, _others) -> None:
    connection.send({})
    hung(connection, _shape, _others)


def test_a_worker_measures_each_direction_when_it_is_told():
    worker = Worker(SHAPE, [SHAPE], measuring)
    worker.ready()
    found = list(worker.measure(("forward", "both")))
    assert [measured.us["fused"] for measured in found] == [8.0, 5.0]
    assert found[0].request == SHAPE


def test_a_worker_that_ends_early_is_a_failure_that_names_its_shape():
    with pytest.raises(Failure, match="features=32"):
        Worker(SHAPE, [], never_ready).ready()
    worker = Worker(SHAPE, [], falling_over)
    worker.ready()
    with pytest.raises(Failure, match="features=32"):
        list(worker.measure(("forward",)))


def test_a_worker_that_is_not_ready_in_time_is_ended_lest_it_disturb_the_others(monkeypatch):
    worker = Worker(SHAPE, [], hung)
    monkeypatch.setattr(workers, "COMPILE_SECONDS", 0)
    with pytest.raises(Failure, match="features=32"):
        worker.ready()
    assert not worker.process.is_alive()


def test_a_worker_that_hangs_as_it_measures_is_ended(monkeypatch):
    worker = Worker(SHAPE, [], hung_later)
    worker.ready()
    monkeypatch.setattr(workers, "CASE_SECONDS", 0)
    with pytest.raises(Failure, match="features=32"):
        list(worker.measure(("forward",)))
    assert not worker.process.is_alive()


def test_what_kept_the_last_worker_is_said(capsys):
    failed: list[str] = []
    started = [Worker(shape, [], measuring) for shape in (NARROW, SHAPE)]
    ready = limits._ready([*started, Worker(SHAPE, [], never_ready)], failed)
    assert ready == started
    assert len(failed) == 1
    said = capsys.readouterr().out
    assert "# the longest to compile, 64×32 bf16 both: start 1 s, default 32 s" in said


def test_a_stage_says_how_long_it_took(capsys, monkeypatch):
    clock = SimpleNamespace(monotonic=iter((10.0, 52.4)).__next__)
    monkeypatch.setattr(limits, "time", clock)
    assert limits._stage("compiling", lambda: 7) == 7
    assert capsys.readouterr().out.endswith(": compiling took 42 s\n")


def test_one_shape_that_fails_does_not_cost_the_table_the_others(capsys):
    both = [Worker(SHAPE, [], work) for work in (falling_over, measuring)]
    failed: list[str] = []
    for worker in both:
        worker.ready()
    limits._table(both, failed)
    assert len(failed) == 1
    assert capsys.readouterr().out.count("64×32") == 3
