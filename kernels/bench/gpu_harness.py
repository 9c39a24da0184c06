"""The harness on a GPU: CUDA graphs of calls that find nothing in the cache.

The timing is that of kernels/bench/timing.py.
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from kernels.bench import machine
from kernels.bench.harness import Bench, Timing
from kernels.lab.experiment import Asked


def facts(torch) -> dict[str, Any]:
    """The current GPU, and what starts the kernels on it: host_us depends on that."""
    from kernels.native import calls

    return machine.gpu(torch) | {"launcher": calls.launcher()}


class GpuBench(Bench):
    """One run on the current GPU; `steps` is how much progress there is."""

    QUICK_ROUNDS, FULL_ROUNDS = 30, 100

    def __init__(self, asked: Asked, steps: int) -> None:
        super().__init__(asked, steps)
        self.stream = self.torch.cuda.Stream()
        self.pause_seconds = 0.0  # after each timed round, for what runs into the power limit

    def sets(self, bytes_a_set: int) -> int:
        """How many sets of inputs and outputs make the calls cold."""
        from kernels.bench import timing

        return timing.sets_needed(bytes_a_set, self.facts["l2_bytes"])

    def inputs(self, rows: int, features: int, dtype) -> tuple:
        """One set of the chain's (x, residual, weight, bias), all normal."""
        draw = self.torch.randn
        shapes = ((rows, features), (rows, features), (features,), (features,))
        return tuple(draw(shape, device="cuda").to(dtype) for shape in shapes)

    def timed(
        self, timings: Sequence[Timing], keep: Sequence = (),
        look: Callable[[Sequence], None] = lambda _: None,
    ) -> list[list[float]]:  # fmt: skip
        """Samples in µs of each, all interleaved; outputs poisoned before, finite after.

        `keep` are tensors that may be outputs but must not be poisoned, inputs above all.
        `look` is handed the captured graphs (timing.Timed, one for each) before the rounds.
        """
        from kernels.bench import timing

        all_timed = [timing.Timed(str(i), t.calls) for i, t in enumerate(timings)]
        self.stream.wait_stream(self.torch.cuda.current_stream())  # on which inputs are drawn
        for one in all_timed:
            timing.capture(one, self.stream)
        look(all_timed)
        timing.poison(all_timed, keep)
        timing.run_rounds(all_timed, self.rounds, lambda _: time.sleep(self.pause_seconds))
        for one, given in zip(all_timed, timings, strict=True):
            self._see_finite(given.variant, one.outputs)
        return [one.samples_us for one in all_timed]

    def free(self) -> None:
        """Give the memory of what is no longer held back to the device."""
        gc.collect()
        self.torch.cuda.empty_cache()

    def _need(self) -> Any:
        return machine.need_gpu()

    def _facts(self) -> dict[str, Any]:
        return facts(self.torch)

    def _state(self) -> dict[str, Any]:
        return machine.state(self.facts["id"])

    def _limit_calls(self, elements: int, dtype) -> dict[str, Callable[[], tuple]]:
        torch = self.torch
        x, r = (torch.randn(elements, device="cuda").to(dtype) for _ in range(2))
        copied, added = torch.empty_like(x), torch.empty_like(x)
        add = lambda: (torch.add(x, r, out=added),)  # noqa: E731
        return {"copy": lambda: (copied.copy_(x),), "add": add}

    def _method(self) -> dict[str, Any]:
        from kernels.bench import timing

        return timing.method(self.rounds, "cases of a group")
