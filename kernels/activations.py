"""The activations and their derivatives, shared by the fused and the separate kernels.

All work in float32 on one value at a time; exact GELU has kernels/gelu.py.
`BITS` is the precision that the result will be rounded to: 8 for bfloat16, 11 for
float16, 24 for float32.
"""

import triton
import triton.language as tl

from kernels.gelu import gelu, gelu_derivative
from kernels.intrinsics import exp2, reciprocal

_LOG2E = tl.constexpr(1.4426950408889634)
_TANH_SCALE = tl.constexpr(0.7978845608028654)  # √(2/π)
_TANH_CUBIC = tl.constexpr(0.044715)
# −2u·log2(e), the exponent of e^−2u = 2^…, is z·(_LINEAR + _CUBIC·z²).
_LINEAR = tl.constexpr(-2.0 * 0.7978845608028654 * 1.4426950408889634)
_CUBIC = tl.constexpr(-2.0 * 0.7978845608028654 * 1.4426950408889634 * 0.044715)


@triton.jit
def _open(exponent):
    """1 / (1 + 2^exponent): no difference of near numbers at either end, 0 and 1 beyond them."""
    return reciprocal(1.0 + exp2(exponent))


@triton.jit
def _gelu_tanh(z):
    """z·σ(2u), u = √(2/π)(z + 0.044715 z³); the same as z/2·(1 + tanh u), without its loss."""
    return z * _open(z * (_LINEAR + _CUBIC * (z * z)))


@triton.jit
def _gelu_tanh_derivative(z):
    square = z * z
    s = _open(z * (_LINEAR + _CUBIC * square))
    slope = 2.0 * _TANH_SCALE + (6.0 * _TANH_SCALE * _TANH_CUBIC) * square  # d(2u)/dz
    return s + tl.fma(-s, s, s) * (z * slope)


@triton.jit
def activate(z, ACTIVATION: tl.constexpr, BITS: tl.constexpr):
    """The activation of a float32 tensor; NaN stays NaN."""
    if ACTIVATION == "gelu":
        result = gelu(z, BITS)
    elif ACTIVATION == "gelu_tanh":
        result = _gelu_tanh(z)
    elif ACTIVATION == "silu":
        result = z * _open(z * -_LOG2E)
    elif ACTIVATION == "relu":
        result = tl.where(z < 0.0, 0.0, z)  # unlike a maximum, this keeps NaN
    else:
        tl.static_assert(ACTIVATION == "identity")
        result = z
    return result


@triton.jit
def through(dy, z, ACTIVATION: tl.constexpr, BITS: tl.constexpr):
    """dy · activation′(z) of float32 tensors: the gradient behind the activation."""
    if ACTIVATION == "relu":  # 0 at a closed unit even where dy is infinite, as PyTorch has it
        result = tl.where(z <= 0.0, 0.0, dy)
    else:
        result = dy * _derivative(z, ACTIVATION, BITS)
    return result


@triton.jit
def _derivative(z, ACTIVATION: tl.constexpr, BITS: tl.constexpr):
    if ACTIVATION == "gelu":
        result = gelu_derivative(z, BITS)
    elif ACTIVATION == "gelu_tanh":
        result = _gelu_tanh_derivative(z)
    elif ACTIVATION == "silu":
        s = _open(z * -_LOG2E)
        result = s + tl.fma(-s, s, s) * z
    else:
        tl.static_assert(ACTIVATION == "identity")
        result = tl.full(z.shape, 1.0, tl.float32)
    return result
