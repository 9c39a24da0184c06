"""Exact GELU and its derivative, cheap for each precision, without erf.

`BITS` is the precision that the result will be rounded to: 8 for bfloat16, 11 for
float16, 24 for float32. z·Φ(z) has two properties that make it cheap:

    gelu(z)  = max(z, 0) − a·Φ(−a)            a = |z|, since Φ(z) = 1 − Φ(−z)
    gelu′(z) = D(a) for z < 0, else 1 − D(a)   D(a) = Φ(−a) − a·φ(a)

so only the tail Φ(−a) is needed, and it never comes from a difference of
nearly equal numbers: the relative error stays flat far down the tail, where
`z/2·(1 + erf(z/√2))` has lost every digit below z = −6. a₀ = 0.75179… is the
derivative's only zero; with D(a) = (a₀ − a)·E(a) taken apart so, E has none and
its relative error is flat there too.

**16 bits: one exp2 of a polynomial.** Φ(−a) and E(a) fall like a Gaussian, so
their logarithms are smooth: parabolas, bent a little. The nearest point at which
log Φ(−a) is singular, the first zero of erfc, is at a = −1.9 ± 2.8i, which makes
each further degree of a polynomial over 0 ≤ a ≤ 8.25 three times as good:

    a·Φ(−a) = a·2^P(a)          D(a) = (a₀ − a)·2^Q(a)

An absolute error of P is a relative error of 2^P. The degrees are odd, so P and Q
fall for ever past 8.25, where Φ(−a) < 1e-16. It costs one exp2 and 5 or 7
multiply-adds, and neither a square nor a reciprocal.

**float32: a Gaussian times a rational factor.** The rounding of an exponent of −46
alone would cost 2e-6, so here the square's rounding error is carried along
(`_gaussian`). Mills' ratio M(a) = Φ(−a)/φ(a) is smooth in t = 1/(1 + k·a):

    a·Φ(−a) = φ(a)·a·M(a)          M(a) = k·t·S(t)
    D(a)    = φ(a)·(M(a) − a)      M(a) − a = (a₀ − a)·R(t)

All are minimax polynomials by weighted least squares (Lawson), P and Q over
0 ≤ a ≤ 8.25, S and R to 13.5, where float32 ends, k chosen for each.

| BITS | value: degree, relative error | derivative | half a unit of the dtype |
|---|---|---|---|
| 8  | P 5, 1.4e-3 | Q 5, 1.5e-3 | 2.0e-3 to 3.9e-3 |
| 11 | P 7, 4.3e-5 | Q 7, 1.4e-4 | 2.4e-4 to 4.9e-4 |
| 24 | S 7, 2.6e-7 | R 6, 4.3e-7 | 3.0e-8 to 6.0e-8 |

The last row is not correctly rounded but within 2e-6 of float64, the tail included.
tests/kernels/test_activations.py measures every figure of the table.
"""

import triton
import triton.language as tl

from kernels.intrinsics import at_least_zero, exp2, reciprocal

_HALF_LOG2E = tl.constexpr(0.7213475108146667)  # log2(e)/2, as float32 …
_HALF_LOG2E_TAIL = tl.constexpr(9.6298149e-09)  # … and the rest of it
_ZERO_HEAD = tl.constexpr(0.7517915368080139)  # the derivative's zero, as float32 …
_ZERO_TAIL = tl.constexpr(-1.2114449e-08)  # … and the rest of it, which 16 bits don't see
_LN2 = tl.constexpr(0.6931471805599453)


@triton.jit
def _gaussian(a):
    """exp(−a²/2), without the factor 1/√(2π); the rounding error of a² is carried along."""
    square = a * a
    exponent = square * _HALF_LOG2E
    gaussian = exp2(-exponent)
    lost = tl.fma(square, _HALF_LOG2E, -exponent) + square * _HALF_LOG2E_TAIL
    lost = tl.fma(tl.fma(a, a, -square), _HALF_LOG2E, lost)
    return tl.fma(gaussian * -_LN2, lost, gaussian)


@triton.jit
def gelu(z, BITS: tl.constexpr):
    """z·Φ(z) of a float32 tensor, good to BITS bits."""
    a = tl.abs(z)
    if BITS <= 8:
        p = a * -1.076057117e-4 + 3.016475122e-3
        p = (p * a + -3.507380389e-2) * a + -4.894607659e-1
        p = (p * a + -1.132152186) * a + -1.001921381
        tail = exp2(p)
    elif BITS <= 11:
        p = a * -1.186419370e-6 + 4.620270994e-5
        p = (p * a + -7.866886065e-4) * a + 7.840476084e-3
        p = (p * a + -5.236666545e-2) * a + -4.602848339e-1
        p = (p * a + -1.150460632) * a + -1.000054146
        tail = exp2(p)
    else:
        t = reciprocal(a * 0.24 + 1.0)
        p = t * -5.340809701e-2 + 1.539386227e-1
        p = (p * t + -6.660682692e-2) * t + 1.181909352e-1
        p = (p * t + 6.406887142e-2) * t + 9.245869379e-2
        p = (p * t + 9.561152663e-2) * t + 9.574614730e-2
        tail = t * (p * _gaussian(a))
    return tl.maximum(z, 0.0) - a * tail


@triton.jit
def gelu_derivative(z, BITS: tl.constexpr):
    """Φ(z) + z·φ(z) of a float32 tensor, good to BITS bits."""
    a = tl.abs(z)
    if BITS <= 8:
        q = a * -8.382794085e-5 + 2.165114632e-3
        q = (q * a + -2.208972702e-2) * a + -6.049307067e-1
        q = (q * a + -3.595868190e-1) * a + -5.904935524e-1
        slope = exp2(q)
    elif BITS <= 11:
        q = a * -2.033962320e-6 + 7.095775968e-5
        q = (q * a + -1.043942893e-3) * a + 8.541686850e-3
        q = (q * a + -4.363327953e-2) * a + -5.706084752e-1
        q = (q * a + -3.798127637e-1) * a + -5.885932822e-1
        slope = exp2(q)
    else:
        t = reciprocal(a * 0.29 + 1.0)
        q = t * -2.230712780e-2 + 5.407111505e-2
        q = (q * t + 1.502694406e-2) * t + 6.083296163e-2
        q = (q * t + 7.148514358e-2) * t + 8.702639747e-2
        slope = (q * t + 3.989422804e-1) * _gaussian(a)
    # D(a) below zero and 1 − D(a) above it are one expression, [z ≥ 0] + (z ∓ a₀)·slope. Both
    # signs come from one comparison: −0 has a negative sign and is ≥ 0.
    step = at_least_zero(z)
    from_zero = z + _ZERO_HEAD
    if BITS > 11:
        from_zero += _ZERO_TAIL
    from_zero += step * (-2.0 * _ZERO_HEAD)
    return step + from_zero * slope
