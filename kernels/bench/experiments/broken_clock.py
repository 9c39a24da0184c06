"""The mistakes that are made with the host's clock: each gives {variant: samples in µs of a call}.

A chain is a call of no arguments on a large set of inputs.
"""

import gc
import time
from collections.abc import Callable, Mapping

import torch
from triton import knobs

from kernels.bench.one_call import wall_us

FIRST_CALLS, COMPILED_CALLS = 5, 10
TRIALS, IDLE_SECONDS = 10, 0.05

METHOD = {
    "compile_in_window": f"mean of {COMPILED_CALLS} calls by the host's clock, separate first",
    "no_warm_up": f"mean of {FIRST_CALLS} calls by the host's clock after an idle "
    f"{IDLE_SECONDS} s and the memory given back, separate first; {TRIALS} times",
    "no_synchronize": "the host's clock around one call, the GPU not waited for",
}

Chains = Mapping[str, Callable[[], object]]
Samples = dict[str, list[float]]


def compile_in_window(chains: Chains) -> Samples:
    """The mean of some calls, the first of which compiles: one sample, as it is had once."""
    knobs.compilation.always_compile = True  # whatever earlier runs have left on the disk
    try:
        return {name: [wall_us(chain, COMPILED_CALLS)] for name, chain in chains.items()}
    finally:
        knobs.compilation.always_compile = False


def no_warm_up(chains: Chains) -> Samples:
    """The mean of the first calls after a pause, with no memory for their results yet."""
    samples: Samples = {name: [] for name in chains}
    for _ in range(TRIALS):
        gc.collect()
        torch.cuda.empty_cache()
        time.sleep(IDLE_SECONDS)
        for name, chain in chains.items():
            samples[name].append(wall_us(chain, FIRST_CALLS))
    return samples


def no_synchronize(chains: Chains, rounds: int) -> Samples:
    """The host's time for a call, which the GPU has hardly begun when the clock stops."""
    samples: Samples = {name: [] for name in chains}
    for _ in range(rounds):
        for name, chain in chains.items():
            torch.cuda.synchronize()
            start = time.perf_counter()
            chain()
            samples[name].append((time.perf_counter() - start) * 1e6)
    torch.cuda.synchronize()
    return samples
