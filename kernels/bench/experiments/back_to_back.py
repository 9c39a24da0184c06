"""y = between(x·W₁)·W₂ in one kernel: the intermediate h never leaves the chip.

    load x, W₁      a tile of h = x·W₁ is made in registers
    load W₂         the tile's part is added to y, kept in registers
    store y         when all of h has passed

Nothing of h is read or written. The price: a program's registers hold ROWS × COLUMNS of y
and no more, so rows of y longer than COLUMNS are shared out over several programs, and each
of them works all of h out for itself (kernels/lab/products.py counts it).
"""

from dataclasses import dataclass

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.activations import activate


@triton.jit(do_not_specialize=["rows"])
def back_to_back(  # noqa: PLR0913 - pointers and constants come one by one
    x_ptr,  # [rows, FEATURES]
    first_ptr,  # [FEATURES, HIDDEN]
    second_ptr,  # [HIDDEN, FEATURES]
    y_ptr,  # [rows, FEATURES]
    rows,
    FEATURES: tl.constexpr,
    HIDDEN: tl.constexpr,
    BETWEEN: tl.constexpr,
    BITS: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    TILE: tl.constexpr,  # columns of h at a time
    INNER: tl.constexpr,  # features at a time in x·W₁
):
    # Programs that share rows of x follow each other, so that x is read from L2.
    shares: tl.constexpr = FEATURES // COLUMNS
    row = (tl.program_id(0) // shares).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.program_id(0) % shares * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inner = tl.arange(0, INNER)
    valid = row < rows
    if INNER == FEATURES:
        x = tl.load(x_ptr + row * FEATURES + inner[None, :], mask=valid, other=0.0)
    y = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in tl.range(0, HIDDEN, TILE):
        hidden = start + tl.arange(0, TILE)
        first = first_ptr + inner[:, None] * HIDDEN + hidden[None, :]
        if INNER == FEATURES:
            h = tl.dot(x, tl.load(first))
        else:
            h = tl.zeros((ROWS, TILE), tl.float32)
            for at in tl.range(0, FEATURES, INNER):
                x = tl.load(x_ptr + row * FEATURES + at + inner[None, :], mask=valid, other=0.0)
                h = tl.dot(x, tl.load(first + at * HIDDEN), h)
        h = activate(h, BETWEEN, BITS).to(y_ptr.dtype.element_ty)
        second = tl.load(second_ptr + hidden[:, None] * FEATURES + column)
        y = tl.dot(h, second, y)
    tl.store(y_ptr + row * FEATURES + column, y.to(y_ptr.dtype.element_ty), mask=valid)


@dataclass(frozen=True, slots=True)
class Blocks:
    """How the kernel is cut: a program's rows and columns of y, its tile of h, and its depth."""

    rows: int
    columns: int
    tile: int
    inner: int
    warps: int
    stages: int


MOST_COLUMNS = 256
"""Of y, by 128 rows: in float32 half of a multiprocessor's registers."""


def blocks(features: int, hidden: int) -> Blocks:
    """The cut for these sizes, both powers of two or multiples of 256; the fastest of those tried.

    Up to 256 features a program holds whole rows of x and y. Past that it walks over x for
    each tile of h, and wide tiles spare it that walk: 128 columns are what registers allow.
    """
    if features > MOST_COLUMNS:
        return Blocks(128, MOST_COLUMNS, min(128, hidden), 64, 8, 4)
    stages = {128: 4, 256: 2}.get(features, 3)
    return Blocks(128, features, min(64, hidden), features, 4 if features < 64 else 8, stages)


def fused_products(x: Tensor, first: Tensor, second: Tensor, between: str = "identity") -> Tensor:
    """between(x·first)·second, [rows, features]; all contiguous, of one 16-bit dtype.

    `between` is an activation of kernels/activations.py. ValueError for sizes that the blocks
    don't divide.
    """
    rows, features = x.shape
    hidden = first.shape[1]
    cut = blocks(features, hidden)
    if features % cut.columns or features % cut.inner or hidden % cut.tile:
        raise ValueError(f"{features} features and {hidden} hidden ones are no multiples of {cut}")
    y, bits = torch.empty_like(x), 8 if x.dtype == torch.bfloat16 else 11
    grid = (-(-rows // cut.rows) * (features // cut.columns),)
    back_to_back[grid](
        x, first, second, y, rows, features, hidden, between, bits,
        cut.rows, cut.columns, cut.tile, cut.inner, num_warps=cut.warps, num_stages=cut.stages,
    )  # fmt: skip
    return y
