"""An input pipeline that is slower than the device, and one that is never waited for.

A batch is made as training makes it: stored 8-bit features are widened, scaled and masked
(SpecAugment's bands of time and frequency) by a thread on the processor, into memory that was
set aside before. A *starved* step waits for such batches, one in each period: the making, and
then sleep, which stands for storage and a network. A *ready* step finds its batch made.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from statistics import median
from threading import Event, Thread

import torch
from torch import Tensor

from kernels.bench.emit import Failure

BANDS = 80
BUFFERS = 4  # one is being made, one is queued, one is in use
_PATIENCE = 10.0
_MOST_FRAMES, _MOST_BANDS = 40, 15  # masked at once


class Decoder:
    """Makes batches of [rows, BANDS]; `make(i)` gives the i-th, in one of a few buffers."""

    def __init__(self, rows: int, dtype: torch.dtype, pinned: bool) -> None:
        self.stored = torch.randint(256, (rows, BANDS), dtype=torch.uint8)
        self.wide = torch.empty(rows, BANDS)
        self.buffers = [
            torch.empty(rows, BANDS, dtype=dtype, pin_memory=pinned) for _ in range(BUFFERS)
        ]

    def make(self, i: int) -> Tensor:
        """Batch i, its masks where i puts them."""
        self.wide.copy_(self.stored).sub_(127.5).mul_(1 / 74)  # standard deviation 1
        frame, band = 997 * i % len(self.wide), 13 * i % BANDS
        self.wide[frame : frame + _MOST_FRAMES] = 0.0
        self.wide[:, band : band + _MOST_BANDS] = 0.0
        return self.buffers[i % BUFFERS].copy_(self.wide)

    def seconds(self, times: int = 5) -> float:
        """How long one batch takes to make, by the median."""
        taken = []
        for i in range(times + 1):
            start = time.perf_counter()
            self.make(i)
            taken.append(time.perf_counter() - start)
        return median(taken[1:])


class Starved:
    """Hands out a batch for each `period` seconds, made by a thread of its own."""

    def __init__(self, make: Callable[[int], Tensor], period: float) -> None:
        self._make, self._period = make, period
        self._queue: Queue[Tensor] = Queue(maxsize=1)
        self._over = Event()
        self._thread = Thread(target=self._work, daemon=True)

    def __enter__(self) -> "Starved":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def get(self) -> Tensor:
        """The next batch, waited for."""
        try:
            return self._queue.get(timeout=_PATIENCE)
        except Empty:
            raise Failure("failed", "The input pipeline made no batch for 10 s.") from None

    def _work(self) -> None:
        i, due = 0, time.perf_counter()
        while not self._over.is_set():
            due = max(due + self._period, time.perf_counter())
            batch = self._make(i)
            self._over.wait(max(0.0, due - time.perf_counter()))
            self._offer(batch)
            i += 1

    def _offer(self, batch: Tensor) -> None:
        while not self._over.is_set():
            with suppress(Full):
                self._queue.put(batch, timeout=0.05)
                return


class Ready:
    """Hands out batches that were made before."""

    def __init__(self, make: Callable[[int], Tensor]) -> None:
        self._batches, self._next = [make(i) for i in range(BUFFERS)], 0

    def __enter__(self) -> "Ready":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get(self) -> Tensor:
        """The next batch, at once."""
        self._next += 1
        return self._batches[self._next % BUFFERS]


def fed(
    step: Callable[[Tensor], float], source: Starved | Ready, count: int
) -> list[tuple[float, float]]:
    """(µs on the clock, µs of the device) of `count` steps, after one that is not counted.

    `step` takes a batch, waits until the device is done with it and returns the device's time.
    """
    taken = []
    with source:
        step(source.get())
        before = time.perf_counter()
        for _ in range(count):
            device_us = step(source.get())
            now = time.perf_counter()
            taken.append(((now - before) * 1e6, device_us))
            before = now
    return taken
