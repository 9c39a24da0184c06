"""Processes that get ready at once and measure in turn."""

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench import limits
from kernels.bench.bars import Measured
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request
from kernels.bench.workers import Worker

SHAPE = Request(64, 32, direction="both")


def measuring(connection, shape, others) -> None:
    connection.send("ready")
    for direction in connection.recv():
        us = {"add": 1.0, "fused": float(len(others) + len(direction))}
        connection.send(Measured(shape, us))


def falling_over(connection, _shape, _others) -> None:
    connection.send("ready")
    connection.recv()
    raise SystemExit(3)


def never_ready(_connection, _shape, _others) -> None:
    raise SystemExit(3)


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


def test_one_shape_that_fails_does_not_cost_the_table_the_others(capsys):
    workers = [Worker(SHAPE, [], work) for work in (falling_over, measuring)]
    failed: list[str] = []
    for worker in workers:
        worker.ready()
    limits._table(workers, failed)
    assert len(failed) == 1
    assert capsys.readouterr().out.count("64×32") == 3
