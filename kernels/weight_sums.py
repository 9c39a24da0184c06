"""dweight and dbias: sums over all rows, the same bits every time.

Each program of the backward adds its own rows in registers, in their order, and
writes one row of partial sums at its end; `sum_partials` adds those rows in their
order. That is 8·(programs)·FEATURES bytes written and read again, and no atomics.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_wait

from kernels.tiles import columns, inside, sum_two


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


@triton.jit
def store_sums(
    pointer, stride, dweight, dbias,
    FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr,
):  # fmt: skip
    """dweight's sums over the held rows to `pointer`, dbias's `stride` elements further."""
    for part in tl.static_range(PARTS):
        first, second = sum_two(dweight[part], dbias[part], 0)
        addresses = pointer + columns(part, FEATURES, WIDTH)
        mask = inside(part, FEATURES, WIDTH)
        tl.store(addresses, first, mask=mask)
        tl.store(addresses + stride, second, mask=mask)


@triton.jit(do_not_specialize=["programs"])
def sum_partials(
    partial_ptr,  # [2, programs, FEATURES] float32
    dweight_ptr,  # [FEATURES], written by programs (·, 0)
    dbias_ptr,  # [FEATURES], written by programs (·, 1)
    programs,
    FEATURES: tl.constexpr,
    COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
    EARLY: tl.constexpr,
):
    if EARLY:
        gdc_wait()
    which = tl.program_id(1)
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    partial_ptr += which.to(tl.int64) * programs * FEATURES
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, programs, ROWS):
        row = start + tl.arange(0, ROWS)[:, None]
        mask = (row < programs) & (column < FEATURES)
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
