"""The harness on a processor: the same events, one thread, the timing of cpu_timing.py.

Every call must write into buffers made beforehand (`out=`), so that no sample holds an
allocation or a page fault.
"""

from collections.abc import Callable, Sequence
from typing import Any

from kernels.bench import cpu_timing, machine
from kernels.bench.harness import Bench, Timing
from kernels.bench.protocol import SEED


class CpuBench(Bench):
    """One run on one core; `steps` is how much progress there is."""

    QUICK_ROUNDS, FULL_ROUNDS = 15, 40

    def sets(self, bytes_a_set: int) -> int:
        """One: tensors several times the caches' size leave none of themselves there."""
        return 1

    def measure_beside_limit(self, timings: Sequence[Timing], elements: int) -> None:
        """Time the cases and the machine's limit in the same rounds: a core's share varies."""
        limits = self._limit_calls(elements, self.torch.float32)
        both = [Timing(name, [call]) for name, call in limits.items()]
        copy, add, *rest = self.timed([*both, *timings])
        self._say_limit(copy, add, 4 * elements)
        self._results(timings, rest)

    def timed(self, timings: Sequence[Timing], keep: Sequence = ()) -> list[list[float]]:
        """Samples in µs of each, interleaved; nothing is poisoned, so all of `keep` is kept."""
        samples = cpu_timing.run_rounds([timing.calls[0] for timing in timings], self.rounds)
        for timing in timings:
            self._see_finite(timing.variant, [timing.calls[0]()])
        return samples

    def _need(self) -> Any:
        torch = machine.need_torch()
        torch.set_num_threads(1)
        return torch

    def _facts(self) -> dict[str, Any]:
        return machine.cpu(self.torch)

    def _state(self) -> dict[str, Any]:
        return {}

    def _limit_calls(self, elements: int, dtype) -> dict[str, Callable[[], tuple]]:
        torch = self.torch
        x, r, y = (torch.randn(elements).to(dtype) for _ in range(3))
        return {"copy": lambda: (y.copy_(x),), "add": lambda: (torch.add(x, r, out=y),)}

    def _method(self) -> dict[str, Any]:
        return {
            **cpu_timing.method(self.rounds, "cases of a group"),
            "buffers": "made beforehand and reused",
            "inputs": f"normal, from the seed {SEED}",
        }


def giving(call: Callable[[], object], *written) -> Callable[[], tuple]:
    """`call` as a Timing wants it: it returns the tensors that it wrote."""

    def called() -> tuple:
        call()
        return written

    return called
