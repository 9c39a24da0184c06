"""The harness on a processor: the same events, one thread, time.perf_counter.

Every call must write into buffers made beforehand (`out=`), so that no sample holds an
allocation or a page fault.
"""

import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from kernels.bench import machine, summary
from kernels.bench.emit import Progress
from kernels.bench.harness import Bench, Timing
from kernels.lab.experiment import Asked

QUICK_ROUNDS, FULL_ROUNDS = 15, 40
SEED = 20260


class CpuBench(Bench):
    """One run on one core; `steps` is how much progress there is."""

    def __init__(self, asked: Asked, steps: int) -> None:
        self.asked = asked
        self.progress = Progress(of=steps)
        self.torch = machine.need_torch()
        self.torch.set_num_threads(1)
        self.torch.manual_seed(SEED)
        self.facts = machine.cpu(self.torch)
        self.rounds = QUICK_ROUNDS if asked.quick else FULL_ROUNDS
        self.started = time.monotonic()
        self.events: list[dict] = []
        said = {"at": machine.now(), "versions": machine.versions()}
        how = {**asked.parameters, "device": asked.device}
        self.say("device", **self.facts, **said, experiment=asked.experiment, parameters=how)
        self.before: dict = {}
        self.add_gb_per_s: float | None = None

    def sets(self, bytes_a_set: int) -> int:
        """One: tensors several times the caches' size leave none of themselves there."""
        return 1

    def measure_beside_limit(self, timings: Sequence[Timing], elements: int) -> None:
        """Time the cases and the machine's limit in the same rounds: a core's share varies."""
        limits = self._limit_calls(elements, self.torch.float32)
        both = [Timing(name, [call]) for name, call in limits.items()]
        copy, add, *rest = self.timed([*both, *timings])
        rates = [summary.rate(n * 4 * elements, median(t)) for n, t in ((2, copy), (3, add))]
        self.add_gb_per_s = rates[1]
        self.say("limit", copy_gb_per_s=rates[0], add_gb_per_s=rates[1], n=self.rounds)
        for timing, samples in zip(timings, rest, strict=True):
            self.result(timing.variant, samples, timing.at, timing.facts)

    def timed(self, timings: Sequence[Timing], keep: Sequence = ()) -> list[list[float]]:
        """Samples in µs of each, interleaved, after one round that is thrown away."""
        samples: list[list[float]] = [[] for _ in timings]
        for turn in range(self.rounds + 1):
            for i in random.Random(turn).sample(range(len(timings)), len(timings)):
                samples[i].append(_microseconds(timings[i].calls[0]))
        for timing in timings:
            self._see_finite(timing.variant, [timing.calls[0]()])
        return [one[1:] for one in samples]

    def _limit_calls(self, elements: int, dtype) -> dict[str, Callable[[], tuple]]:
        torch = self.torch
        x, r, y = (torch.randn(elements).to(dtype) for _ in range(3))
        return {"copy": lambda: (y.copy_(x),), "add": lambda: (torch.add(x, r, out=y),)}

    def _state(self) -> dict[str, Any]:
        return {}

    def _method(self) -> dict[str, Any]:
        return {
            "timer": "time.perf_counter around one call",
            "statistic": "median, with p10 and p90",
            "repetitions": self.rounds,
            "warm_up": "one round, discarded",
            "threads": 1,
            "order": "all cases of a group once a round, shuffled anew each round",
            "buffers": "made beforehand and reused",
            "inputs": f"normal, from the seed {SEED}",
        }


def _microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e6
