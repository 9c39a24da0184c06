"""The chain for rows too long to stay in one program's registers, walked in pieces.

The forward reads x twice and the backward reads dy and x twice; the second time
they mostly come from L2, which the tiles of all programs together still fit.
The mean and the variance of the pieces are merged by Chan's formula, so that a
large mean loses nothing here either. Any number of features is right.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from kernels.activations import activate, derivative
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
    SAVE: tl.constexpr, WIDTH: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """As chain_forward; one program for each ROWS rows, in pieces of WIDTH columns."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]  # [ROWS, 1]
    valid = row < rows
    mean = tl.zeros((ROWS, 1), tl.float32)
    squares = tl.zeros((ROWS, 1), tl.float32)  # Σ (x − mean)² so far
    for start in range(0, FEATURES, WIDTH):
        column = start + tl.arange(0, WIDTH)[None, :]
        inside = column < FEATURES
        x = _load_rows(x_ptr, row, x_stride * ALIGN, column, valid & inside)
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
    for start in range(0, FEATURES, WIDTH):
        column = start + tl.arange(0, WIDTH)[None, :]
        mask = valid & (column < FEATURES)
        normed = (_load_rows(x_ptr, row, x_stride * ALIGN, column, mask) - mean) * rstd
        h = _affine(normed, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, HAS_BIAS)
        y = activate(h, ACTIVATION, BITS)
        if HAS_RESIDUAL:
            y += _load_rows(residual_ptr, row, residual_stride * ALIGN, column, mask)
        tl.store(y_ptr + row * FEATURES + column, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit(do_not_specialize=["rows", "dy_stride", "x_stride"])
def looped_backward(
    dy_ptr, x_ptr, weight_ptr, bias_ptr, statistics_ptr, dx_ptr, partial_ptr,
    rows, dy_stride, x_stride,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
    NEED_DX: tl.constexpr, NEED_SUMS: tl.constexpr, EARLY: tl.constexpr,
    WIDTH: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """As chain_backward; the partial sums live in `partial_ptr`, zero at the start."""
    if EARLY:
        gdc_launch_dependents()
    first = tl.program_id(0).to(tl.int64) * ROWS
    step = tl.num_programs(0).to(tl.int64) * ROWS
    partial_ptr += tl.program_id(0).to(tl.int64) * FEATURES
    for base in range(first, rows.to(tl.int64), step):
        row = base + tl.arange(0, ROWS)[:, None]
        valid = row < rows
        rstd = tl.load(statistics_ptr + row, mask=valid, other=0.0)
        shift = tl.zeros_like(rstd)
        if NORM == "layer":
            shift = -tl.load(statistics_ptr + rows + row, mask=valid, other=0.0)
        across = tl.zeros_like(rstd)  # the mean of dx̂
        along = tl.zeros_like(rstd)  # the mean of dx̂·x̂
        for start in range(0, FEATURES, WIDTH):
            column = start + tl.arange(0, WIDTH)[None, :]
            mask = valid & (column < FEATURES)
            dy = _load_rows(dy_ptr, row, dy_stride * ALIGN, column, mask)
            normed = (_load_rows(x_ptr, row, x_stride * ALIGN, column, mask) + shift) * rstd
            h = _affine(normed, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, HAS_BIAS)
            dh = dy * derivative(h, ACTIVATION, BITS)
            dnormed = _affine(dh, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, False)
            across += tl.sum(dnormed, axis=1, keep_dims=True) * (1.0 / FEATURES)
            along += tl.sum(dnormed * normed, axis=1, keep_dims=True) * (1.0 / FEATURES)
            if NEED_SUMS:
                here = partial_ptr + column
                there = here + tl.num_programs(0).to(tl.int64) * FEATURES
                dweight = tl.sum(dh * normed, axis=0, keep_dims=True)
                dbias = tl.sum(dh, axis=0, keep_dims=True)
                inside = column < FEATURES
                tl.store(here, tl.load(here, mask=inside, other=0.0) + dweight, mask=inside)
                tl.store(there, tl.load(there, mask=inside, other=0.0) + dbias, mask=inside)
        if NORM != "layer":
            across = tl.zeros_like(rstd)
        if NEED_DX:
            for start in range(0, FEATURES, WIDTH):
                column = start + tl.arange(0, WIDTH)[None, :]
                mask = valid & (column < FEATURES)
                dy = _load_rows(dy_ptr, row, dy_stride * ALIGN, column, mask)
                normed = (_load_rows(x_ptr, row, x_stride * ALIGN, column, mask) + shift) * rstd
                h = _affine(normed, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, HAS_BIAS)
                dh = dy * derivative(h, ACTIVATION, BITS)
                dnormed = _affine(dh, weight_ptr, bias_ptr, column, FEATURES, HAS_WEIGHT, False)
                dx = (dnormed - across - normed * along) * rstd
                tl.store(
                    dx_ptr + row * FEATURES + column, dx.to(dx_ptr.dtype.element_ty), mask=mask
                )
