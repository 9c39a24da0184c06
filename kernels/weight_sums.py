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


@triton.jit
def _tile(partial_ptr, start, rows, column, FEATURES: tl.constexpr, ROWS: tl.constexpr):
    """Rows of partial sums from `start` on, [ROWS, COLUMNS]; zero where there are none."""
    row = start + tl.arange(0, ROWS)[:, None]
    mask = (row < rows) & (column < FEATURES)
    return tl.load(partial_ptr + row * FEATURES + column, mask=mask, other=0.0)


@triton.jit
def _sum(partial_ptr, rows, column, FEATURES: tl.constexpr, ROWS: tl.constexpr):
    """The sum of so many rows, [1, COLUMNS]."""
    # The first tile, mostly the only one, before the loop, so that its loads are in flight
    # together: within the loop the compiler has each wait for the one before.
    total = _tile(partial_ptr, 0, rows, column, FEATURES, ROWS)
    for start in range(ROWS, rows, ROWS):
        total += _tile(partial_ptr, start, rows, column, FEATURES, ROWS)
    return tl.sum(total, axis=0, keep_dims=True)


@triton.jit
def _keep(pointer, column, total, mask):
    if pointer is not None:
        tl.store(pointer + column, total.to(pointer.dtype.element_ty), mask=mask)


@triton.jit(do_not_specialize=["rows", "turns"])
def sum_partials(
    partial_ptr,  # [2, rows, FEATURES] float32
    dweight_ptr,  # [FEATURES], written by programs (·, 0)
    dbias_ptr,  # [FEATURES], written by programs (·, 1)
    rows,
    turns,  # 2, which the compiler is not to know
    FEATURES: tl.constexpr,
    COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
    EARLY: tl.constexpr,
    REHEARSE: tl.constexpr,
):
    """Where REHEARSE, a first turn does the same with no rows and keeps nothing.

    A program that is started early so fetches its instructions while it has to wait anyway.
    What streams through L2 between two calls leaves none of them there, and each would come
    from memory when everything else waits for this kernel.
    """
    which = tl.program_id(1)
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    partial_ptr += which.to(tl.int64) * rows * FEATURES
    for turn in tl.range(0, turns if REHEARSE else 1, num_stages=1):
        there = rows
        if REHEARSE:
            there = tl.where(turn == turns - 1, rows, 0)
        if EARLY:  # noqa: SIM102 -- settled when the kernel is compiled, the other is not
            if not REHEARSE or turn == turns - 1:
                gdc_wait()
        total = _sum(partial_ptr, there, column, FEATURES, ROWS)
        mask = (column < FEATURES) & (there > 0)
        if which == 0:
            _keep(dweight_ptr, column, total, mask)
        else:
            _keep(dbias_ptr, column, total, mask)
