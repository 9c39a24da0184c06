"""The backward for rows that no team can hold either (kernels/looped.py says which).

Two kernels: one that finds each row's two means, and one that owns a block of
columns, walks down the rows and keeps the columns' sums in registers.

    row means         reads  dy, x           2B
    column blocks     reads  dy, x           2B
                      writes dx              1B          5B, against 3B of shorter rows
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from kernels.gradients import gradients, row_statistics
from kernels.intrinsics import widen
from kernels.tiles import sum_two
from kernels.weight_sums import store_added


@triton.jit
def _load(pointers, mask):
    return widen(tl.load(pointers, mask=mask, other=0.0))


@triton.jit
def load_vector(pointer, column, mask, HAS: tl.constexpr):
    """A piece of weight or bias; something that is not read where there is none."""
    return _load(pointer + column, mask) if HAS else 0.0


@triton.jit(do_not_specialize=["rows", "dy_stride", "x_stride"])
def row_means(
    dy_ptr, x_ptr, weight_ptr, bias_ptr, statistics_ptr,
    means_ptr,  # [2, rows]: of dx̂·x̂, then of dx̂
    rows, dy_stride, x_stride,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr, WIDTH: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """One program for each row, in pieces of WIDTH columns."""
    ONE_STEP: tl.constexpr = x_ptr.dtype.element_ty != tl.float32
    row = tl.program_id(0).to(tl.int64) + tl.zeros((1, 1), tl.int64)
    rstd, shift = row_statistics(statistics_ptr, row, rows, row < rows, NORM, ONE_STEP)
    along = tl.zeros((1, WIDTH), tl.float32)
    across = tl.zeros((1, WIDTH), tl.float32)
    for start in tl.range(0, FEATURES, WIDTH, num_stages=STAGES):
        column = start + tl.arange(0, WIDTH)[None, :]
        mask = column < FEATURES
        dy = _load(dy_ptr + row * (dy_stride.to(tl.int64) * ALIGN) + column, mask)
        x = _load(x_ptr + row * (x_stride.to(tl.int64) * ALIGN) + column, mask)
        weight = load_vector(weight_ptr, column, mask, HAS_WEIGHT)
        bias = load_vector(bias_ptr, column, mask, HAS_BIAS)
        normed, _, dnormed = gradients(
            dy, x, weight, bias, rstd, shift, ACTIVATION, BITS, HAS_WEIGHT, HAS_BIAS, ONE_STEP
        )
        along += dnormed * normed  # dy is zero past the last feature, and so is dnormed
        across += dnormed
    along, across = sum_two(along, across, 1)
    tl.store(means_ptr + row, along * (1.0 / FEATURES))
    if NORM == "layer":
        tl.store(means_ptr + rows + row, across * (1.0 / FEATURES))


@triton.jit(do_not_specialize=["rows", "dy_stride", "x_stride"])
def column_blocks(
    dy_ptr, x_ptr, weight_ptr, bias_ptr, statistics_ptr, means_ptr, dx_ptr,
    partial_ptr,  # [2, programs over the rows, FEATURES] float32
    rows, dy_stride, x_stride,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
    NEED_DX: tl.constexpr, NEED_SUMS: tl.constexpr, EARLY: tl.constexpr,
    WIDTH: tl.constexpr, ROWS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """Programs (i, j): every so many tiles of rows from the i-th, of the j-th block of columns."""
    if EARLY:
        gdc_launch_dependents()
    ONE_STEP: tl.constexpr = x_ptr.dtype.element_ty != tl.float32
    first = tl.program_id(0).to(tl.int64) * ROWS
    step = tl.num_programs(0).to(tl.int64) * ROWS
    held = tl.arange(0, ROWS)[:, None]
    column = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)[None, :]
    inside = column < FEATURES
    # A copy for each row of the tile: see tiles.load_vector.
    weight = load_vector(weight_ptr, held * 0 + column, inside, HAS_WEIGHT)
    bias = load_vector(bias_ptr, held * 0 + column, inside, HAS_BIAS)
    dweight = tl.zeros((ROWS, WIDTH), tl.float32)
    dbias = tl.zeros((ROWS, WIDTH), tl.float32)
    for start in tl.range(first, rows.to(tl.int64), step, num_stages=STAGES):
        row = start + held
        valid = row < rows
        dy = _load(dy_ptr + row * (dy_stride.to(tl.int64) * ALIGN) + column, valid & inside)
        x = _load(x_ptr + row * (x_stride.to(tl.int64) * ALIGN) + column, valid & inside)
        rstd, shift = row_statistics(statistics_ptr, row, rows, valid, NORM, ONE_STEP)
        normed, dh, dnormed = gradients(
            dy, x, weight, bias, rstd, shift, ACTIVATION, BITS, HAS_WEIGHT, HAS_BIAS, ONE_STEP
        )
        if NEED_SUMS:
            dweight += dh * normed
            dbias += dh
        if NEED_DX:
            along = tl.load(means_ptr + row, mask=valid, other=0.0)
            across = tl.zeros_like(along)
            if NORM == "layer":
                across = tl.load(means_ptr + rows + row, mask=valid, other=0.0)
            dx = (dnormed - (normed * along + across)) * rstd
            addresses = dx_ptr + row * FEATURES + column
            tl.store(addresses, dx.to(dx_ptr.dtype.element_ty), mask=valid & inside)
    if NEED_SUMS:
        start = tl.program_id(1) * WIDTH
        here = partial_ptr + tl.program_id(0).to(tl.int64) * FEATURES
        store_added(here, dweight, start, FEATURES, WIDTH, ROWS)
        there = here + tl.num_programs(0).to(tl.int64) * FEATURES
        store_added(there, dbias, start, FEATURES, WIDTH, ROWS)
