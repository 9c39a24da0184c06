"""The chain with each half, forward and backward, in one pass or in separate kernels.

Made of the very kernels of kernels/fused.py and kernels/separate.py. What is kept for
the backward follows from the two halves: separate kernels backward want x and h, one
pass backward wants x alone. A fused forward never writes h, so where only the forward
is fused the backward works h out again by the norm's kernel: one more pass, 2B.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from kernels import launch
from kernels.prepared import bits
from kernels.separate import _run, activation_backward, activation_forward, add_forward

EPS = 1e-5
NORM = ("layer", "identity", EPS)
CHAIN = ("layer", "gelu", EPS)


class Halves(torch.autograd.Function):
    """Halves.apply(x, residual, weight, bias, forward fused?, backward fused?) -> y."""

    @staticmethod
    def forward(ctx, x, residual, weight, bias, forward_fused, backward_fused):
        ctx.fused = (forward_fused, backward_fused)
        h = None
        if forward_fused:
            y, statistics = launch.forward(x, residual, weight, bias, CHAIN, True)
        else:
            h, statistics = launch.forward(x, None, weight, bias, NORM, True)
            y = _activate_and_add(h, residual)
        kept = None if backward_fused else h
        ctx.save_for_backward(x, weight, bias, statistics, kept)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        x, weight, bias, statistics, h = ctx.saved_tensors
        forward_fused, backward_fused = ctx.fused
        how, dh = CHAIN[:2], dy
        if not backward_fused:
            if forward_fused:
                h, _ = launch.forward(x, None, weight, bias, NORM, True)
            how = NORM[:2]
            constants = {"ACTIVATION": "gelu", "BITS": bits(dy.dtype, h.dtype)}
            dh = _run(activation_backward, (dy, h, torch.empty_like(h)), **constants)
        gradients = launch.backward(dh, x, weight, bias, statistics, how, (True, True))
        dx, dweight, dbias = gradients
        return dx, dy, dweight, dbias, None, None


def _activate_and_add(h: Tensor, residual: Tensor) -> Tensor:
    constants = {"ACTIVATION": "gelu", "BITS": bits(h.dtype)}
    g = _run(activation_forward, (h, torch.empty_like(h)), **constants)
    return _run(add_forward, (g, residual, torch.empty_like(g)))


def saved_bytes(call) -> int:
    """Bytes of [rows, …] tensors that `call`, a forward, keeps for its backward."""
    kept: dict[int, int] = {}

    def see(tensor: Tensor) -> Tensor:
        if tensor.dim() > 1:  # weight and bias are there in any case
            kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(see, lambda tensor: tensor):
        call()
    return sum(kept.values())
