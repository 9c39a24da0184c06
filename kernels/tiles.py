"""How a tile of rows is held: as a tuple of `PARTS` tensors of shape [ROWS, WIDTH].

A tensor's sides must be powers of two, a row's length need not be. Cutting the
row into equal parts instead of padding it to the next power leaves no idle
lanes at 768 = 3 × 256 or 1280 = 5 × 256; only the last part may be ragged.

With WIDTH = 512 bytes (32 lanes × 16 bytes) and ROWS a multiple of the warps,
Triton gives each row to one warp: every load is 16 bytes a lane, and the sums
over a row are additions in registers and five shuffles, without a barrier.
"""

import triton
import triton.language as tl

from kernels.intrinsics import PLAIN, widen


@triton.jit
def columns(part, FEATURES: tl.constexpr, WIDTH: tl.constexpr):
    """The column numbers of one part, as [1, WIDTH]."""
    return (part * WIDTH + tl.arange(0, WIDTH))[None, :]


@triton.jit
def inside(part, FEATURES: tl.constexpr, WIDTH: tl.constexpr):
    """Which columns of a ragged part exist, as [1, WIDTH]."""
    return columns(part, FEATURES, WIDTH) < FEATURES


@triton.jit
def load_vector(
    pointer, FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr, HELD: tl.constexpr
):
    """A vector over the features, as PARTS tensors [HELD, WIDTH] in float32.

    HELD = ROWS gives each warp's row a copy. As [1, WIDTH] the vector would be spread
    over all warps, and Triton would carry the tile over to that spread, through shared
    memory and a dozen barriers.
    """
    parts = ()
    for part in tl.static_range(PARTS):
        same = tl.zeros((HELD, 1), tl.int32)
        addresses = pointer + same + columns(part, FEATURES, WIDTH)
        if (part + 1) * WIDTH > FEATURES:
            value = tl.load(addresses, mask=inside(part, FEATURES, WIDTH), other=0.0)
        else:
            value = tl.load(addresses)
        parts = parts + (widen(value),)
    return parts


@triton.jit
def load_tile(
    pointer, rows, stride, valid, FEATURES: tl.constexpr, WIDTH: tl.constexpr, PARTS: tl.constexpr
):
    """Rows [ROWS, 1] (int64) as PARTS tensors [ROWS, WIDTH] in float32; zero where not valid."""
    parts = ()
    for part in tl.static_range(PARTS):
        mask = valid
        if (part + 1) * WIDTH > FEATURES:
            mask = valid & inside(part, FEATURES, WIDTH)
        addresses = pointer + rows * stride + columns(part, FEATURES, WIDTH)
        parts = parts + (widen(tl.load(addresses, mask=mask, other=0.0)),)
    return parts


@triton.jit
def store_part(pointer, rows, valid, part, value, FEATURES: tl.constexpr, WIDTH: tl.constexpr):
    """One part [ROWS, WIDTH] into contiguous rows."""
    mask = valid
    if (part + 1) * WIDTH > FEATURES:
        mask = valid & inside(part, FEATURES, WIDTH)
    addresses = pointer + rows * FEATURES + columns(part, FEATURES, WIDTH)
    tl.store(addresses, value.to(pointer.dtype.element_ty), mask=mask)


@triton.jit
def total(parts, PARTS: tl.constexpr):
    """The sum of a tile's parts, as [ROWS, WIDTH]."""
    added = parts[0]
    for part in tl.static_range(1, PARTS):
        added += parts[part]
    return added


@triton.jit
def sum_row(parts, PARTS: tl.constexpr):
    """The sum over the features of a tile, as [ROWS, 1]: lanes first, then one reduction."""
    return tl.sum(total(parts, PARTS), axis=1, keep_dims=True)


@triton.jit
def _add_pairs(first, second, more_first, more_second):
    return first + more_first, second + more_second


@triton.jit
def sum_two(first, second, AXIS: tl.constexpr):
    """The sums of two tensors over an axis, kept, by one exchange between warps for both."""
    if PLAIN:  # the interpreter's own sum is faster by far
        first = tl.sum(first, axis=AXIS, keep_dims=True)
        second = tl.sum(second, axis=AXIS, keep_dims=True)
    else:
        first, second = tl.reduce((first, second), AXIS, _add_pairs, keep_dims=True)
    return first, second
