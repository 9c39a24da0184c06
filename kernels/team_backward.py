"""The backward for rows that a team of programs shares: 3B + P, as for short rows.

As in team_forward, a turn of the loop does the sums of one tile and finishes the one
before, whose x and dx̂ stay in registers meanwhile:

    load dy, x        read   2B          the row's two sums, published; the columns' sums
    store dx          writes 1B          of the tile before

A member keeps the sums of its own columns only, 8 bytes for each of WIDTH, so rows of
any length leave room for that.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from kernels.gradients import gradients, row_statistics
from kernels.intrinsics import widen
from kernels.pairs import in_pairs, paired, widened
from kernels.teams import beyond, collect, columns, publish, unsigned
from kernels.tiles import sum_two


@triton.jit
def _row_sums(theirs, TEAM: tl.constexpr):
    """Both sums of whole rows, [ROWS, 1] each, from the members'."""
    none = beyond(TEAM)
    along = theirs[0] + tl.where(none, 0.0, theirs[2])
    across = theirs[1] + tl.where(none, 0.0, theirs[3])
    return sum_two(along, across, 1)


@triton.jit
def _scaled(along, across, rstd, shift, FEATURES: tl.constexpr):
    """The sums as dx takes them, which is dx̂·rstd − (x·along + across).

    That is rstd·(dx̂ − mean(dx̂) − x̂·mean(dx̂·x̂)).
    `shift` is −mean·rstd; or 0, where it is x − mean that is put in the place of x.
    """
    along *= rstd * (1.0 / FEATURES)
    across = across * (rstd * (1.0 / FEATURES)) + shift * along
    return along * rstd, across


@triton.jit
def _added(total, left, right):
    """total [1, WIDTH] + the rows of left · right, by one multiply-add each."""
    tile = left * right
    first = tl.arange(0, tile.shape[0])[:, None] == 0
    return tl.sum(tl.where(first, tile + total, tile), axis=0, keep_dims=True)


@triton.jit(do_not_specialize=["rows", "dy_stride", "x_stride"])
def team_backward(
    dy_ptr, x_ptr, weight_ptr, bias_ptr, statistics_ptr,
    slots_ptr,  # [rows, TEAM] int64, all EMPTY; there when NEED_DX
    dx_ptr,
    partial_ptr,  # [2, teams, FEATURES] float32
    rows, dy_stride, x_stride,
    FEATURES: tl.constexpr, ALIGN: tl.constexpr, NORM: tl.constexpr,
    ACTIVATION: tl.constexpr, BITS: tl.constexpr,
    HAS_WEIGHT: tl.constexpr, HAS_BIAS: tl.constexpr,
    NEED_DX: tl.constexpr, NEED_SUMS: tl.constexpr, EARLY: tl.constexpr,
    TEAM: tl.constexpr, WIDTH: tl.constexpr, ROWS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """As chain_backward; programs (team, member), each with WIDTH columns of its team's rows."""
    if EARLY:
        gdc_launch_dependents()
    ONE_STEP: tl.constexpr = x_ptr.dtype.element_ty != tl.float32
    IN_PAIRS: tl.constexpr = in_pairs(x_ptr.dtype.element_ty, FEATURES, ALIGN)
    member = tl.program_id(1)
    begin, doubled = columns(member, FEATURES, TEAM, WIDTH)
    lane = tl.arange(0, WIDTH)[None, :]
    own = lane >= doubled
    if HAS_WEIGHT:
        weight = widen(tl.load(weight_ptr + begin + lane, mask=own, other=0.0))
    if HAS_BIAS:
        bias = widen(tl.load(bias_ptr + begin + lane, mask=own, other=0.0))
    step = tl.num_programs(0) * ROWS
    dweight = tl.zeros((1, WIDTH), tl.float32)
    dbias = tl.zeros((1, WIDTH), tl.float32)
    if IN_PAIRS:
        x_before = tl.zeros((ROWS, WIDTH // 2), tl.uint32)
    else:
        x_before = tl.zeros((ROWS, WIDTH), x_ptr.dtype.element_ty)
    dnormed_before = tl.zeros((ROWS, WIDTH), tl.float32)
    rstd_before = tl.zeros((ROWS, 1), tl.float32)
    shift_before = tl.zeros((ROWS, 1), tl.float32)
    first = tl.program_id(0) * ROWS
    if EARLY and NEED_DX:
        gdc_wait()  # for empty slots
    for start in tl.range(first, rows + step, step, num_stages=STAGES):
        row = start + tl.arange(0, ROWS)[:, None]
        valid = row < rows
        at = unsigned(row) * (dy_stride.to(tl.int64) * ALIGN) + lane
        dy = widen(tl.load(dy_ptr + begin + at, mask=valid, other=0.0))
        at = unsigned(row) * (x_stride.to(tl.int64) * ALIGN) + lane
        x = tl.load(x_ptr + begin + at, mask=valid, other=0.0)
        rstd, shift = row_statistics(statistics_ptr, row, rows, valid, NORM, ONE_STEP)
        normed, dh, dnormed = gradients(
            dy, widen(x), weight if HAS_WEIGHT else 0.0, bias if HAS_BIAS else 0.0, rstd, shift,
            ACTIVATION, BITS, HAS_WEIGHT, HAS_BIAS, ONE_STEP,
        )  # fmt: skip
        if NEED_SUMS:
            if ONE_STEP:
                dweight = _added(dweight, dh, normed)
            else:  # float32 is not bound by instructions, and some more registers were spilled
                dweight += tl.sum(dh * normed, axis=0, keep_dims=True)
            dbias += tl.sum(dh, axis=0, keep_dims=True)
        if NEED_DX:
            if TEAM * WIDTH != FEATURES and not HAS_WEIGHT:  # else the weight is zero there
                dnormed = tl.where(own, dnormed, 0.0)
            along, across = sum_two(dnormed * normed, dnormed, 1)
            if NORM != "layer":
                across = tl.zeros_like(across)
            if ONE_STEP:  # a member's own sums, so that shift need not be kept: registers are short
                along, across = _scaled(along, across, rstd, shift, FEATURES)
            # Counted from `start`, and not from the loads' rows: those are worked out some turns
            # ahead, and would be kept in registers until here.
            row = (start - step) + tl.arange(0, ROWS)[:, None]
            publish(slots_ptr, row + step, row + step < rows, member, TEAM, along, across)

            valid = (row >= 0) & (row < rows)
            theirs = collect(slots_ptr, row, valid, TEAM)
            along, across = _row_sums(theirs, TEAM)
            before = widened(x_before, x_ptr.dtype.element_ty) if IN_PAIRS else widen(x_before)
            if not ONE_STEP:
                along, across = _scaled(along, across, rstd_before, 0.0, FEATURES)
                before += shift_before
            dx = dnormed_before * rstd_before - (before * along + across)
            at = dx_ptr + begin + (unsigned(row) * FEATURES + lane)
            tl.store(at, dx.to(dx_ptr.dtype.element_ty), mask=valid & own)
            x_before = paired(x) if IN_PAIRS else x
            dnormed_before = dnormed
            rstd_before = rstd
            if not ONE_STEP:
                shift_before = shift
    if NEED_SUMS:
        here = partial_ptr + begin + (tl.program_id(0).to(tl.int64) * FEATURES + lane)
        tl.store(here, dweight, mask=own)
        tl.store(here + tl.num_programs(0).to(tl.int64) * FEATURES, dbias, mask=own)
