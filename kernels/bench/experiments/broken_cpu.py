"""The broken benchmarks that a processor can make: on the pointwise chain, one core.

Without a device that runs apart from the program, the clock cannot be stopped too early,
and without a compiler in the way nothing is compiled.
"""

from collections.abc import Callable
from itertools import cycle

from kernels.bench import cpu_chains
from kernels.bench.cpu_chains import POINTWISE_TRANSFERS, exact_pointwise
from kernels.bench.cpu_harness import CpuBench, giving
from kernels.bench.cpu_timing import microseconds
from kernels.bench.experiments.size_cpu import CAP, CHECKED
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

FEATURES = 1024
ROWS, SMALL_ROWS = 1 << 14, 1 << 10  # 64 and 4 MB a tensor
TRIALS, SETS = 5, 8
NOTES = (
    "No GPU: this is relu(x·w + b)·0.5 + r on one core, in float32. A processor does the work "
    "within the call and nothing is compiled, so those mistakes are not to be made here.",
)


def run(asked: Asked, rows: int = ROWS, small_rows: int = SMALL_ROWS) -> None:
    """Print the events of one run."""
    bench = CpuBench(asked, steps=6)
    bench.limit(rows * FEATURES, bench.torch.float32)
    bench.add_gb_per_s = None  # rates above the limit are what some of these show
    bench.step("machine's limit timed")
    large, tensors = _calls(bench, rows)
    exact = exact_pointwise(tensors, CHECKED)
    for name in POINTWISE_TRANSFERS:
        tensors["pointwise"].fill_(float("nan"))
        large[name]()
        bench.check(name, "y", tensors["pointwise"][CHECKED], exact, CAP)
    bench.step("results checked")
    honest = _timed(bench, large | {"operators": _operators(bench.torch, tensors)})
    _say(bench, "honest", honest, rows)
    _say(bench, "unfair_baseline", honest | {"separate": honest["operators"]}, rows)
    bench.step("timed honestly, and against another baseline")
    _say(bench, "no_warm_up", _first_calls(bench.torch, tensors, rows), rows)
    bench.step("timed without a warm-up")
    small = [_calls(bench, small_rows)[0] for _ in range(SETS)]
    cache = bench.facts["cache_bytes"]
    if cache and 2 * cache <= SETS * 12 * small_rows * FEATURES:  # else the sets would not be cold
        turns = {name: cycle([one[name] for one in small]) for name in POINTWISE_TRANSFERS}
        cold = {name: lambda turn=turn: next(turn)() for name, turn in turns.items()}
        _say(bench, "small", _timed(bench, cold), small_rows)
        _say(bench, "hot_cache", _timed(bench, small[0]), small_rows)
    bench.step("timed on small tensors")
    _say(bench, "tiny_tensor", _timed(bench, _calls(bench, 1)[0]), 1)
    bench.step("timed on a tiny tensor")
    bench.finish(NOTES, features=FEATURES, rows=rows, small_rows=small_rows, sets=SETS)


def _calls(bench: CpuBench, rows: int) -> tuple[dict[str, Callable], dict]:
    found, _, tensors = cpu_chains.calls(bench.torch, rows, FEATURES)
    return {name: found[name] for name in POINTWISE_TRANSFERS}, tensors


def _timed(bench: CpuBench, calls: dict[str, Callable]) -> dict[str, list[float]]:
    timings = [Timing(name, [giving(call)]) for name, call in calls.items()]
    return dict(zip(calls, bench.timed(timings), strict=True))


def _operators(torch, tensors: dict) -> Callable[[], None]:
    """The chain as it is written down: each operator's result in new memory."""
    x, residual, weight, bias = (tensors[name] for name in ("x", "residual", "weight", "bias"))

    def written() -> None:
        torch.relu(x * weight + bias) * 0.5 + residual

    return written


def _first_calls(torch, tensors: dict, rows: int) -> dict[str, list[float]]:
    """Into memory that nobody has touched yet, which the system has still to provide."""
    samples: dict[str, list[float]] = {name: [] for name in POINTWISE_TRANSFERS}
    block = max(1, cpu_chains.BLOCK_BYTES // (4 * FEATURES))
    for _ in range(TRIALS):
        for name, at_once in (("separate", rows), ("fused", block)):
            new = tensors | {key: torch.empty(rows, FEATURES) for key in ("h", "g", "out")}
            call = cpu_chains.over_blocks(torch, cpu_chains.pointwise, new, new["out"], at_once)
            samples[name].append(microseconds(call))
    return samples


def _say(bench: CpuBench, run: str, samples: dict[str, list[float]], rows: int) -> None:
    for name, transfers in POINTWISE_TRANSFERS.items():
        facts = {"bytes": transfers * 4 * rows * FEATURES, "rows": rows}
        bench.result(name, samples[name], {"run": run}, facts)
