"""The chain timed honestly, and with one mistake at a time, as it is often made.

Each mistake is the whole of what its benchmark does wrong: else it is the honest one.
"""

from collections.abc import Callable
from functools import partial

from kernels import traffic
from kernels.bench.experiments.rows import check_rows
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

ROWS, FEATURES, TINY_ROWS = 48_000, 1280, 16
CACHED = 8  # a small set's tensor is this part of the L2 cache: six of them stay in it
PAIR = ("separate", "fused")

METHOD = {
    "honest": "the timer above, going round sets that together are past three times the cache",
    "hot_cache": f"one set of tensors of 1/{CACHED} of the cache each; 'small' is the same "
    "size going round more sets than fit",
    "zeros": "x and residual all zeros",
    "tiny_tensor": f"{TINY_ROWS} rows",
    "unfair_baseline": "PyTorch's own operators, shown as separate kernels",
}


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import broken_cpu

        return broken_cpu.run(asked)
    bench = GpuBench(asked, steps=8)
    Broken(bench).go()
    return None


class Broken:
    """The run's inputs and chains, and the benchmarks in the order in which they must come."""

    def __init__(self, bench: GpuBench) -> None:
        from kernels import fused_chain, separate_chain
        from kernels.bench.variants import DTYPES
        from kernels.reference import eager_chain

        self.bench, self.torch = bench, bench.torch
        self.dtype = DTYPES[bench.asked.parameters["dtype"]]
        self.chains = {"separate": separate_chain, "fused": fused_chain, "eager": eager_chain}
        self.large = self.sets(ROWS)

    def go(self) -> None:
        """Nothing may have run before what is measured cold; nothing is said before the checks."""
        from kernels.bench.experiments import broken_clock

        bench, pair = self.bench, {name: partial(self._called, name) for name in PAIR}
        compiled = broken_clock.compile_in_window(pair)
        bench.step("timed with the compiler running")
        cold = broken_clock.no_warm_up(pair)
        bench.step("timed without a warm-up")
        for name, chain in self.chains.items():
            check_rows(bench, name, chain(*self.large[0]), self.large[0])
        bench.step("results checked")
        bench.limit(ROWS * FEATURES, self.dtype)
        bench.add_gb_per_s = None  # rates above the limit are what some of these show
        bench.free()
        bench.step("machine's limit timed")
        self.say("compile_in_window", compiled)
        self.say("no_warm_up", cold)
        self.say("no_synchronize", broken_clock.no_synchronize(pair, bench.rounds))
        bench.step("timed without waiting")
        honest = self.graphs(self.large, tuple(self.chains))
        self.say("honest", {name: honest[name] for name in PAIR})
        self.say("unfair_baseline", {"separate": honest["eager"], "fused": honest["fused"]})
        bench.step("timed honestly, and against another baseline")
        self.say("zeros", self.graphs(self._zeros()))
        self.large.clear()
        bench.free()
        bench.step("timed on zeros")
        self.small()
        bench.step("timed on small tensors")
        bench.finish(rows=ROWS, features=FEATURES, **METHOD, **broken_clock.METHOD)

    def sets(self, rows: int) -> list[tuple]:
        """Sets of inputs that together are past the cache, as far as the harness goes."""
        needed = self.bench.sets(3 * rows * FEATURES * self.dtype.itemsize)
        return [self.bench.inputs(rows, FEATURES, self.dtype) for _ in range(needed)]

    def _zeros(self) -> list[tuple]:
        zeros = self.torch.zeros_like
        return [(zeros(x), zeros(residual), *rest) for x, residual, *rest in self.large]

    def say(self, run: str, samples: dict[str, list[float]], rows: int = ROWS) -> None:
        """The results of one benchmark, with the bytes that it believes are moved."""
        chain = traffic.Chain(rows, FEATURES, self.bench.asked.parameters["dtype"], saves=False)
        for name in PAIR:
            facts = {"bytes": traffic.total_bytes(chain, name, "forward"), "rows": rows}
            self.bench.result(name, samples[name], {"run": run}, facts)

    def small(self) -> None:
        """A set that fits in the cache, cold and again and again; and a tiny one."""
        tensor = self.bench.facts["l2_bytes"] // CACHED
        rows = tensor // (FEATURES * self.dtype.itemsize)
        sets = self.sets(rows)
        self.say("small", self.graphs(sets), rows)
        self.say("hot_cache", self.graphs(sets[:1]), rows)
        self.say("tiny_tensor", self.graphs(self.sets(TINY_ROWS)), TINY_ROWS)

    def graphs(self, sets: list[tuple], names: tuple[str, ...] = PAIR) -> dict[str, list[float]]:
        """The honest way: graph replays going round the sets, all variants in each round."""
        timings = [Timing(name, [self._call(name, given) for given in sets]) for name in names]
        keep = [tensor for given in sets for tensor in given]
        return dict(zip(names, self.bench.timed(timings, keep), strict=True))

    def _call(self, name: str, inputs: tuple) -> Callable[[], tuple]:
        chain = self.chains[name]
        return lambda: (chain(*inputs),)

    def _called(self, name: str) -> object:
        return self.chains[name](*self.large[0])
