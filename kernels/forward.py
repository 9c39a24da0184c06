"""The forward kernel: y = activation(norm(x)·weight + bias) + residual, in one pass.

Bytes a line (B = one tensor of x's size; a row stays in registers throughout):

    load x            reads  1B
    load residual     reads  1B
    store y           writes 1B          3B in all, against 7B in three passes

weight and bias are read once for each program, which then walks over many
tiles. Training adds 4 bytes a row for the mean and 4 for 1/std, in float32.
"""

import triton
import triton.language as tl

from kernels.activations import activate
from kernels.moments import standardized
from kernels.tiles import load_tile, load_vector, store_part


@triton.jit(do_not_specialize=["rows", "x_stride", "residual_stride"])
def chain_forward(
    x_ptr,
    residual_ptr,  # read when HAS_RESIDUAL
    weight_ptr,  # [FEATURES], read when HAS_WEIGHT
    bias_ptr,  # [FEATURES], read when HAS_BIAS
    y_ptr,  # [rows, FEATURES], contiguous
    statistics_ptr,  # 1/std [rows], then the mean [rows] of "layer"; written when SAVE
    rows,
    x_stride,  # from row to row, in units of ALIGN elements
    residual_stride,
    eps,
    FEATURES: tl.constexpr,
    ALIGN: tl.constexpr,
    NORM: tl.constexpr,
    ACTIVATION: tl.constexpr,
    BITS: tl.constexpr,
    HAS_RESIDUAL: tl.constexpr,
    HAS_WEIGHT: tl.constexpr,
    HAS_BIAS: tl.constexpr,
    SAVE: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    PARTS: tl.constexpr,
    HELD: tl.constexpr,
    STAGES: tl.constexpr,
):
    # 64-bit row numbers: a tensor may hold more than 2^31 elements.
    first = tl.program_id(0).to(tl.int64) * ROWS
    step = tl.num_programs(0).to(tl.int64) * ROWS
    if HAS_WEIGHT:
        weight = load_vector(weight_ptr, FEATURES, WIDTH, PARTS, HELD)  # PARTS × [HELD, WIDTH]
    if HAS_BIAS:
        bias = load_vector(bias_ptr, FEATURES, WIDTH, PARTS, HELD)
    for start in tl.range(first, rows.to(tl.int64), step, num_stages=STAGES):
        row = start + tl.arange(0, ROWS)[:, None]  # [ROWS, 1]
        valid = row < rows
        # PARTS × [ROWS, WIDTH]
        x = load_tile(x_ptr, row, x_stride.to(tl.int64) * ALIGN, valid, FEATURES, WIDTH, PARTS)
        if HAS_RESIDUAL:
            residual = load_tile(
                residual_ptr,
                row,
                residual_stride.to(tl.int64) * ALIGN,
                valid,
                FEATURES,
                WIDTH,
                PARTS,
            )
        REFINE: tl.constexpr = x_ptr.dtype.element_ty == tl.float32
        x, rstd, mean = standardized(x, eps, NORM, FEATURES, WIDTH, PARTS, REFINE)
        if SAVE:
            tl.store(statistics_ptr + row, rstd, mask=valid)
            if NORM == "layer":
                tl.store(statistics_ptr + rows + row, mean, mask=valid)
        for part in tl.static_range(PARTS):
            h = x[part]
            if HAS_WEIGHT:
                h = h * weight[part]
            if HAS_BIAS:
                h = h + bias[part]
            y = activate(h, ACTIVATION, BITS)
            if HAS_RESIDUAL:
                y = y + residual[part]
            store_part(y_ptr, row, valid, part, y, FEATURES, WIDTH)
