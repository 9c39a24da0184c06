"""The same chain as three kernels: norm, activation, add. The fair baseline.

    norm        reads x         writes h         2B
    activation  reads h         writes g         2B
    add         reads g, r      writes y         3B       7B in all

The norm stage is the fused kernel itself with the activation and the residual
switched off: as well tuned as the fused one by construction, the one-pass
backward included. The backward moves 6B: dh from dy and h, then dx from dh and
x, while the residual's gradient is dy itself.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from kernels import arguments
from kernels.activations import activate, through
from kernels.fused import chain
from kernels.intrinsics import widen
from kernels.layout import on
from kernels.prepared import bits

_BLOCK, _WARPS = 2048, 8  # 8 values a lane: one 16-byte load of each bfloat16 tensor
# `count` is specialised by Triton (a multiple of 16 or not): only so is the mask known to be
# the same for a whole 16-byte load, without which every load would be of one value.


@triton.jit
def activation_forward(
    h_ptr, g_ptr, count, ACTIVATION: tl.constexpr, BITS: tl.constexpr, BLOCK: tl.constexpr
):
    """g = activation(h), elementwise."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    h = widen(tl.load(h_ptr + at, mask=at < count, other=0.0))
    g = activate(h, ACTIVATION, BITS)
    tl.store(g_ptr + at, g.to(g_ptr.dtype.element_ty), mask=at < count)


@triton.jit
def activation_backward(
    dg_ptr, h_ptr, dh_ptr, count, ACTIVATION: tl.constexpr, BITS: tl.constexpr, BLOCK: tl.constexpr
):
    """dh = dg · activation′(h), elementwise."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    dg = widen(tl.load(dg_ptr + at, mask=at < count, other=0.0))
    h = widen(tl.load(h_ptr + at, mask=at < count, other=0.0))
    dh = through(dg, h, ACTIVATION, BITS)
    tl.store(dh_ptr + at, dh.to(dh_ptr.dtype.element_ty), mask=at < count)


@triton.jit
def add_forward(g_ptr, residual_ptr, y_ptr, count, BLOCK: tl.constexpr):
    """y = g + residual, elementwise, in float32."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    g = widen(tl.load(g_ptr + at, mask=at < count, other=0.0))
    residual = widen(tl.load(residual_ptr + at, mask=at < count, other=0.0))
    tl.store(y_ptr + at, (g + residual).to(y_ptr.dtype.element_ty), mask=at < count)


def _run(kernel, tensors: tuple[Tensor, ...], **constants) -> Tensor:
    """Launch an elementwise kernel over contiguous tensors; the last is what it writes."""
    out = tensors[-1]
    if out.numel():
        with on(out.device):
            grid = (-(-out.numel() // _BLOCK),)
            kernel[grid](*tensors, out.numel(), BLOCK=_BLOCK, num_warps=_WARPS, **constants)
    return out


class _Activation(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, activation):
        ctx.activation = activation
        ctx.save_for_backward(h)
        constants = {"ACTIVATION": activation, "BITS": bits(h.dtype)}
        return _run(activation_forward, (h, torch.empty_like(h)), **constants)

    @staticmethod
    @once_differentiable
    def backward(ctx, dg):
        (h,) = ctx.saved_tensors
        constants = {"ACTIVATION": ctx.activation, "BITS": bits(dg.dtype, h.dtype)}
        tensors = (dg.contiguous(), h, torch.empty_like(h))
        return _run(activation_backward, tensors, **constants), None


class _Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, residual):
        ctx.dtypes = (g.dtype, residual.dtype)
        dtype = torch.promote_types(*ctx.dtypes)
        return _run(add_forward, (g, residual.contiguous(), torch.empty_like(g, dtype=dtype)))

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        return dy.to(ctx.dtypes[0]), dy.to(ctx.dtypes[1])


def separate_chain(
    x: Tensor,
    residual: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    norm: str = "layer",
    activation: str = "gelu",
    eps: float = 1e-5,
) -> Tensor:
    """fused_chain's result by three kernels; the stages between are rounded to x's dtype."""
    arguments.check(x, residual, weight, bias, norm, activation, eps)
    h = chain(x, None, weight, bias, norm, "identity", float(eps))
    return _Add.apply(_Activation.apply(h, activation), residual)
