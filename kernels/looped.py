"""The forward for rows that no team can hold either, walked in pieces.

Past 131072 features, or where a device has no room for a team. x is read twice, the
second time mostly from L2. The mean and the variance of the pieces are merged by
Chan's formula, so that a large mean loses nothing here either. Any number of
features is right.
"""

import triton
import triton.language as tl

from kernels.activations import activate
from kernels.intrinsics import widen


@triton.jit
def _load(pointer, column, FEATURES: tl.constexpr):
    return widen(tl.load(pointer + column, mask=column < FEATURES, other=0.0))


@triton.jit
def _load_rows(pointer, row, stride, column, mask):
    return widen(tl.load(pointer + row * stride + column, mask=mask, other=0.0))


@triton.jit
def _affine(
    normed, weight_ptr, bias_ptr, column, FEATURES: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
):  # fmt: skip
    if HAS_WEIGHT:
        normed = normed * _load(weight_ptr, column, FEATURES)
    if HAS_BIAS:
        normed = normed + _load(bias_ptr, column, FEATURES)
    return normed


@triton.jit(do_not_specialize=["rows", "x_stride", "residual_stride"])
def looped_forward(
    x_ptr, residual_ptr, weight_ptr, bias_ptr, y_ptr, statistics_ptr,
    rows, x_stride, residual_stride, eps,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_RESIDUAL: tl.constexpr, HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
    SAVE: tl.constexpr, WIDTH: tl.constexpr, ROWS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """As chain_forward; one program for each ROWS rows, in pieces of WIDTH columns."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]  # [ROWS, 1]
    valid = row < rows
    mean = tl.zeros((ROWS, 1), tl.float32)
    squares = tl.zeros((ROWS, 1), tl.float32)  # Σ (x − mean)² so far
    for start in tl.range(0, FEATURES, WIDTH, num_stages=STAGES):
        column = start + tl.arange(0, WIDTH)[None, :]
        inside = column < FEATURES
        x = _load_rows(x_ptr, row, x_stride.to(tl.int64) * ALIGN, column, valid & inside)
        if NORM == "layer":
            count = tl.minimum(FEATURES - start, WIDTH).to(tl.float32)
            piece_mean = tl.sum(x, axis=1, keep_dims=True) / count
            x = tl.where(inside, x - piece_mean, 0.0)
            step = piece_mean - mean
            share = count / (start + count)
            mean += step * share
            squares += step * step * (start * share)
        squares += tl.sum(x * x, axis=1, keep_dims=True)
    rstd = tl.rsqrt(squares * (1.0 / FEATURES) + eps)
    if SAVE:
        tl.store(statistics_ptr + row, rstd, mask=valid)
        if NORM == "layer":
            tl.store(statistics_ptr + rows + row, mean, mask=valid)
    for start in tl.range(0, FEATURES, WIDTH, num_stages=STAGES):
        column = start + tl.arange(0, WIDTH)[None, :]
        mask = valid & (column < FEATURES)
        x = _load_rows(x_ptr, row, x_stride.to(tl.int64) * ALIGN, column, mask)
        normed = (x - mean) * rstd
        h = _affine(normed, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, HAS_BIAS)
        y = activate(h, ACTIVATION, BITS)
        if HAS_RESIDUAL:
            y += _load_rows(residual_ptr, row, residual_stride.to(tl.int64) * ALIGN, column, mask)
        # y first out of L2: x is still to be read there, by this program or another.
        y = y.to(y_ptr.dtype.element_ty)
        at = y_ptr + row * FEATURES + column
        tl.store(at, y, mask=mask, eviction_policy="evict_first")
