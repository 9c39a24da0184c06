"""The size experiment's own timing, of calls that find in the cache what fits there.

- One by one: the host's clock around some calls in a row and the wait for the GPU at
  their end, over the number of calls. The host's own time for Python and launches counts.
- In a graph: the same number of calls captured as one CUDA graph, as in a step that is
  captured whole; CUDA events around one replay, over the number of calls.
"""

import random
import time
from collections.abc import Callable

import torch

from kernels.bench.one_call import wall_us

LEAST_CALLS, MOST_CALLS = 2, 30
QUICK_SAMPLE_US, FULL_SAMPLE_US = 4000, 10_000
"""Of the separate calls in a row. What a sample has once, its start and the wait at its end, took
0.15 ms beside an H200: in three calls one pass at 1 GB seemed a fifth longer than it is."""

WARM_UP_SECONDS = 0.1
LONG_ROUND_SECONDS = 0.005
"""A longer round is followed by a pause as long as itself: gigabytes without one draw so much
power that the GPU holds its clocks back."""

METHOD = {
    "timer": "one by one: the host's clock around a sample's calls and the wait for the GPU; "
    "in a graph: CUDA events around one replay of a graph of as many; both over their number",
    "order": "all variants of a volume once a round, shuffled anew each round",
    "warm_up_seconds": WARM_UP_SECONDS,
    "pauses": f"after each round of more than {LONG_ROUND_SECONDS * 1e3:.0f} ms, as long as it",
    "sets": "one set of tensors, used again and again",
    "poisoned": "each graph's output filled with NaN and checked after a replay, before timing",
}

_SPIN_CYCLES = 200_000

Call = Callable[[], torch.Tensor]


def calls_a_sample(separate_us: float, sample_us: float) -> int:
    """So many that the host's waiting is a small part of the sample."""
    return max(LEAST_CALLS, min(MOST_CALLS, round(sample_us / separate_us)))


def captured(
    call: Call, count: int, stream: "torch.cuda.Stream"
) -> tuple["torch.cuda.CUDAGraph", torch.Tensor]:
    """(a graph of `count` calls, what the last of them writes)."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(count - 1):
            call()
        written = call()
    torch.cuda.synchronize()
    return graph, written


def timed(calls: dict[str, Call], graphs: dict, count: int, rounds: int) -> dict[str, list[float]]:
    """{variant: microseconds a call}; all in each round, in an order shuffled anew.

    A call is made `count` times one by one; a graph is of `count` calls.
    """
    ways: dict[str, Callable[[], float]] = {
        name: lambda call=call: wall_us(call, count) for name, call in calls.items()
    }
    ways |= {name: lambda graph=graph: _replayed(graph, count) for name, graph in graphs.items()}
    samples: dict[str, list[float]] = {name: [] for name in ways}
    start, turn = time.monotonic(), 0
    while turn == 0 or time.monotonic() - start < WARM_UP_SECONDS:
        _round(ways, turn)
        turn += 1
    for i in range(rounds):
        for name, sample in _round(ways, turn + i).items():
            samples[name].append(sample)
    return samples


def _round(ways: dict[str, Callable[[], float]], turn: int) -> dict[str, float]:
    start = time.monotonic()
    order = random.Random(turn).sample(list(ways), len(ways))
    samples = {name: ways[name]() for name in order}
    seconds = time.monotonic() - start
    time.sleep(seconds if seconds > LONG_ROUND_SECONDS else 0)
    return samples


def _replayed(graph, count: int) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(_SPIN_CYCLES)  # so that the replay is queued before the clock starts
    start.record()
    graph.replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 1e3 / count
