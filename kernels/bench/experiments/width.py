"""The fused forward over row lengths, at one volume: rate, registers, spills, strategy."""

import math
from collections.abc import Sequence

from kernels import traffic
from kernels.bench.experiments.rows import CAPS
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

ELEMENTS = 1 << 26
QUICK = (64, 512, 1280, 4096, 16_384, 65_536)
FULL = (
    64, 128, 256, 512, 768, 1024, 1280, 2048, 4096, 5000, 8192, 16_384, 32_768, 65_536, 131_072,
    262_144,
)  # fmt: skip


def run(asked: Asked) -> None:
    """Print the events of one run."""
    widths = QUICK if asked.quick else FULL
    bench = GpuBench(asked, steps=len(widths) + 3)
    from kernels.bench.variants import DTYPES

    dtype = DTYPES[asked.parameters["dtype"]]
    _compile(bench, widths, dtype)
    bench.step("kernels compiled")
    bench.limit(ELEMENTS, dtype)
    bench.step("machine's limit timed")
    timings = []
    for features in widths:
        timings.append(_prepared(bench, features, dtype))
        bench.step(f"{features} features ready")
    bench.measure(timings)
    bench.step("timed")
    bench.finish(elements=ELEMENTS)


def _compile(bench: GpuBench, widths: Sequence[int], dtype) -> None:
    from kernels.bench.experiments import each
    from kernels.bench.experiments.together import compile_at_once

    rows = [bench.torch.ones(1, features, device="cuda", dtype=dtype) for features in widths]
    compile_at_once([start for row in rows for start in each.fused_forward(row, save=False)])


def _prepared(bench: GpuBench, features: int, dtype) -> Timing:
    """One length: inputs drawn, kernel checked."""
    from kernels.launch import forward
    from kernels.reference import exact_chain

    rows = ELEMENTS // features
    needed = bench.sets(3 * ELEMENTS * dtype.itemsize)
    sets = [bench.inputs(rows, features, dtype) for _ in range(needed)]
    how = ("layer", "gelu", 1e-5)
    y, _ = forward(*sets[0], how, False)
    few = slice(0, max(1, (1 << 20) // features))
    x, r, weight, bias = sets[0]
    exact = exact_chain(x[few], r[few], weight, bias, norm="layer", activation="gelu")
    bench.check("fused", f"y at {features}", y[few], exact, CAPS[dtype.itemsize])
    calls = [lambda given=given: forward(*given, how, False)[:1] for given in sets]
    chain = traffic.Chain(rows, features, bench.asked.parameters["dtype"], saves=False)
    facts = {"bytes": traffic.total_bytes(chain, "fused", "forward"), **_facts(x)}
    return Timing("fused", calls, {"features": features}, facts)


def _facts(x) -> dict:
    """The way of working on such rows; as compiled, the registers and spilled bytes of a lane."""
    from kernels import plans
    from kernels.prepared import bits

    features, itemsize = x.shape[-1], x.element_size()
    how, has = ("layer", "gelu", bits(x.dtype)), (True, True, True)
    align = math.gcd(features, 16)
    plan = plans.forward(x.device, None, features, itemsize, align, how, has, False)
    compiled = next(iter(plan.compiled.values()), None)
    if compiled is None:
        return {"strategy": plan.way}
    return {"strategy": plan.way, "registers": compiled.n_regs, "spills": compiled.n_spills}
