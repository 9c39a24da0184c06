"""What every backward kernel works out for a piece of some rows, element by element."""

import triton
import triton.language as tl

from kernels.activations import through


@triton.jit
def row_statistics(statistics_ptr, row, rows, valid, NORM: tl.constexpr, ONE_STEP: tl.constexpr):
    """(1/std, shift) [ROWS, 1], for `normalized`; zeros where there is no row."""
    rstd = tl.load(statistics_ptr + row, mask=valid, other=0.0)
    shift = tl.zeros_like(rstd)
    if NORM == "layer":
        shift = -tl.load(statistics_ptr + rows + row, mask=valid, other=0.0)
    if ONE_STEP:
        shift *= rstd
    return rstd, shift


@triton.jit
def normalized(x, rstd, shift, ONE_STEP: tl.constexpr):
    """x̂ of x.

    In one step, shift being −mean·rstd, one instruction: it costs digits that 16-bit x
    does not have. Else shift is −mean.
    """
    return x * rstd + shift if ONE_STEP else (x + shift) * rstd


@triton.jit
def gradients(
    dy, x, weight, bias, rstd, shift,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr, ONE_STEP: tl.constexpr,
):  # fmt: skip
    """(x̂, dh, dx̂) of a piece; weight and bias are read where there are such."""
    normed = normalized(x, rstd, shift, ONE_STEP)
    h = normed
    if HAS_WEIGHT:
        h = h * weight
    if HAS_BIAS:
        h = h + bias
    dh = through(dy, h, ACTIVATION, BITS)
    dnormed = dh
    if HAS_WEIGHT:
        dnormed = dh * weight
    return normed, dh, dnormed
