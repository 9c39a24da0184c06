"""The chain under the roofline: its stages as separate kernels, all in one, and torch.add."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels import launch, separate, traffic
from kernels.bench.experiments import each
from kernels.bench.experiments.halves import CHAIN, EPS, NORM
from kernels.bench.experiments.stages import counts
from kernels.bench.experiments.together import compile_at_once
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.prepared import bits

CAP = 1e-2
CHECKED_ROWS = 2048


def chain_points(bench: GpuBench, rows: int, features: int) -> list[Timing]:
    """torch.add, the three stages and the fused chain, on every set of inputs."""
    weight, bias = _normal(features), _normal(features)
    moved = 3 * rows * features * 2
    pairs = [
        [_normal(rows, features) for _ in range(2)] for _ in range(bench.sets(moved))
    ]  # fmt: skip
    compile_at_once(each.forward(pairs[0][0], save=True))
    calls = [_calls(x, residual, weight, bias) for x, residual in pairs]
    _check(bench, calls[0], *pairs[0], weight, bias)
    counted = counts(traffic.Chain(rows, features))
    return [
        Timing(name, [one[name] for one in calls], facts={"bytes": bytes_, "flops": flops})
        for name, (bytes_, flops) in counted.items()
    ]


def _calls(x, residual, weight, bias) -> dict[str, Callable[[], tuple]]:
    h = launch.forward(x, None, weight, bias, NORM, True)[0]
    y = torch.empty_like(x)
    how = {"ACTIVATION": "gelu", "BITS": bits(x.dtype)}
    run = separate._run
    return {
        "peak_add": lambda: (torch.add(x, residual, out=y),),
        "norm": lambda: launch.forward(x, None, weight, bias, NORM, True),
        "activation": lambda: (
            run(separate.activation_forward, (h, torch.empty_like(h)), **how),
        ),
        "add": lambda: (run(separate.add_forward, (x, residual, torch.empty_like(x))),),
        "fused": lambda: launch.forward(x, residual, weight, bias, CHAIN, True),
    }  # fmt: skip


def _check(bench: GpuBench, calls: dict, x, residual, weight, bias) -> None:
    few = slice(0, CHECKED_ROWS)
    x, residual = x[few].double(), residual[few].double()
    h = F.layer_norm(x, x.shape[-1:], weight.double(), bias.double(), EPS)
    exact = {
        "norm": h, "activation": F.gelu(h), "add": x + residual,
        "fused": F.gelu(h) + residual,
    }  # fmt: skip
    for name, one in exact.items():
        bench.check(name, "result", calls[name]()[0][few], one, CAP)


def _normal(*shape: int) -> Tensor:
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)
