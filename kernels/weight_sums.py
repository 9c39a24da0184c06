"""dweight and dbias: sums over all rows, the same bits every time.

Each program of the backward adds its own rows in registers, in their order, HELD of
them side by side, adds those HELD at its end and writes one row of partial sums;
`sum_partials` adds the rows in their order. That is 8·(programs)·FEATURES bytes
written and read again, mostly in L2, and no atomics.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_wait


@triton.jit
def accumulate(sums, addends, HELD: tl.constexpr, PARTS: tl.constexpr):
    """Add a tile to the running sums: as it is, or summed over its rows where HELD is 1."""
    added = ()
    for part in tl.static_range(PARTS):
        if HELD == 1:
            added = added + (sums[part] + tl.sum(addends[part], axis=0, keep_dims=True),)
        else:
            added = added + (sums[part] + addends[part],)
    return added


@triton.jit
def zeros(HELD: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr):
    """PARTS × [HELD, WIDTH] of zeros, for accumulate."""
    parts = ()
    for _ in tl.static_range(PARTS):
        parts = parts + (tl.zeros((HELD, WIDTH), tl.float32),)
    return parts


@triton.constexpr_function
def _halvings(rows: int) -> int:
    return rows.bit_length() - 1


@triton.jit
def store_added(
    pointer, sums, start, FEATURES: tl.constexpr, WIDTH: tl.constexpr, HELD: tl.constexpr
):
    """The sum of the HELD rows of sums [HELD, WIDTH], into columns from `start` on.

    Pairs of rows are added until one row is left: Triton brings the two of a pair to one
    lane by wide, conflict-free loads from shared memory (`ldmatrix`). `tl.sum` over the
    rows would leave up to 32 lanes in one bank.
    """
    added = tl.trans(sums)
    for _ in tl.static_range(_halvings(HELD)):
        pairs = tl.reshape(added, (WIDTH, added.shape[1] // 2, 2))
        first, second = tl.split(pairs)
        added = first + second
    column = start + tl.arange(0, WIDTH)
    added = tl.reshape(added, (WIDTH,))
    tl.store(pointer + column, added, mask=column < FEATURES)


@triton.jit
def store_sums(
    pointer, sums, FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr,
    HELD: tl.constexpr,
):  # fmt: skip
    """One row [FEATURES], the sum of the held ones."""
    for part in tl.static_range(PARTS):
        store_added(pointer, sums[part], part * WIDTH, FEATURES, WIDTH, HELD)


@triton.jit(do_not_specialize=["rows"])
def sum_partials(
    partial_ptr,  # [2, rows, FEATURES] float32
    dweight_ptr,  # [FEATURES], written by programs (·, 0)
    dbias_ptr,  # [FEATURES], written by programs (·, 1)
    rows,
    FEATURES: tl.constexpr,
    COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
    EARLY: tl.constexpr,
):
    if EARLY:
        gdc_wait()
    which = tl.program_id(1)
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    partial_ptr += which.to(tl.int64) * rows * FEATURES
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, rows, ROWS):
        row = start + tl.arange(0, ROWS)[:, None]
        mask = (row < rows) & (column < FEATURES)
        total += tl.load(partial_ptr + row * FEATURES + column, mask=mask, other=0.0)
    total = tl.sum(total, axis=0, keep_dims=True)
    if which == 0:
        if dweight_ptr is not None:
            value = total.to(dweight_ptr.dtype.element_ty)
            tl.store(dweight_ptr + column, value, mask=column < FEATURES)
    else:
        if dbias_ptr is not None:
            value = total.to(dbias_ptr.dtype.element_ty)
            tl.store(dbias_ptr + column, value, mask=column < FEATURES)
