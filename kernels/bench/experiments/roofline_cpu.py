"""The roofline of one core: float32 products, torch.add, the chain's passes, the chain in blocks.

The chain is the pointwise relu(x·w + b)·0.5 + r, whose passes write into buffers made
beforehand. A core's products and its other arithmetic use the same units, so there is one
ceiling for both.
"""

from collections.abc import Callable

from kernels.bench import cpu_chains
from kernels.bench.cpu_harness import CpuBench, giving
from kernels.bench.experiments.encoder_products import encoder_products
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

ROWS, FEATURES = 8192, 1280
PRODUCT_BATCH, PRODUCT_FRAMES, PRODUCT_FEATURES = 1, 512, 1280
PEAK_SIDE = 1536
CAP = 1e-5
CHECKED = slice(0, 512)
COUNTS = {"multiply": (2, 1), "relu": (2, 1), "add": (3, 1), "fused": (3, 5), "peak_add": (3, 1)}
"""Whole tensors moved, and operations an element."""


def run(asked: Asked) -> None:
    """Print the events of one run."""
    bench = CpuBench(asked, steps=3)
    timings = [_ceiling(bench), *_chain(bench)]
    bench.step("chain checked")
    timings += encoder_products(
        bench, PRODUCT_BATCH, PRODUCT_FRAMES, PRODUCT_FEATURES, "cpu", bench.torch.float32
    )
    bench.step("matrix products checked")
    bench.measure(timings)
    bench.step("timed")
    bench.finish(rows=ROWS, features=FEATURES, peak_matmul=f"{PEAK_SIDE}³ in float32")


def _ceiling(bench: CpuBench) -> Timing:
    torch = bench.torch
    left, right, out = (torch.randn(PEAK_SIDE, PEAK_SIDE) for _ in range(3))
    torch.mm(left, right, out=out)
    few = slice(0, 64)
    bench.check("peak_matmul", "product", out[few], left[few].double() @ right.double(), CAP)
    facts = {"flops": 2 * PEAK_SIDE**3, "bytes": 3 * left.nbytes}
    return Timing("peak_matmul", [lambda: (torch.mm(left, right, out=out),)], facts=facts)


def _chain(bench: CpuBench) -> list[Timing]:
    """The pointwise chain: three of its passes, and all five in blocks that stay in the cache."""
    calls, limits, tensors = cpu_chains.calls(bench.torch, ROWS, FEATURES)
    passes = {**_passes(bench.torch, tensors), "fused": (calls["fused"], "pointwise")}
    passes["peak_add"] = (limits["add"], "limit")
    exact = _exact(tensors)
    whole = tensors["x"]
    timings = []
    for name, (call, out) in passes.items():
        call()
        bench.check(name, "result", tensors[out][CHECKED], exact[name], CAP)
        moved, operations = COUNTS[name]
        facts = {"bytes": moved * whole.nbytes, "flops": operations * whole.numel()}
        timings.append(Timing(name, [giving(call, tensors[out])], facts=facts))
    return timings


def _passes(torch, tensors: dict) -> dict[str, tuple[Callable, str]]:
    """{pass: (call, the name of what it writes)}"""
    x, residual, weight = (tensors[name] for name in ("x", "residual", "weight"))
    h, g, y = (tensors[name] for name in ("h", "g", "chain"))
    return {
        "multiply": (lambda: torch.mul(x, weight, out=h), "h"),
        "relu": (lambda: torch.clamp(x, min=0.0, out=g), "g"),
        "add": (lambda: torch.add(x, residual, out=y), "chain"),
    }


def _exact(tensors: dict) -> dict:
    x, residual = (tensors[name][CHECKED].double() for name in ("x", "residual"))
    return {
        "multiply": x * tensors["weight"].double(),
        "relu": x.relu(),
        "add": x + residual,
        "peak_add": x + residual,
        "fused": cpu_chains.exact_pointwise(tensors, CHECKED),
    }
