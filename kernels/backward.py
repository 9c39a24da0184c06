"""The backward kernel: dx, and the sums for dweight and dbias, in one pass.

    load dy           reads  1B
    load x            reads  1B          h is worked out again, not read
    store dx          writes 1B          3B in all, against 6B in separate passes

The residual's gradient is dy itself and moves nothing. With x̂ = (x − mean)·rstd,
h = x̂·weight + bias, dh = dy·activation′(h) and dx̂ = dh·weight:

    dx = rstd·(dx̂ − mean(dx̂) − x̂·mean(dx̂·x̂))      the means over the features
    dweight = Σ dh·x̂,  dbias = Σ dh                   the sums over the rows

RMSNorm is the same without the mean and without mean(dx̂). Each program adds its
rows' dh·x̂ and dh in registers, in a fixed order, and writes one row of partial
sums at its end (kernels/weight_sums.py): no atomics, so the same bits every time.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from kernels.gradients import gradients, row_statistics
from kernels.tiles import load_tile, load_vector, store_part, sum_row, sum_two, total
from kernels.weight_sums import accumulate, store_sums, zeros

FEW = tl.constexpr(32)


@triton.jit
def _gradients(
    dy, x, weight, bias, rstd, shift,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr, HAS_WEIGHT: tl.constexpr,
    HAS_BIAS: tl.constexpr, PARTS: tl.constexpr, ONE_STEP: tl.constexpr,
):  # fmt: skip
    """(x̂, dh, dx̂) of a tile, each PARTS × [ROWS, WIDTH]."""
    normed = ()
    dh = ()
    dnormed = ()
    for part in tl.static_range(PARTS):
        found = gradients(
            dy[part], x[part], weight[part] if HAS_WEIGHT else 0.0,
            bias[part] if HAS_BIAS else 0.0, rstd, shift,
            ACTIVATION, BITS, HAS_WEIGHT, HAS_BIAS, ONE_STEP,
        )  # fmt: skip
        normed = normed + (found[0],)
        dh = dh + (found[1],)
        dnormed = dnormed + (found[2],)
    return normed, dh, dnormed


@triton.jit
def _times(left, right, PARTS: tl.constexpr):
    """The products of two tiles, element by element."""
    products = ()
    for part in tl.static_range(PARTS):
        products = products + (left[part] * right[part],)
    return products


@triton.jit(do_not_specialize=["rows", "dy_stride", "x_stride"])
def chain_backward(
    dy_ptr,
    x_ptr,
    weight_ptr,  # [FEATURES], read when HAS_WEIGHT
    bias_ptr,  # [FEATURES], read when HAS_BIAS
    statistics_ptr,  # 1/std [rows], then the mean [rows] of "layer"
    dx_ptr,  # [rows, FEATURES], contiguous, written when NEED_DX
    partial_ptr,  # [2, programs, FEATURES] float32, written when NEED_SUMS
    rows,
    dy_stride,  # from row to row, in units of ALIGN elements
    x_stride,
    FEATURES: tl.constexpr,
    ALIGN: tl.constexpr,
    NORM: tl.constexpr,
    ACTIVATION: tl.constexpr,
    BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr,
    HAS_BIAS: tl.constexpr,
    NEED_DX: tl.constexpr,
    NEED_SUMS: tl.constexpr,
    EARLY: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    PARTS: tl.constexpr,
    HELD: tl.constexpr,
    STAGES: tl.constexpr,
):
    if EARLY:
        gdc_launch_dependents()  # sum_partials may take its place now; it waits for our end
    first = tl.program_id(0).to(tl.int64) * ROWS
    step = tl.num_programs(0).to(tl.int64) * ROWS
    # Rows of few features leave dx as a difference of nearly equal numbers (of equal ones at 1).
    ONE_STEP: tl.constexpr = x_ptr.dtype.element_ty != tl.float32 and FEATURES >= FEW
    weight = ()
    bias = ()
    if HAS_WEIGHT:
        weight = load_vector(weight_ptr, FEATURES, WIDTH, PARTS, HELD)
    if HAS_BIAS:
        bias = load_vector(bias_ptr, FEATURES, WIDTH, PARTS, HELD)
    if NEED_SUMS:
        dweight = zeros(HELD, WIDTH, PARTS)  # PARTS × [HELD, WIDTH]
        dbias = zeros(HELD, WIDTH, PARTS)
    for start in tl.range(first, rows.to(tl.int64), step, num_stages=STAGES):
        row = start + tl.arange(0, ROWS)[:, None]
        valid = row < rows
        # dy is zero in rows that do not exist, and so is all that they add below.
        dy = load_tile(dy_ptr, row, dy_stride.to(tl.int64) * ALIGN, valid, FEATURES, WIDTH, PARTS)
        x = load_tile(x_ptr, row, x_stride.to(tl.int64) * ALIGN, valid, FEATURES, WIDTH, PARTS)
        rstd, shift = row_statistics(statistics_ptr, row, rows, valid, NORM, ONE_STEP)
        normed, dh, dnormed = _gradients(
            dy, x, weight, bias, rstd, shift,
            ACTIVATION, BITS, HAS_WEIGHT, HAS_BIAS, PARTS, ONE_STEP,
        )  # fmt: skip
        if NEED_SUMS:
            dweight = accumulate(dweight, _times(dh, normed, PARTS), HELD, PARTS)
            dbias = accumulate(dbias, dh, HELD, PARTS)
        if NEED_DX:
            scale = rstd * (1.0 / FEATURES) if FEATURES >= FEW else 1.0 / FEATURES
            products = _times(dnormed, normed, PARTS)
            if NORM == "layer":
                along, across = sum_two(total(products, PARTS), total(dnormed, PARTS), 1)
                across *= scale
            else:
                along = sum_row(products, PARTS)
                across = tl.zeros_like(along)
            along *= scale
            for part in tl.static_range(PARTS):
                if FEATURES == 1 and NORM == "layer":
                    dx = normed[part] * 0.0  # one value less its own mean is 0, whatever it is
                elif FEATURES >= FEW:
                    dx = dnormed[part] * rstd - (normed[part] * along + across)
                else:
                    dx = (dnormed[part] - (normed[part] * along + across)) * rstd
                store_part(dx_ptr, row, valid, part, dx, FEATURES, WIDTH)
    if NEED_SUMS:
        here = partial_ptr + tl.program_id(0).to(tl.int64) * FEATURES
        store_sums(here, dweight, FEATURES, WIDTH, PARTS, HELD)
        there = here + tl.num_programs(0).to(tl.int64) * FEATURES
        store_sums(there, dbias, FEATURES, WIDTH, PARTS, HELD)
