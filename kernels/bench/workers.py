"""Processes that compile all at once, and then measure one at a time.

What takes longest is torch.compile, which keeps one core busy; what must not be
disturbed is the timing. So each shape has a process that compiles for it, says that
it is ready and waits; when all are, each is told in turn to measure.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from kernels.bench.bars import Measured
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request

WAIT_SECONDS = 400


class Worker:
    """A process for one shape and dtype, all directions; it also compiles for `others`."""

    def __init__(
        self, shape: Request, others: Sequence[Request], work: Callable | None = None
    ) -> None:
        os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # there are as many processes as cores
        spawn = multiprocessing.get_context("spawn")
        self.shape = shape
        self.ours, theirs = spawn.Pipe()
        given = (theirs, shape, others)
        self.process = spawn.Process(target=work or _work, args=given, daemon=True)
        self.process.start()
        theirs.close()

    def ready(self) -> None:
        """Wait until everything is compiled; Failure where the process came to nothing."""
        self._receive()

    def measure(self, directions: Sequence[str]) -> Iterator[Measured]:
        """Measure these directions, one after another; Failure where it can't."""
        with suppress(OSError):  # of a process that is no more, which _receive finds
            self.ours.send(tuple(directions))
        for _ in directions:
            yield self._receive()

    def _receive(self):
        with suppress(EOFError, OSError):
            if self.ours.poll(WAIT_SECONDS):
                return self.ours.recv()
        raise Failure("failed", f"The process that measures {self.shape} said nothing more.")


def _work(connection, shape: Request, others: Sequence[Request]) -> None:
    import torch

    from kernels.bench import machine, peers, race

    entrants = race.chains(shape) | peers.entrants()
    race.prepare(replace(shape, direction="both"), entrants)
    for request in others:
        few = replace(request, rows=min(request.rows, 64), direction="both")  # the same kernels
        race.prepare(few, {"fused": race.fused(request)})
    connection.send("ready")
    l2_bytes = machine.gpu(torch)["l2_bytes"]
    for direction in connection.recv():
        connection.send(race.race(replace(shape, direction=direction), entrants, l2_bytes))
