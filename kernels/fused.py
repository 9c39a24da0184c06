"""Norm, activation and residual add in one pass each way, under autograd.

    y = activation(norm(x) · weight + bias) + residual

For the backward only x and, for each row, the mean and 1/std are kept, in
float32: 1B + 8 bytes a row, against 2B when every stage keeps its input.
The gradient for the residual is the incoming gradient itself.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from kernels import arguments, compiled, launch
from kernels.native import calls


class _Chain(torch.autograd.Function):
    """The chain for eager mode; `residual` may be None, as separate_chain's norm stage has it."""

    @staticmethod
    def forward(ctx, x, residual, weight, bias, how):
        need_x, _, need_weight, need_bias, _ = ctx.needs_input_grad
        save = need_x or need_weight or need_bias
        y, statistics = launch.forward(x, residual, weight, bias, how, save)
        ctx.how = how[:2]
        ctx.residual_dtype = None if residual is None else residual.dtype
        if save:
            ctx.save_for_backward(x, weight, bias, statistics)
        return y

    @staticmethod
    def backward(ctx, dy):
        # Outside create_graph=True that decorator has nothing to do, and takes 4 µs over it.
        return (_gradients_once if torch.is_grad_enabled() else _gradients)(ctx, dy)


def _gradients(ctx, dy):
    need_dx, need_residual, need_weight, need_bias, _ = ctx.needs_input_grad
    dx = dresidual = dweight = dbias = None
    saved = ctx.saved_tensors
    if saved:
        need = (need_dx, need_weight or need_bias)
        # Compiled autograd traces this too.
        way = compiled if torch.compiler.is_compiling() else launch
        dx, dweight, dbias = way.backward(dy, *saved, ctx.how, need)
    if need_residual:
        dresidual = dy if dy.dtype is ctx.residual_dtype else dy.to(ctx.residual_dtype)
    return dx, dresidual, dweight, dbias, None


_gradients_once = once_differentiable(_gradients)


def chain(x, residual, weight, bias, norm: str, activation: str, eps: float) -> Tensor:
    """The chain of checked arguments, by the shortest way that this call allows.

    What looks at operators (a trace, fake tensors, selective checkpoints) is given operators.
    """
    if torch.compiler.is_compiling() or torch._C._len_torch_dispatch_stack():
        return compiled.chain(x, residual, weight, bias, norm, activation, eps)
    how = (norm, activation, eps)
    wanted = (x, residual, weight, bias)
    if torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in wanted):
        y = calls.chain(x, residual, weight, bias, how)
        return _Chain.apply(x, residual, weight, bias, how) if y is None else y
    return launch.forward(x, residual, weight, bias, how, save=False)[0]


def fused_chain(
    x: Tensor,
    residual: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    norm: str = "layer",
    activation: str = "gelu",
    eps: float = 1e-5,
) -> Tensor:
    """activation(norm(x)·weight + bias) + residual, in one pass over memory each way.

    x and residual are [..., features] of one shape, weight and bias [features] or
    None; float32, bfloat16 or float16, in any mixture, on one CUDA device. `norm`
    is "layer" or "rms" over the features, `activation` "gelu" (exact), "gelu_tanh",
    "silu", "relu" or "identity"; `eps` is added to the variance.

    The result is contiguous, of x's shape and of the dtype to which x and residual
    promote, inside autocast as outside: between load and store all is float32,
    so autocast has nothing to change. Gradients have the dtypes of their inputs.

    Rows a constant distance apart are read in place; other layouts (a transposed
    view, expanded features) are copied first. Weight gradients are the same bits
    every time. Raises TypeError or ValueError naming the argument at fault, and
    RuntimeError for a second derivative and under torch.func's transforms.
    """
    arguments.check(x, residual, weight, bias, norm, activation, eps)
    return chain(x, residual, weight, bias, norm, activation, float(eps))
