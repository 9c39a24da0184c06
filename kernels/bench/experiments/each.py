"""The chain's kernels one by one, so that they can be compiled at the same time."""

from collections.abc import Callable

import torch

from kernels import launch
from kernels.bench.experiments.halves import CHAIN, NORM
from kernels.bench.experiments.together import together
from kernels.prepared import bits
from kernels.separate import _run, activation_backward, activation_forward, add_forward


def compile_forward(features: int, dtype: torch.dtype, save: bool = False) -> None:
    """The kernels of fused_chain and separate_chain, forward; `save` as in launch.forward."""
    _compile(_forward(_row(features, dtype), save))


def compile_both(features: int, dtype: torch.dtype) -> None:
    """Those that keep what the backward needs, and the kernels of both backwards."""
    row = _row(features, dtype)
    _compile(_forward(row, True) + _backward(row))


def _compile(starts: list[Callable[[], object]]) -> None:
    """One alone, with which Triton finds its driver, then the others from several threads."""
    starts[0]()
    together(starts[1:])
    torch.cuda.synchronize()


def _row(features: int, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """One row and one vector: how the kernels are compiled does not depend on the rows."""
    ones = torch.ones(features, device="cuda").to(dtype)
    return ones[None], ones


def _forward(row, save: bool) -> list[Callable[[], object]]:
    x, vector = row
    constants = {"ACTIVATION": "gelu", "BITS": bits(x.dtype)}
    return [
        lambda: _run(add_forward, (x, x, torch.empty_like(x))),
        lambda: launch.forward(x, x, vector, vector, CHAIN, save),
        lambda: launch.forward(x, None, vector, vector, NORM, save),
        lambda: _run(activation_forward, (x, torch.empty_like(x)), **constants),
    ]


def _backward(row) -> list[Callable[[], object]]:
    x, vector = row
    constants = {"ACTIVATION": "gelu", "BITS": bits(x.dtype)}
    statistics = torch.ones(2, 1, device=x.device)

    def whole(how: tuple[str, str]) -> object:
        return launch.backward(x, x, vector, vector, statistics, how, (True, True))

    return [
        lambda: whole(CHAIN[:2]),
        lambda: whole(NORM[:2]),
        lambda: _run(activation_backward, (x, x, torch.empty_like(x)), **constants),
    ]
