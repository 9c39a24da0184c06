"""The kernels that the activation experiment times, with their inputs and what they are made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kernels import plans, traffic
from kernels.bench.experiments.activation import BITS, FEATURES, FUSED, PLAIN, TENSOR_BYTES
from kernels.bench.experiments.erf_chain import start
from kernels.bench.experiments.rows import CAPS
from kernels.bench.experiments.sass import an_element
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Bench, Timing
from kernels.bench.variants import DTYPES
from kernels.forward_tiling import forward_tiling
from kernels.launch import forward
from kernels.reference import exact_chain

CHECKED_ROWS = 2048


@dataclass(frozen=True)
class Case:
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
        few = slice(0, CHECKED_ROWS)
        x, residual, weight, bias, _ = self.sets[0]
        known = "gelu" if self.activation == "erf" else self.activation
        exact = exact_chain(x[few], residual[few], weight, bias, norm="layer", activation=known)
        (y,) = self.call(self.sets[0])
        quantity = f"y, {self.activation} {self.dtype}"
        bench.check(self.variant, quantity, y[few], exact, CAPS[x.element_size()])


def cases_of(bench: GpuBench, name: str) -> list[Case]:
    """Every kernel under each of its activations, in the dtype of this name."""
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


def _fused(activation: str, name: str, sets: list[tuple]) -> Case:
    x = sets[0][0]
    itemsize = x.element_size()
    how, has = ("layer", activation, BITS[name]), (True, True, True)

    def call(given: tuple) -> tuple:
        return forward(*given[:4], ("layer", activation, 1e-5), False)[:1]

    def compiled():
        plan = plans.forward(x.device, None, FEATURES, itemsize, 16, how, has, False)
        return next(iter(plan.compiled.values()))

    tile = forward_tiling(FEATURES, itemsize).rows * FEATURES
    return Case("fused", activation, name, sets, call, compiled, tile)


def _plain(activation: str, name: str, sets: list[tuple]) -> Case:
    def call(given: tuple) -> tuple:
        start(*given, activation, BITS[name])
        return given[4:]

    def compiled():
        return start(*sets[0], activation, BITS[name])

    return Case("plain", activation, name, sets, call, compiled, FEATURES)
