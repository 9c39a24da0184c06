"""The chain as operators that torch.compile takes whole (fullgraph=True).

Eager calls go round these: an operator's dispatch costs more than the launch.
"""

import torch
from torch import Tensor

from kernels import launch


@torch.library.custom_op("ridgepoint::chain_forward", mutates_args=())
def chain_forward(
    x: Tensor, residual: Tensor | None, weight: Tensor | None, bias: Tensor | None,
    norm: str, activation: str, eps: float, save: bool,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """(y, statistics), as launch.forward; without `save` the statistics are empty."""
    y, statistics = launch.forward(x, residual, weight, bias, (norm, activation, eps), save)
    return y, x.new_empty(0, dtype=torch.float32) if statistics is None else statistics


@chain_forward.register_fake
def _(x, residual, weight, bias, norm, activation, eps, save):
    shape = (2 if norm == "layer" else 1, x.numel() // x.shape[-1]) if save else (0,)
    y = torch.empty(x.shape, dtype=launch.result_dtype(x, residual), device=x.device)
    return y, torch.empty(shape, dtype=torch.float32, device=x.device)


@torch.library.custom_op("ridgepoint::chain_backward", mutates_args=())
def chain_backward(
    dy: Tensor, x: Tensor, weight: Tensor | None, bias: Tensor | None,
    statistics: Tensor, norm: str, activation: str, need_dx: bool, need_sums: bool,
) -> list[Tensor]:  # fmt: skip
    """[dx, dweight, dbias], as launch.backward; an empty tensor stands for None."""
    gradients = launch.backward(
        dy, x, weight, bias, statistics, (norm, activation), (need_dx, need_sums)
    )
    return [x.new_empty(0) if gradient is None else gradient for gradient in gradients]


@chain_backward.register_fake
def _(dy, x, weight, bias, statistics, norm, activation, need_dx, need_sums):
    likes = (x if need_dx else None, *((weight, bias) if need_sums else (None, None)))
    return [x.new_empty(0) if like is None else like.new_empty(like.shape) for like in likes]


def _setup(ctx, inputs, output):
    x, residual, weight, bias, norm, activation, _, _ = inputs
    ctx.save_for_backward(x, weight, bias, output[1])
    ctx.how = (norm, activation)
    ctx.residual_dtype = None if residual is None else residual.dtype


def backward(dy, x, weight, bias, statistics, how, need):
    """(dx, dweight, dbias) while torch.compile traces, as launch.backward."""
    found = chain_backward(dy, x, weight, bias, statistics, *how, *need)
    there = (need[0], need[1] and weight is not None, need[1] and bias is not None)
    return [gradient if is_there else None for gradient, is_there in zip(found, there, strict=True)]


def _backward(ctx, dy, *_):
    need_dx, need_residual, need_weight, need_bias, *_ = ctx.needs_input_grad
    need = (need_dx, need_weight or need_bias)
    dx = dweight = dbias = None
    if any(need):
        dx, dweight, dbias = backward(dy, *ctx.saved_tensors, ctx.how, need)
    return (
        dx,
        dy.to(ctx.residual_dtype) if need_residual else None,
        dweight if need_weight else None,
        dbias if need_bias else None,
        *(None,) * 4,
    )


chain_forward.register_autograd(_backward, setup_context=_setup)


def chain(x, residual, weight, bias, norm: str, activation: str, eps: float) -> Tensor:
    """The chain while torch.compile traces, or another looks at the operators."""
    wanted = (x, weight, bias)
    save = torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in wanted)
    return chain_forward(x, residual, weight, bias, norm, activation, eps, save)[0]
