"""The size experiment for a processor: the pointwise chain of kernels/bench/cpu_chains.py.

Separate passes over whole tensors against the same operators in blocks that stay in the
core's cache, from one row to some times the cache. Up to one block the two are the same.
"""

from kernels.bench.cpu_chains import BLOCK_BYTES, POINTWISE_TRANSFERS, calls, exact_pointwise
from kernels.bench.cpu_harness import CpuBench, giving
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

FEATURES = 1024
VOLUMES = (1e4, 1e5, 1e6, 3e6, 1e7, 3e7, 1e8, 4e8)
CAP = 1e-5
CHECKED = slice(-512, None)
NOTES = (
    "No GPU: this is relu(x·w + b)·0.5 + r on one core, in float32, in five passes (11 tensors "
    "moved) or in blocks (3 tensors).",
    "A block's intermediates still cross the core's cache once for each operator, so the gain "
    "stays under the ratio of the bytes.",
    f"Up to a block, {BLOCK_BYTES / 1e6:.1f} MB a tensor, one pass and separate passes are the "
    "same calls.",
)


def run(asked: Asked, volumes: tuple[float, ...] = VOLUMES) -> None:
    """Print the events of one run."""
    bench = CpuBench(asked, steps=len(volumes) + 1)
    limit_elements = round(max(volumes)) // 12
    bench.limit(limit_elements, bench.torch.float32)
    bench.add_gb_per_s = None  # no share of it in the results: most never go to memory
    bench.step("machine's limit timed")
    for volume in volumes:
        rows = max(1, round(volume / (12 * FEATURES)))
        _measure(bench, rows)
        bench.step(f"{rows} rows timed")
    bench.finish(NOTES, features=FEATURES, block_bytes=BLOCK_BYTES)


def _measure(bench: CpuBench, rows: int) -> None:
    found, _, tensors = calls(bench.torch, rows, FEATURES)
    y, exact = tensors["pointwise"], exact_pointwise(tensors, CHECKED)
    tensor_bytes = 4 * rows * FEATURES
    timings = []
    for name, transfers in POINTWISE_TRANSFERS.items():
        y.fill_(float("nan"))
        found[name]()
        bench.check(name, f"y of {rows} rows", y[CHECKED], exact, CAP)
        at, facts = {"volume": 3 * tensor_bytes}, {"bytes": transfers * tensor_bytes}
        timings.append(Timing(name, [giving(found[name], y)], at, facts))
    bench.measure(timings)
