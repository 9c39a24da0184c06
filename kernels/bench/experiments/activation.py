"""The chain's forward under each activation, in bf16 and fp32: rate and instructions.

Two kernels: the fused one, tuned, and a plain one, one program a row, in which nothing but
the activation differs between "identity", "gelu" (from the normal tail) and "erf" (the
library's). Tensors of both dtypes have the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kernels import traffic
from kernels.bench.experiments.rows import CAPS
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Bench, Timing
from kernels.lab.experiment import Asked

FEATURES = 1024
TENSOR_BYTES = 47_968 * FEATURES * 2
BITS = {"bf16": 8, "fp32": 24}
FUSED = ("identity", "relu", "silu", "gelu_tanh", "gelu")
PLAIN = ("identity", "gelu", "erf")
CHECKED_ROWS = 2048


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import activation_cpu

        activation_cpu.run(asked)
        return
    bench = GpuBench(asked, steps=len(BITS) * (len(FUSED) + len(PLAIN)) + 5)
    from kernels.bench.experiments.clocks import LANES_A_CLOCK, clock_hz
    from kernels.bench.experiments.together import compile_at_once, together

    cases = [case for dtype in BITS for case in _cases(bench, dtype)]
    bench.step("inputs drawn")
    compile_at_once([partial(case.call, case.sets[0]) for case in cases])
    bench.step("kernels compiled")
    for case in cases:
        case.check(bench)
        bench.step(f"{case.variant} {case.activation} {case.dtype} checked")
    prepared = together([partial(case.timing, case.compiled()) for case in cases])
    bench.step("instructions counted")
    issue = bench.facts["multiprocessors"] * LANES_A_CLOCK * clock_hz(bench.torch)
    bench.limit(TENSOR_BYTES // 2, bench.torch.bfloat16, issued_per_s=issue)
    bench.step("machine's limit timed")
    bench.measure(prepared)
    bench.step("timed")
    clock = issue / bench.facts["multiprocessors"] / LANES_A_CLOCK
    bench.finish(tensor_bytes=TENSOR_BYTES, features=FEATURES, clock_hz=clock)


@dataclass(frozen=True)
class _Case:
    """One kernel, activation and dtype over all sets of inputs."""

    variant: str
    activation: str
    dtype: str
    sets: list[tuple]
    call: Callable[[tuple], tuple]
    compiled: Callable[[], Any]
    elements: int

    def timing(self, compiled) -> Timing:
        """What is to be timed, with what the compiled kernel says of itself."""
        from kernels.bench.experiments.sass import an_element

        chain = traffic.Chain(len(self.sets[0][0]), FEATURES, self.dtype, saves=False)
        facts = {
            "bytes": traffic.total_bytes(chain, "fused", "forward"),
            "elements": chain.elements,
            "registers": compiled.n_regs,
            **an_element(compiled, self.elements),
        }
        calls = [lambda given=given: self.call(given) for given in self.sets]
        where = {"activation": self.activation, "dtype": self.dtype}
        return Timing(self.variant, calls, where, facts)

    def check(self, bench: Bench) -> None:
        """The first rows against float64."""
        from kernels.reference import exact_chain

        few = slice(0, CHECKED_ROWS)
        x, residual, weight, bias, _ = self.sets[0]
        known = "gelu" if self.activation == "erf" else self.activation
        exact = exact_chain(x[few], residual[few], weight, bias, norm="layer", activation=known)
        (y,) = self.call(self.sets[0])
        quantity = f"y, {self.activation} {self.dtype}"
        bench.check(self.variant, quantity, y[few], exact, CAPS[x.element_size()])


def _cases(bench: GpuBench, name: str) -> list[_Case]:
    from kernels.bench.variants import DTYPES

    dtype = DTYPES[name]
    rows = TENSOR_BYTES // FEATURES // dtype.itemsize
    sets = [_drawn(bench, rows, dtype) for _ in range(bench.sets(3 * TENSOR_BYTES))]
    bench.torch.cuda.synchronize()
    fused = [_fused(activation, name, sets) for activation in FUSED]
    return fused + [_plain(activation, name, sets) for activation in PLAIN]


def _drawn(bench: GpuBench, rows: int, dtype) -> tuple:
    """(x, residual, weight, bias, y)"""
    inputs = bench.inputs(rows, FEATURES, dtype)
    return (*inputs, bench.torch.empty_like(inputs[0]))


def _fused(activation: str, name: str, sets: list[tuple]) -> _Case:
    from kernels import plans
    from kernels.launch import forward
    from kernels.tiling import forward_tiling

    x = sets[0][0]
    itemsize = x.element_size()
    how, has = ("layer", activation, BITS[name]), (True, True, True)

    def call(given: tuple) -> tuple:
        return forward(*given[:4], ("layer", activation, 1e-5), False)[:1]

    def compiled():
        plan = plans.forward(x.device, None, FEATURES, itemsize, 16, how, has, False)
        return next(iter(plan.compiled.values()))

    tile = forward_tiling(FEATURES, itemsize).rows * FEATURES
    return _Case("fused", activation, name, sets, call, compiled, tile)


def _plain(activation: str, name: str, sets: list[tuple]) -> _Case:
    from kernels.bench.experiments.erf_chain import start

    def call(given: tuple) -> tuple:
        start(*given, activation, BITS[name])
        return given[4:]

    def compiled():
        return start(*sets[0], activation, BITS[name])

    return _Case("plain", activation, name, sets, call, compiled, FEATURES)
