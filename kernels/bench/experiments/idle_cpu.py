"""The step on a processor: the pointwise chain, in passes over memory or in blocks in the cache."""

from collections.abc import Callable

import torch

from kernels.bench import cpu_chains
from kernels.bench.cpu_timing import microseconds
from kernels.bench.experiments.feeding import BANDS, Decoder
from kernels.bench.harness import Bench

ROWS, FEATURES = 4096, 1024
PACE = 4.0  # a batch comes after so many times what the separate step takes, which varies
CHECKED_ROWS = 256
CAP = 1e-5
METHOD = {
    "timer": "time.perf_counter from one step's end to the next's, and around the chain",
    "step": "relu(x·w + b)·0.5 + r, float32, forward, one thread: five passes, or one in blocks",
    "rows": ROWS,
}


def prepared(bench: Bench) -> tuple[dict[str, Callable], Decoder]:
    """({chain: step}, the decoder of their batches); Failure where a step is wrong."""
    calls, _, tensors = cpu_chains.calls(torch, ROWS, FEATURES)
    steps = {name: _step(calls[name], tensors["x"]) for name in ("separate", "fused")}
    few = slice(-CHECKED_ROWS, None)
    for name, step in steps.items():
        tensors["pointwise"].fill_(float("nan"))
        step(torch.randn(ROWS, BANDS))
        exact = cpu_chains.exact_pointwise(tensors, few)
        bench.check(name, "y", tensors["pointwise"][few], exact, CAP)
    return steps, Decoder(ROWS, torch.float32, pinned=False)


def _step(call: Callable[[], object], x) -> Callable:
    """Takes a batch as the first features of x, runs the chain, returns its µs."""

    def step(given) -> float:
        x[:, :BANDS].copy_(given)
        return microseconds(call)

    return step
