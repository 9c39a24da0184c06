"""The activations and their derivatives, shared by the fused and the separate kernels.

All work in float32 on one value at a time. `BITS` is the precision that the
result will be rounded to: 8 for bfloat16, 11 for float16, 24 for float32.

**Exact GELU without erf.** z·Φ(z) has two properties that make it cheap:

    gelu(z)  = max(z, 0) − a·Φ(−a)            a = |z|, since Φ(z) = 1 − Φ(−z)
    gelu′(z) = D(a) for z < 0, else 1 − D(a)   D(a) = Φ(−a) − a·φ(a)

so only the tail Φ(−a) is needed, and it never comes from a difference of
nearly equal numbers: the relative error stays flat down to underflow, where
`z/2·(1 + erf(z/√2))` has lost every digit below z = −6. The tail is a Gaussian
times a slowly varying factor, Mills' ratio M(a) = Φ(−a)/φ(a), which is smooth
in t = 1/(1 + k·a). With φ(a) = 2^(−a²·log2(e)/2)/√(2π):

    a·Φ(−a) = φ(a)·a·M(a)          M(a) = k·t·S(t),        S(0) = 1
    D(a)    = φ(a)·(M(a) − a)      M(a) − a = (a₀ − a)·Q(t), Q(0) = 1

a₀ = 0.75179… is the derivative's only zero; taking it out as a factor keeps
the relative error flat there too. S and Q are minimax polynomials over
0 ≤ a ≤ 13.5 (where float32 ends), by weighted least squares, k chosen for
each degree. What they cost: one exp2, one reciprocal and 8 to 14 multiply-adds.

| BITS | S: degree, relative error | Q: degree, relative error | half a unit of the dtype |
|---|---|---|---|
| 8  | 3, 4.7e-4 | 2, 7.3e-4 | 2.0e-3 to 3.9e-3 |
| 11 | 4, 7.7e-5 | 3, 1.4e-4 | 2.4e-4 to 4.9e-4 |
| 24 | 7, 2.6e-7 | 6, 4.3e-7 | 3.0e-8 to 6.0e-8 |

The last row is not correctly rounded but within 2e-6 of float64, the tail
included, for which `_gaussian` carries the rounding error of a² along.
tests/kernels/test_activations.py measures every figure of the table.
"""

import triton
import triton.language as tl

from kernels.intrinsics import at_least_zero, copy_sign, exp2, reciprocal

_HALF_LOG2E = tl.constexpr(0.7213475108146667)  # log2(e)/2, as float32 …
_HALF_LOG2E_TAIL = tl.constexpr(9.6298149e-09)  # … and the rest of it
_ZERO_HEAD = tl.constexpr(0.7517915368080139)  # the derivative's zero, as float32 …
_ZERO_TAIL = tl.constexpr(-1.2114449e-08)  # … and the rest of it, which 16 bits don't see
_LOG2E = tl.constexpr(1.4426950408889634)
_LN2 = tl.constexpr(0.6931471805599453)
_TANH_SCALE = tl.constexpr(0.7978845608028654)  # √(2/π)
_TANH_CUBIC = tl.constexpr(0.044715)


@triton.jit
def _gaussian(a, BITS: tl.constexpr):
    """exp(−a²/2), without the factor 1/√(2π)."""
    square = a * a
    exponent = square * _HALF_LOG2E
    gaussian = exp2(-exponent)
    if BITS > 11:
        lost = tl.fma(square, _HALF_LOG2E, -exponent) + square * _HALF_LOG2E_TAIL
        lost = tl.fma(tl.fma(a, a, -square), _HALF_LOG2E, lost)
        gaussian = tl.fma(gaussian * -_LN2, lost, gaussian)
    return gaussian


@triton.jit
def _gelu(z, BITS: tl.constexpr):
    a = tl.abs(z)
    if BITS <= 8:
        t = reciprocal(a * 0.31 + 1.0)
        p = t * 1.705592781e-1 + 7.830477521e-2
        p = (p * t + 1.276963026e-1) * t + 1.236721069e-1
    elif BITS <= 11:
        t = reciprocal(a * 0.39 + 1.0)
        p = t * -8.475944715e-2 + 1.598519569e-1
        p = (p * t + 1.119651379e-1) * t + 1.573656854e-1
        p = p * t + 1.555874894e-1
    else:
        t = reciprocal(a * 0.24 + 1.0)
        p = t * -5.340809701e-2 + 1.539386227e-1
        p = (p * t + -6.660682692e-2) * t + 1.181909352e-1
        p = (p * t + 6.406887142e-2) * t + 9.245869379e-2
        p = (p * t + 9.561152663e-2) * t + 9.574614730e-2
    return tl.maximum(z, 0.0) - (a * t) * (p * _gaussian(a, BITS))


@triton.jit
def _gelu_derivative(z, BITS: tl.constexpr):
    a = tl.abs(z)
    if BITS <= 8:
        t = reciprocal(a * 0.45 + 1.0)
        q = (t * 1.380912896e-1 + 1.285271396e-1) * t + 3.989422804e-1
    elif BITS <= 11:
        t = reciprocal(a * 0.34 + 1.0)
        q = t * 9.421690707e-2 + 6.882374038e-2
        q = (q * t + 1.031893186e-1) * t + 3.989422804e-1
    else:
        t = reciprocal(a * 0.29 + 1.0)
        q = t * -2.230712780e-2 + 5.407111505e-2
        q = (q * t + 1.502694406e-2) * t + 6.083296163e-2
        q = (q * t + 7.148514358e-2) * t + 8.702639747e-2
        q = q * t + 3.989422804e-1
    # D(a) below zero and 1 − D(a) above it are one expression, [z ≥ 0] + (z ∓ a₀)·φ·Q.
    from_zero = z - copy_sign(_ZERO_HEAD, z)
    if BITS > 11:
        from_zero -= copy_sign(_ZERO_TAIL, z)
    return at_least_zero(z) + from_zero * (q * _gaussian(a, BITS))


@triton.jit
def _sigmoid(z):
    """1 / (1 + e^−z): no difference of near numbers at either end, 0 and 1 beyond them."""
    return reciprocal(1.0 + exp2(z * -_LOG2E))


@triton.jit
def _gelu_tanh(z):
    """z·σ(2u), u = √(2/π)(z + 0.044715 z³); the same as z/2·(1 + tanh u), without its loss."""
    return z * _sigmoid(z * (2.0 * _TANH_SCALE + (2.0 * _TANH_SCALE * _TANH_CUBIC) * (z * z)))


@triton.jit
def _gelu_tanh_derivative(z):
    square = z * z
    s = _sigmoid(z * (2.0 * _TANH_SCALE + (2.0 * _TANH_SCALE * _TANH_CUBIC) * square))
    slope = 2.0 * _TANH_SCALE + (6.0 * _TANH_SCALE * _TANH_CUBIC) * square  # d(2u)/dz
    return s + (s * (1.0 - s)) * (z * slope)


@triton.jit
def activate(z, ACTIVATION: tl.constexpr, BITS: tl.constexpr):
    """The activation of a float32 tensor; NaN stays NaN."""
    if ACTIVATION == "gelu":
        result = _gelu(z, BITS)
    elif ACTIVATION == "gelu_tanh":
        result = _gelu_tanh(z)
    elif ACTIVATION == "silu":
        result = z * _sigmoid(z)
    elif ACTIVATION == "relu":
        result = tl.where(z < 0.0, 0.0, z)  # unlike a maximum, this keeps NaN
    else:
        tl.static_assert(ACTIVATION == "identity")
        result = z
    return result


@triton.jit
def derivative(z, ACTIVATION: tl.constexpr, BITS: tl.constexpr):
    """The activation's derivative at a float32 tensor."""
    if ACTIVATION == "gelu":
        result = _gelu_derivative(z, BITS)
    elif ACTIVATION == "gelu_tanh":
        result = _gelu_tanh_derivative(z)
    elif ACTIVATION == "silu":
        s = _sigmoid(z)
        result = s + (s * (1.0 - s)) * z
    elif ACTIVATION == "relu":
        result = tl.where(z > 0.0, 1.0, 0.0)
    else:
        tl.static_assert(ACTIVATION == "identity")
        result = tl.full(z.shape, 1.0, tl.float32)
    return result
