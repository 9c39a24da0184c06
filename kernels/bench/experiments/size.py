"""The chain from 10 kB to 10 GB: called one by one as a program does it, and within a graph.

One set of tensors is used again and again: what fits in the cache is found there, as it
is by a program whose last layer has just written it; what is far larger never is. How it
is timed: size_rounds.py.
"""

from kernels import traffic
from kernels.bench.experiments.rows import check_rows
from kernels.bench.gpu_harness import GpuBench
from kernels.lab.experiment import Asked

FEATURES = 1024
QUICK = (1e4, 1e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9, 1e10)
FULL = (1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10)
MOST_ROUNDS = 50

_LIMIT_ELEMENTS = 1 << 27
_TENSORS_HELD = 10  # two inputs, and what five ways to run the chain keep; in units of B


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import size_cpu

        return size_cpu.run(asked)
    volumes = QUICK if asked.quick else FULL
    bench = GpuBench(asked, steps=len(volumes) + 2)
    bench.rounds = min(bench.rounds, MOST_ROUNDS)
    from kernels.bench.experiments import each, size_rounds
    from kernels.bench.experiments.together import compile_at_once
    from kernels.bench.variants import DTYPES

    dtype = DTYPES[asked.parameters["dtype"]]
    row = bench.torch.ones(1, FEATURES, device="cuda", dtype=dtype)
    compile_at_once(each.forward(row, save=False))
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
    bench.finish(notes, **size_rounds.METHOD, features=FEATURES)
    return None


def _fits(bench: GpuBench, tensor_bytes: int) -> bool:
    return tensor_bytes * _TENSORS_HELD < bench.torch.cuda.mem_get_info()[0]


def _measure(bench: GpuBench, rows: int, dtype, rate: float) -> None:
    """One volume: inputs drawn, every variant checked, timed, said."""
    from kernels import fused_chain, separate_chain
    from kernels.bench.experiments import size_rounds
    from kernels.reference import eager_chain

    inputs = bench.inputs(rows, FEATURES, dtype)
    chains = {"eager": eager_chain, "separate": separate_chain, "fused": fused_chain}
    calls = {name: lambda chain=chain: chain(*inputs) for name, chain in chains.items()}
    chain = traffic.Chain(rows, FEATURES, bench.asked.parameters["dtype"], saves=False)
    moved = {name: traffic.total_bytes(chain, name, "forward") for name in calls}
    for name, call in calls.items():
        check_rows(bench, name, call(), inputs)
    quick = bench.asked.quick
    sample_us = size_rounds.QUICK_SAMPLE_US if quick else size_rounds.FULL_SAMPLE_US
    count = size_rounds.calls_a_sample(moved["separate"] / rate / 1e3, sample_us)
    graphs = {}
    for name in ("separate", "fused"):
        graphs[f"{name}_graph"], written = size_rounds.captured(calls[name], count, bench.stream)
        written.fill_(float("nan"))
        graphs[f"{name}_graph"].replay()
        check_rows(bench, f"{name}_graph", written, inputs)
    at = {"volume": 3 * chain.tensor_bytes}
    for name, samples in size_rounds.timed(calls, graphs, count, bench.rounds).items():
        facts = {"bytes": moved[name.removesuffix("_graph")], "calls": count}
        bench.result(name, samples, at, facts)
