"""Before a step is timed: its kernels compiled, and a small step checked against float64."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import NamedTuple

import torch

from kernels.bench.experiments import depthwise, each, training
from kernels.bench.experiments.encoder_parts import TAPS
from kernels.bench.experiments.encoders import LAYERS
from kernels.bench.experiments.together import compile_at_once, together
from kernels.bench.harness import Bench
from kernels.reference import error

BATCH, FRAMES = 2, 96  # of the step that is checked
LEAST_CAP = 2e-2


class Exact(NamedTuple):
    """A small step in float64: what went in, the weights, the loss and the gradients."""

    inputs: tuple
    weights: Mapping[str, torch.Tensor]
    found: Mapping[str, torch.Tensor]


def check(bench: Bench, model: str, rows: int, features: int) -> None:
    """Loss and gradients of a small step in each way; the cap is twice eager's error.

    The kernels of steps of `rows` rows are compiled before.
    """
    exact = _begin(model, rows, features)
    bench.step("kernels compiled")
    caps: dict[str, float] = {}
    for way in ("eager", "separate", "fused"):
        encoder = training.encoder(model, features, way).bfloat16()
        encoder.load_state_dict(exact.weights)
        found = training.loss_and_gradients(encoder, *exact.inputs)
        for name, value in found.items():
            cap = 5 * LEAST_CAP if way == "eager" else max(LEAST_CAP, 2 * caps[name])
            bench.check(way, name, value, exact.found[name], cap)
            caps.setdefault(name, error(value, exact.found[name]))
        bench.step(f"a step with the chain {way} is right")


def _begin(model: str, rows: int, features: int) -> Exact:
    """All that takes long at its first use, at once.

    Kernels are compiled, a step runs in float64, and torch._dynamo is imported: PyTorch's
    optimizers load it when the first of them is made, for some 2 s.
    """
    compiling = partial(compile_at_once, starts(model, rows, features))
    stepping = partial(_exact, model, features)
    exact, *_ = together([stepping, compiling, partial(import_module, "torch._dynamo")])
    return exact


def starts(model: str, rows: int, features: int, device: str = "cuda") -> list[Callable]:
    """What starts each kernel of the steps whose chain is separate or fused."""
    ones = partial(torch.ones, device=device, dtype=torch.bfloat16)
    x, taps, activation = ones(rows, features), ones(TAPS, features), LAYERS[model][2]
    return each.both(x, activation) + depthwise.starts(x[None, :FRAMES], taps)


def _exact(model: str, features: int) -> Exact:
    x, letters = training.inputs(BATCH, FRAMES, features)
    encoder = training.encoder(model, features, "exact").bfloat16().double()
    found = training.loss_and_gradients(encoder, x.double(), letters)
    return Exact((x, letters), encoder.state_dict(), found)
