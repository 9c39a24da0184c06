"""A speech encoder's whole training step with the chain separate, by PyTorch's operators, fused.

Each step is forward, loss, backward and fused AdamW, all in bfloat16 (weights too), captured
whole as one CUDA graph: uncaptured, Python's launches would set the time of all three alike.
The chain's share is the sum of its kernels' times in replays of the separate step's graph, as
the profiler sees them, over the step's time by events.
"""

from collections.abc import Callable
from functools import partial

from kernels import traffic
from kernels.bench.experiments import seen
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.bench.protocol import PRESETS, Request
from kernels.lab.experiment import Asked

SHAPE = PRESETS["conformer-l"]
WAYS = ("separate", "eager", "fused")
PAUSE_SECONDS = 0.04
"""After each round: steps without a pause draw so much power that the GPU holds its clocks back."""

NOTES = {
    "quartznet": "After QuartzNet and Citrinet: five modules of depthwise and pointwise "
    "convolution with the chain; LayerNorm instead of BatchNorm, the residual round each module "
    "and added after the ReLU, no squeeze and excitation, no front end.",
    "conformer": "After Conformer: two blocks; LayerNorm instead of BatchNorm, standing with its "
    "SiLU after the second pointwise product, so one chain a block; no relative positions, no "
    "dropout, no front end.",
}


def run(asked: Asked) -> None:
    """Print the events of one run."""
    bench = GpuBench(asked, steps=len(WAYS) + 6)
    bench.step("PyTorch loaded")
    _Run(bench, asked.parameters["model"]).go()


class _Run:
    """One run's encoders, one for each way, and their steps."""

    def __init__(self, bench: GpuBench, model: str) -> None:
        from kernels.bench.experiments import encoders, training

        self.bench, self.model, self.training = bench, model, training
        self.layers, self.activation = encoders.LAYERS[model][1:]

    def go(self) -> None:
        from kernels.bench.experiments.share_checks import check

        bench = self.bench
        check(bench, self.model, SHAPE.rows, SHAPE.features)
        self._time_chain()
        bench.step("chain timed alone")
        bench.free()
        self._time_steps()
        bench.step("steps timed")
        bench.finish([NOTES[self.model]], **self._method())

    def _time_chain(self) -> None:
        """The chain alone, forward and backward, at the step's shape."""
        from kernels.bench import variants
        from kernels.bench.launched import launched

        how = {"activation": self.activation, "direction": "both"}
        request = Request(SHAPE.rows, SHAPE.features, "bf16", **how)
        chain = traffic.Chain(SHAPE.rows, SHAPE.features, "bf16", activation=self.activation)
        needed = self.bench.sets(3 * chain.tensor_bytes)
        drawn = [variants.draw(request, number) for number in range(needed)]
        counted = launched(chain, drawn[0].leaves[0])
        chains = {
            way: partial(self.training.CHAINS[way], activation=self.activation) for way in WAYS
        }
        keep = [tensor for one in drawn for tensor in (*one.leaves, one.dy)]
        timings = [
            Timing(
                "chain", [variants.call(chains[way], one, "both", self.bench.stream)
                          for one in drawn],
                {"way": way},
                {"bytes": traffic.total_bytes(counted, way, "both"), "calls": self.layers},
            )
            for way in WAYS
        ]  # fmt: skip
        self.bench.measure(timings, keep)

    def _time_steps(self) -> None:
        given = self.training.inputs(SHAPE.batch, SHAPE.frames, SHAPE.features)
        timings = [Timing("step", [self._step(way, *given)], {"way": way}) for way in WAYS]
        facts: list[dict] = []

        def look(captured) -> None:
            self.bench.step("steps captured")
            facts.extend(self._look_inside(*pair) for pair in zip(WAYS, captured, strict=True))
            self.bench.step("kernels of the steps seen")

        self.bench.pause_seconds = PAUSE_SECONDS
        samples = self.bench.timed(timings, look=look)
        for timing, taken, found in zip(timings, samples, facts, strict=True):
            self.bench.result("step", taken, timing.at, found)

    def _step(self, way: str, x, letters) -> Callable[[], tuple]:
        encoder = self.training.encoder(self.model, SHAPE.features, way).bfloat16()
        optimizer = self.training.optimizer_of(encoder)
        return partial(self.training.train, encoder, optimizer, x, letters)

    def _look_inside(self, way: str, step) -> dict:
        """Kernels of a replay as the profiler sees them; says the chain's time among them."""
        count = 10 if self.bench.asked.quick else 30
        replays = seen.replays(self.bench.torch, step.graphs[0], count)
        if not replays:
            return {}
        parts = seen.parts(replays)
        if way != "eager":  # whose kernels have no names of the chain's own
            chain = [sum(time for name, time in one if name in seen.CHAIN) for one in replays]
            facts = {"calls": self.layers, "timer": "the profiler's kernel times"}
            self.bench.result("chain_in_step", chain, {"way": way}, facts)
        return {"kernels": len(replays[0]), "parts_us": parts}

    def _method(self) -> dict:
        return {
            "shape": [SHAPE.batch, SHAPE.frames, SHAPE.features], "layers": self.layers,
            "step": "forward, cross-entropy a frame, backward, fused AdamW; one CUDA graph",
            "pauses": f"{PAUSE_SECONDS} s after each round of steps",
            "numbers": "bfloat16, weights and optimizer state too",
        }  # fmt: skip
