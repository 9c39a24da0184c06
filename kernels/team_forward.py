"""The forward for rows that a team of programs shares: 3B, as for short rows.

Each member keeps its own columns of a tile in registers while the sums of the others
arrive, about 2 µs in all. To have work meanwhile, a turn of the loop does the sums of
one tile and finishes the one before:

    load x            reads  1B          its mean and squares, published
    load residual     reads  1B          of the tile before
    store y           writes 1B          of the tile before
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_wait

from kernels.activations import activate
from kernels.gradients import normalized
from kernels.intrinsics import reciprocal, widen, widen_here
from kernels.teams import beyond, collect, half, publish
from kernels.tiles import sum_two


@triton.jit
def _own_sums(x, inside, part, NORM: tl.constexpr, REFINE: tl.constexpr, RAGGED: tl.constexpr):
    """(mean, Σ (x − mean)²) of a member's 1 / part columns, [ROWS, 1]; the mean 0 for "rms"."""
    mean = tl.zeros((x.shape[0], 1), tl.float32)
    if NORM == "layer":
        mean = tl.sum(x, axis=1, keep_dims=True) * part
        x = x - mean
        if RAGGED:
            x = tl.where(inside, x, 0.0)
    if REFINE:  # as moments._centered does, and for its reason
        rest, squares = sum_two(x, x * x, 1)
        rest *= part
        mean += rest
        squares = tl.maximum(squares - rest * rest * (1.0 / part), 0.0)
    else:
        squares = tl.sum(x * x, axis=1, keep_dims=True)
    return mean, squares


@triton.jit
def _merge(near, rest, squares, count, near_too, rest_too, squares_too, count_too):
    """Chan's formula for two sets of numbers, with the mean as near + rest.

    One number would be rounded at each step; differences of two near means are exact.
    """
    step = (near_too - near) + (rest_too - rest)
    both = count + count_too
    share = count_too * reciprocal(tl.maximum(both, 1.0))
    squares += squares_too + step * step * (count * share)
    return near, rest + step * share, squares, both


@triton.jit
def _counts(place, like, FEATURES: tl.constexpr, WIDTH: tl.constexpr):
    """How many columns the members at these places have, shaped as `like`."""
    count = tl.minimum(tl.maximum(FEATURES - place * WIDTH, 0), WIDTH)
    return tl.zeros_like(like) + count.to(tl.float32)


@triton.jit
def _merged(theirs, FEATURES: tl.constexpr, TEAM: tl.constexpr, WIDTH: tl.constexpr):
    """(near, rest, variance), [ROWS, 1] each, of the members' sums; the mean is near + rest."""
    HALF: tl.constexpr = half(TEAM)
    place = tl.arange(0, HALF)[None, :]
    zero = tl.zeros_like(theirs[0])
    count = _counts(place, zero, FEATURES, WIDTH)
    count_too = _counts(place + HALF, zero, FEATURES, WIDTH)
    squares_too = tl.where(beyond(TEAM), 0.0, theirs[3])
    pairs = _merge(theirs[0], zero, theirs[1], count, theirs[2], zero, squares_too, count_too)
    near, rest, squares, count = tl.reduce(pairs, 1, _merge, keep_dims=True)
    return near, rest, squares * (1.0 / FEATURES)


@triton.jit(do_not_specialize=["rows", "x_stride", "residual_stride"])
def team_forward(
    x_ptr, residual_ptr, weight_ptr, bias_ptr, y_ptr, statistics_ptr,
    slots_ptr,  # [rows, TEAM] int64, all EMPTY
    rows, x_stride, residual_stride, eps,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_RESIDUAL: tl.constexpr, HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
    SAVE: tl.constexpr, EARLY: tl.constexpr, TEAM: tl.constexpr, WIDTH: tl.constexpr,
    ROWS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """As chain_forward; programs (team, member), each with WIDTH columns of its team's rows."""
    RAGGED: tl.constexpr = TEAM * WIDTH != FEATURES
    ONE_STEP: tl.constexpr = x_ptr.dtype.element_ty != tl.float32
    REFINE: tl.constexpr = NORM == "layer" and x_ptr.dtype.element_ty == tl.float32
    member = tl.program_id(1)
    column = member * WIDTH + tl.arange(0, WIDTH)[None, :]
    inside = column < FEATURES if RAGGED else column >= 0
    part = 1.0 / tl.minimum(FEATURES - member * WIDTH, WIDTH).to(tl.float32)
    if HAS_WEIGHT:
        weight = tl.load(weight_ptr + column, mask=inside, other=0.0)
    if HAS_BIAS:
        bias = tl.load(bias_ptr + column, mask=inside, other=0.0)
    step = tl.num_programs(0) * ROWS
    x_before = tl.zeros((ROWS, WIDTH), x_ptr.dtype.element_ty)
    first = tl.program_id(0) * ROWS
    if EARLY:
        gdc_wait()  # for empty slots
    for start in tl.range(first, rows + step, step, num_stages=STAGES):
        row = start + tl.arange(0, ROWS)[:, None]
        valid = row < rows
        at = x_ptr + row.to(tl.int64) * (x_stride.to(tl.int64) * ALIGN) + column
        x = tl.load(at, mask=valid & inside, other=0.0)
        sums = _own_sums(widen(x), inside, part, NORM, REFINE, RAGGED)
        publish(slots_ptr, row, valid, member, TEAM, sums[0], sums[1])

        row -= step
        valid = (row >= 0) & (row < rows)
        if HAS_RESIDUAL:
            at = residual_ptr + row.to(tl.int64) * (residual_stride.to(tl.int64) * ALIGN) + column
            residual = widen(tl.load(at, mask=valid & inside, other=0.0))
        theirs = collect(slots_ptr, row, valid, TEAM)
        near, rest, variance = _merged(theirs, FEATURES, TEAM, WIDTH)
        rstd = tl.rsqrt(variance + eps)
        if SAVE:
            one = valid & (member == 0)
            tl.store(statistics_ptr + row, rstd, mask=one)
            if NORM == "layer":
                tl.store(statistics_ptr + rows + row, near + rest, mask=one)
        if ONE_STEP:
            h = normalized(widen(x_before), rstd, -(near + rest) * rstd, ONE_STEP)
        else:
            h = normalized(widen(x_before) - near, rstd, -rest, ONE_STEP)
        if HAS_WEIGHT:
            h = h * widen_here(weight)
        if HAS_BIAS:
            h = h + widen_here(bias)
        y = activate(h, ACTIVATION, BITS)
        if HAS_RESIDUAL:
            y = y + residual
        at = y_ptr + row.to(tl.int64) * FEATURES + column
        tl.store(at, y.to(y_ptr.dtype.element_ty), mask=valid & inside)
        x_before = x
