"""Processes that compile all at once, and then measure one at a time.

What takes longest is torch.compile, which keeps one core busy; what must not be
disturbed is the timing. So each shape has a process that compiles for it, says that
it is ready and waits; when all are, each is told in turn to measure. One that says
nothing in time is ended, lest it disturb what the others measure.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kernels.bench.emit import Failure
from kernels.bench.protocol import Request

COMPILE_SECONDS = 300
"""For a process to be ready; they compile at once, so for all of them. 480 s are there in all."""

CASE_SECONDS = 40
"""For one case to be measured, which takes about one."""


class Worker:
    """A process for one shape, all directions; `others` is what else it compiles for.

    `spent` says, once it is ready, how many seconds it compiled for what.
    """

    def __init__(self, shape: Request, others: Sequence, work: Callable | None = None) -> None:
        os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # there are as many processes as cores
        spawn = multiprocessing.get_context("spawn")
        self.shape = shape
        self.spent: dict[str, float] = {}
        self.ours, theirs = spawn.Pipe()
        given = (theirs, shape, others)
        self.process = spawn.Process(target=work or _work, args=given, daemon=True)
        self.started = time.monotonic()
        self.process.start()
        theirs.close()

    def ready(self) -> None:
        """Wait until everything is compiled; Failure where the process came to nothing."""
        self.spent = self._receive(self.started + COMPILE_SECONDS - time.monotonic())

    def measure(self, asked: Sequence) -> Iterator[Any]:
        """Measure what is asked (directions), one after another; Failure where it can't."""
        with suppress(OSError):  # of a process that is no more, which _receive finds
            self.ours.send(tuple(asked))
        for _ in asked:
            yield self._receive(CASE_SECONDS)

    def _receive(self, seconds: float) -> Any:
        with suppress(EOFError, OSError):
            if self.ours.poll(max(0.0, seconds)):
                return self.ours.recv()
        self.process.kill()
        self.process.join(timeout=5)
        raise Failure("failed", f"The process that measures {self.shape} said nothing more.")


def succeeds(attempt: Callable[[], None], failed: list[str]) -> bool:
    """Whether it does; one worker that fails must not cost the others. Else a line in `failed`."""
    try:
        attempt()
    except Failure as failure:
        failed.append(str(failure))
        print(f"# {failure}", flush=True)
        return False
    return True


def _work(connection, shape: Request, others: Sequence[Request]) -> None:
    start = time.monotonic()
    import torch

    from kernels.bench import machine, peers, race

    entrants = race.chains(shape) | peers.entrants()
    spent = {"start": time.monotonic() - start}
    spent |= race.prepare(replace(shape, direction="both"), entrants)
    start = time.monotonic()
    for request in others:
        few = replace(request, rows=min(request.rows, 64), direction="both")  # the same kernels
        race.prepare(few, {"fused": race.fused(request)})
    connection.send(spent | {"other cases": time.monotonic() - start})
    l2_bytes = machine.gpu(torch)["l2_bytes"]
    for direction in connection.recv():
        connection.send(race.race(replace(shape, direction=direction), entrants, l2_bytes))
