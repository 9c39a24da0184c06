"""The step on a GPU: a front end and layers of the chain, forward and backward, in a CUDA graph."""

from collections.abc import Callable

import torch
from torch import Tensor

from kernels import fused_chain, separate_chain
from kernels.bench import timing
from kernels.bench.experiments import each
from kernels.bench.experiments.feeding import BANDS, Decoder
from kernels.bench.experiments.together import compile_at_once
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.protocol import PRESETS
from kernels.reference import eager_chain

ROWS, FEATURES = PRESETS["whisper-large"].rows, PRESETS["whisper-large"].features
LAYERS = 6
PACE = 2.0  # a batch comes after so many times what the separate step takes
CHECKED_ROWS = 256
CAP = 3e-2  # some twenty roundings to bfloat16, one after another
CHAINS = {"separate": separate_chain, "fused": fused_chain}
METHOD = {
    "timer": "time.perf_counter from one step's end to the next's; CUDA events around the graph",
    "step": f"{BANDS} bands → {FEATURES} features, {LAYERS} layers of the chain, forward and "
    "backward, bfloat16, one CUDA graph",
    "rows": ROWS,
}


class Weights:
    """The front end's [BANDS, FEATURES] and each layer's weight and bias; all leaves."""

    def __init__(self) -> None:
        self.front = self._leaf(torch.randn(BANDS, FEATURES) * BANDS**-0.5)
        self.layers = [
            (self._leaf(1 + 0.2 * torch.randn(FEATURES)), self._leaf(0.2 * torch.randn(FEATURES)))
            for _ in range(LAYERS)
        ]

    def _leaf(self, values: Tensor) -> Tensor:
        return values.to("cuda", torch.bfloat16).requires_grad_()

    def all(self) -> list[Tensor]:
        """Every leaf, the front end first."""
        return [self.front, *(vector for pair in self.layers for vector in pair)]


def trained(chain: Callable, batch: Tensor, leaves: list[Tensor], dy: Tensor) -> tuple:
    """(y, the leaves' gradients): each layer adds the front end's output as its residual."""
    x = batch @ leaves[0]
    h = x
    for weight, bias in zip(leaves[1::2], leaves[2::2], strict=True):
        h = chain(h, x, weight, bias)
    return (h.detach(), *torch.autograd.grad(h, leaves, dy))


def prepared(bench: GpuBench) -> tuple[dict[str, Callable], Decoder]:
    """({chain: step}, the decoder of their batches); Failure where a step is wrong."""
    x = torch.ones(ROWS, FEATURES, device="cuda", dtype=torch.bfloat16)
    compile_at_once(each.both(x))
    decoder, leaves = Decoder(ROWS, torch.bfloat16, pinned=True), Weights().all()
    dy = torch.randn(ROWS, FEATURES, device="cuda", dtype=torch.bfloat16)
    batch = decoder.make(0).to("cuda")
    few = slice(0, CHECKED_ROWS)
    wide = [leaf.detach().double().requires_grad_() for leaf in leaves]
    exact = trained(eager_chain, batch[few].double(), wide, dy[few].double())
    for name, chain in CHAINS.items():
        found = trained(chain, batch[few], leaves, dy[few])
        for quantity, one, other in zip(("y", "dfront", "dweight"), found, exact, strict=False):
            bench.check(name, quantity, one, other, CAP)
    return {name: _step(bench, chain, batch, leaves, dy) for name, chain in CHAINS.items()}, decoder


def _step(bench: GpuBench, chain: Callable, batch: Tensor, leaves: list[Tensor], dy: Tensor):
    """The step as a graph over `batch`: takes a new one, runs, returns the device's µs."""
    whole = timing.Timed("step", [lambda: trained(chain, batch, leaves, dy)])
    timing.capture(whole, bench.stream)
    (graph,) = whole.graphs
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def step(given: Tensor) -> float:
        batch.copy_(given, non_blocking=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3

    return step
