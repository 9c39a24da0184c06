"""The chain's kernels one by one, so that they can be compiled at the same time.

Each list is what starts the kernels on x [rows, features] and others like it. How one is
compiled depends on x's features and dtype and on the activation; in the backward on the rows
too, of which x should have as many as are worked on later: few parts of gradients are summed
up in another way than many.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from kernels import launch
from kernels.bench.experiments.halves import EPS, NORM
from kernels.prepared import bits
from kernels.separate import _run, activation_backward, activation_forward, add_forward

MOST_ROWS = 8192
"""A tile for each program of a backward on any GPU, and no more: memory may be short."""

Starts = list[Callable[[], object]]


def fused_forward(x: Tensor, save: bool, activation: str = "gelu") -> Starts:
    """fused_chain's kernel, forward; `save` as in launch.forward."""
    vector, how = x[0], ("layer", activation, EPS)
    return [lambda: launch.forward(x, x, vector, vector, how, save)]


def forward(x: Tensor, save: bool, activation: str = "gelu") -> Starts:
    """The kernels of fused_chain and separate_chain, forward."""
    vector, constants = x[0], _constants(x, activation)
    return [
        lambda: _run(add_forward, (x, x, torch.empty_like(x))),
        *fused_forward(x, save, activation),
        lambda: launch.forward(x, None, vector, vector, NORM, save),
        lambda: _run(activation_forward, (x, torch.empty_like(x)), **constants),
    ]


def both(x: Tensor, activation: str = "gelu") -> Starts:
    """Those that keep what the backward needs, and the kernels of both backwards."""
    x = x[:MOST_ROWS]
    vector, constants = x[0], _constants(x, activation)
    statistics = torch.ones(2, len(x), device=x.device)

    def whole(how: tuple[str, str]) -> object:
        return launch.backward(x, x, vector, vector, statistics, how, (True, True))

    return [
        *forward(x, True, activation),
        lambda: whole(("layer", activation)),
        lambda: whole(NORM[:2]),
        lambda: _run(activation_backward, (x, x, torch.empty_like(x)), **constants),
    ]


def _constants(x: Tensor, activation: str) -> dict[str, object]:
    return {"ACTIVATION": activation, "BITS": bits(x.dtype)}
