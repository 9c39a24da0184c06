"""One timing method, for every variant and for the machine's limit.

*GPU time of a graph replay, cold, interleaved.* Each call is captured once as a
CUDA graph, so that a sample holds the kernels and the gaps that the GPU leaves
between them, not Python. Pairs of CUDA events on the stream time each replay.

- Cold: the calls go round sets of inputs and outputs that together exceed three
  times the L2 cache; consecutive samples never share a set.
- Interleaved: a round times every call once, in an order shuffled anew (seeded),
  so a drift of the clocks, and what the call before left in the cache, meet all alike.
- A spinning kernel starts each round: while it holds the GPU the whole round is
  queued, so no sample waits for the host.
- Rounds are discarded until half a second has passed: compiling, first touches
  and the ramp of the clocks are in those.
- Outputs are filled with NaN before the first round and checked after the last.

Median, with the 10th and the 90th percentile: the distribution has a long right
tail, which a mean would follow.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from kernels.bench.protocol import SEED

WARM_UP_SECONDS = 0.5
ROUNDS = 100
COLD_FACTOR = 3
MOST_SETS = 8
_SPIN_CYCLES = 400_000  # about 0.2 ms


@dataclass(slots=True)
class Timed:
    """A call, its graphs (one for each set) and what was read of it."""

    name: str
    calls: Sequence[Callable[[], tuple[Tensor, ...]]]
    graphs: list = field(default_factory=list)
    outputs: list[tuple[Tensor, ...]] = field(default_factory=list)
    samples_us: list[float] = field(default_factory=list)


def capture(timed: Timed, stream: "torch.cuda.Stream") -> None:
    """Record each call of `timed` as a graph on `stream`, after two calls that compile."""
    for call in timed.calls:
        with torch.cuda.stream(stream):
            for _ in range(2):
                call()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            outputs = call()
        timed.graphs.append(graph)
        timed.outputs.append(outputs)


def replay_once(all_timed: Sequence[Timed]) -> None:
    """Let every graph write its outputs once."""
    for timed in all_timed:
        for graph in timed.graphs:
            graph.replay()
    torch.cuda.synchronize()


def poison(all_timed: Sequence[Timed], keep: Sequence[Tensor]) -> None:
    """Fill all outputs with NaN, but for those that are an input (dresidual is dy itself)."""
    kept = {tensor.data_ptr() for tensor in keep}
    with torch.no_grad():
        for timed in all_timed:
            for output in (tensor for outputs in timed.outputs for tensor in outputs):
                if output.data_ptr() not in kept:
                    output.fill_(float("nan"))
    torch.cuda.synchronize()


def run_rounds(
    all_timed: Sequence[Timed],
    rounds: int,
    done: Callable[[int], None] = lambda _: None,
    warm_up: float = WARM_UP_SECONDS,
) -> None:
    """Time `rounds` rounds after `warm_up` seconds; `done(i)` is called after each."""
    start = time.monotonic()
    turn = 0
    while time.monotonic() - start < warm_up:
        _round(all_timed, turn)
        turn += 1
    for i in range(rounds):
        for timed, sample in _round(all_timed, turn + i):
            timed.samples_us.append(sample)
        done(i)


def _round(all_timed: Sequence[Timed], turn: int) -> list[tuple[Timed, float]]:
    ordered = random.Random(turn).sample(all_timed, len(all_timed))
    events = [tuple(torch.cuda.Event(enable_timing=True) for _ in range(2)) for _ in ordered]
    torch.cuda._sleep(_SPIN_CYCLES)
    for k, (timed, (start, end)) in enumerate(zip(ordered, events, strict=True)):
        graph = timed.graphs[(turn * len(ordered) + k) % len(timed.graphs)]
        start.record()
        graph.replay()
        end.record()
    torch.cuda.synchronize()
    pairs = zip(ordered, events, strict=True)
    return [(timed, start.elapsed_time(end) * 1e3) for timed, (start, end) in pairs]


def sets_needed(bytes_a_set: int, l2_bytes: int) -> int:
    """How many sets make the calls cold, within reason."""
    return max(2, min(MOST_SETS, -(-COLD_FACTOR * l2_bytes // bytes_a_set)))


def method(rounds: int, cases: str, **more: Any) -> dict[str, Any]:
    """What a summary says of it; `cases` are what is timed in one round."""
    return {
        "timer": "CUDA events around replays of a CUDA graph",
        "statistic": "median, with p10 and p90",
        "repetitions": rounds,
        "warm_up_seconds": WARM_UP_SECONDS,
        **more,
        "order": f"all {cases} once a round, shuffled anew each round",
        "inputs": "normal, from a fixed seed",
        "seed": SEED,
        "poisoned": "outputs filled with NaN before timing and checked after it",
    }
