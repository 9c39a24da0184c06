"""The chain from 10 kB to 10 GB: called one by one as a program does it, and within a graph.

One set of tensors is used again and again: what fits in the cache is found there, as it
is by a program whose last layer has just written it; what is far larger never is.

- One by one: the host's clock around some calls in a row and the wait for the GPU at
  their end, over the number of calls. The host's own time for Python and launches counts.
- In a graph: the same number of calls captured as one CUDA graph, as in a step that is
  captured whole; CUDA events around one replay, over the number of calls.
"""

import random
import time
from collections.abc import Callable

from kernels import traffic
from kernels.bench.experiments.rows import check_rows
from kernels.bench.harness import Bench
from kernels.lab.experiment import Asked

FEATURES = 1024
QUICK = (1e4, 1e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9, 1e10)
FULL = (1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10)
MOST_ROUNDS = 50
LEAST_CALLS, MOST_CALLS, SAMPLE_US = 3, 30, 1000
WARM_UP_SECONDS = 0.1
LONG_ROUND_SECONDS = 0.005
"""A longer round is followed by a pause as long as itself: gigabytes without one draw so much
power that the GPU holds its clocks back."""

_SPIN_CYCLES = 200_000
_LIMIT_ELEMENTS = 1 << 27
_TENSORS_HELD = 10  # two inputs, and what five ways to run the chain keep; in units of B

Call = Callable[[], object]


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import size_cpu

        return size_cpu.run(asked)
    volumes = QUICK if asked.quick else FULL
    bench = Bench(asked, steps=len(volumes) + 2)
    bench.rounds = min(bench.rounds, MOST_ROUNDS)
    from kernels.bench.experiments.each import compile_forward
    from kernels.bench.variants import DTYPES

    dtype = DTYPES[asked.parameters["dtype"]]
    compile_forward(FEATURES, dtype)
    bench.step("kernels compiled")
    rate = bench.limit(_LIMIT_ELEMENTS, dtype)
    bench.add_gb_per_s = None  # no share of it in the results: most never go to memory
    bench.free()
    bench.step("machine's limit timed")
    notes = []
    for volume in volumes:
        rows = max(1, round(volume / (3 * FEATURES * dtype.itemsize)))
        if _fits(bench, rows * FEATURES * dtype.itemsize):
            _measure(bench, rows, dtype, rate)
            bench.free()
        else:
            notes.append(f"{volume / 1e9:.0f} GB was left out: the GPU has too little free memory.")
        bench.step(f"{rows} rows timed")
    bench.finish(notes, **_method())
    return None


def _fits(bench: Bench, tensor_bytes: int) -> bool:
    return tensor_bytes * _TENSORS_HELD < bench.torch.cuda.mem_get_info()[0]


def _measure(bench: Bench, rows: int, dtype, rate: float) -> None:
    """One volume: inputs drawn, every variant checked, timed, said."""
    from kernels import fused_chain, separate_chain
    from kernels.reference import eager_chain

    inputs = _inputs(bench.torch, rows, dtype)
    chains = {"eager": eager_chain, "separate": separate_chain, "fused": fused_chain}
    calls = {name: lambda chain=chain: chain(*inputs) for name, chain in chains.items()}
    chain = traffic.Chain(rows, FEATURES, bench.asked.parameters["dtype"])
    moved = {name: traffic.total_bytes(chain, name, "forward") for name in calls}
    for name, call in calls.items():
        check_rows(bench, name, call(), inputs)
    count = _calls_a_sample(moved["separate"] / rate / 1e3)
    graphs = {}
    for name in ("separate", "fused"):
        graphs[f"{name}_graph"], written = _graph(bench, calls[name], count)
        written.fill_(float("nan"))
        graphs[f"{name}_graph"].replay()
        check_rows(bench, f"{name}_graph", written, inputs)
    at = {"volume": 3 * chain.tensor_bytes}
    for name, samples in _timed(bench, calls, graphs, count).items():
        facts = {"bytes": moved[name.removesuffix("_graph")], "calls": count}
        bench.result(name, samples, at, facts)


def _inputs(torch, rows: int, dtype) -> tuple:
    x, residual = (torch.randn(rows, FEATURES, device="cuda").to(dtype) for _ in range(2))
    weight, bias = (torch.randn(FEATURES, device="cuda").to(dtype) for _ in range(2))
    return x, residual, weight, bias


def _calls_a_sample(separate_us: float) -> int:
    """Enough for a millisecond, and for the host's waiting to be a small part of the sample."""
    return max(LEAST_CALLS, min(MOST_CALLS, round(SAMPLE_US / separate_us)))


def _graph(bench: Bench, call: Call, count: int) -> tuple:
    """(a graph of `count` calls, what the last of them writes)."""
    torch = bench.torch
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=bench.stream):
        for _ in range(count - 1):
            call()
        written = call()
    torch.cuda.synchronize()
    return graph, written


def _timed(bench: Bench, calls: dict[str, Call], graphs: dict, count: int) -> dict:
    """{variant: microseconds a call}; all in each round, in an order shuffled anew."""
    ways = {name: lambda call=call: _one_by_one(bench.torch, call, count)
            for name, call in calls.items()}  # fmt: skip
    ways |= {name: lambda graph=graph: _replayed(bench.torch, graph, count)
             for name, graph in graphs.items()}  # fmt: skip
    samples: dict[str, list[float]] = {name: [] for name in ways}
    start, turn = time.monotonic(), 0
    while turn == 0 or time.monotonic() - start < WARM_UP_SECONDS:
        _round(ways, turn)
        turn += 1
    for i in range(bench.rounds):
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


def _one_by_one(torch, call: Call, count: int) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e6 / count


def _replayed(torch, graph, count: int) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(_SPIN_CYCLES)  # so that the replay is queued before the clock starts
    start.record()
    graph.replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 1e3 / count


def _method() -> dict:
    return {
        "timer": "one by one: the host's clock around `calls` calls and the wait for the GPU; "
        "in a graph: CUDA events around one replay of a graph of `calls` calls; over `calls`",
        "order": "all variants of a volume once a round, shuffled anew each round",
        "warm_up_seconds": WARM_UP_SECONDS,
        "pauses": f"after each round of more than {LONG_ROUND_SECONDS * 1e3:.0f} ms, as long as it",
        "sets": "one set of tensors, used again and again",
        "features": FEATURES,
        "poisoned": "each graph's output filled with NaN and checked after a replay, before timing",
    }
