"""Two products by cuBLAS against one kernel that keeps the intermediate on the chip, over sizes."""

from functools import partial

from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked
from kernels.lab.matmuls import ENCODER
from kernels.lab.products import Products

VOLUME = 48_000 * 1280  # elements of x and of y, the same at every size
PEAK_SIDE = 8192
CHECKED_ROWS = 128
MOST_ROUNDS = 60
LARGE, PAUSE_SECONDS = 512, 0.02
"""From so many features on a pause follows each round: large products without one draw so much
power that the GPU holds its clocks back."""

CAP = 1e-2  # h and y are rounded to 16 bits
QUICK = ((32, 128), (64, 256), (256, 1024), ENCODER)
FULL = (
    (16, 64), (32, 128), (64, 64), (64, 256), (64, 1024), (128, 512), (256, 1024), (512, 2048),
    (1280, 64), (1280, 1280), ENCODER,
)  # fmt: skip


def run(asked: Asked) -> None:
    """Print the events of one run."""
    sizes = QUICK if asked.quick else FULL
    bench = GpuBench(asked, steps=len(sizes) + (1 if asked.quick else len(sizes)) + 3)
    bench.rounds = min(bench.rounds, MOST_ROUNDS)
    bench.step("PyTorch loaded")
    _Run(bench).go(sizes)


class _Run:
    """What is the same for all sizes of one run."""

    def __init__(self, bench: GpuBench) -> None:
        from kernels.bench.experiments import matmul_ways
        from kernels.bench.variants import DTYPES

        self.bench, self.facts = bench, matmul_ways.facts
        self.between = bench.asked.parameters["between"]
        self.ways = matmul_ways.ways(self.between)
        self.dtype = DTYPES[bench.asked.parameters["dtype"]]

    def go(self, sizes) -> None:
        bench = self.bench
        self._compile(sizes)
        bench.step("kernels compiled")
        prepared = []
        for features, hidden in sizes:
            prepared.append((features, hidden, self._checked(features, hidden)))
            bench.step(f"{features} → {hidden} → {features} is right")
        bench.limit(VOLUME, self.dtype)
        bench.step("memory's limit timed")
        groups = [prepared] if bench.asked.quick else [[one] for one in prepared]
        for group in groups:
            self._time(group, [self._peak()] if group is groups[-1] else [])
        pauses = f"{PAUSE_SECONDS} s after each round of {LARGE} features and more"
        bench.finish(volume=VOLUME, pauses=pauses, peak=f"{PEAK_SIDE}³ by cuBLAS, or faster here")

    def _compile(self, sizes) -> None:
        """The fused kernel of every size, at once; how it is compiled does not depend on rows."""
        from kernels.bench.experiments.together import compile_at_once

        given = [
            (self._normal(CHECKED_ROWS, features), *self._weights(features, hidden))
            for features, hidden in sizes
        ]
        compile_at_once([partial(self.ways["fused"], *one) for one in given])

    def _time(self, group: list[tuple], more: list[Timing]) -> None:
        """Some sizes in the same rounds, and what else is to be timed in them."""
        features, hidden, _ = group[-1]
        self.bench.pause_seconds = PAUSE_SECONDS if features >= LARGE else 0.0
        self.bench.measure(more + [timing for one in group for timing in self._timings(*one)])
        self.bench.step(f"{features} → {hidden} → {features} timed")
        self.bench.free()

    def _normal(self, *shape: int, scale: float = 1.0):
        draw = self.bench.torch.randn(*shape, device="cuda", dtype=self.dtype)
        return draw.mul_(scale)

    def _weights(self, features: int, hidden: int) -> tuple:
        """(W₁, W₂), so scaled that h and y are about normal."""
        first = self._normal(features, hidden, scale=features**-0.5)
        return first, self._normal(hidden, features, scale=hidden**-0.5)

    def _checked(self, features: int, hidden: int) -> list[tuple]:
        """Sets of (x, W₁, W₂) on which every variant agrees with float64."""
        weights = self._weights(features, hidden)
        needed = self.bench.sets(2 * VOLUME * self.dtype.itemsize)
        sets = [(self._normal(VOLUME // features, features), *weights) for _ in range(needed)]
        exact = self._exact(*sets[0])
        for name, way in self.ways.items():
            (y,) = way(*sets[0])
            at = f"y at {features} → {hidden}"
            self.bench.check(name, at, self._ends(y), exact, CAP)
        return sets

    def _ends(self, x):
        return self.bench.torch.cat((x[:CHECKED_ROWS], x[-CHECKED_ROWS:]))

    def _exact(self, x, first, second):
        h = self._ends(x).double() @ first.double()
        if self.between == "gelu":
            h = self.bench.torch.nn.functional.gelu(h, approximate="tanh")
        return h @ second.double()

    def _timings(self, features: int, hidden: int, sets: list[tuple]) -> list[Timing]:
        from kernels.bench.experiments.back_to_back import blocks

        cut, rows = blocks(features, hidden), len(sets[0][0])
        counted = Products(rows, features, hidden, cut.columns, self.dtype.itemsize)
        facts = self.facts(self.between, counted, cut)
        at = {"rows": rows, "features": features, "hidden": hidden}
        return [
            Timing(name, [partial(way, *given) for given in sets], at, facts[name])
            for name, way in self.ways.items()
        ]

    def _peak(self) -> Timing:
        a, b = self._normal(PEAK_SIDE, PEAK_SIDE), self._normal(PEAK_SIDE, PEAK_SIDE)
        return Timing("peak", [lambda: (a @ b,)], facts={"flops": 2 * PEAK_SIDE**3})
