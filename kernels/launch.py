"""Starting the kernels: tensors of any layout in, tensors out, no autograd.

A tensor is used in place when its features lie side by side and its rows a
constant distance apart; any other layout (a transposed view, features expanded
from one value) is copied first, once.
"""

import math
from functools import cache

import torch
from torch import Tensor

from kernels import plans
from kernels.layout import as_rows, empty_as, on, packed
from kernels.tiling import Tiling

_BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}


@cache
def bits(*dtypes: torch.dtype | None) -> int:
    """The precision in bits of the most precise among the dtypes."""
    return max(_BITS[dtype] for dtype in dtypes if dtype is not None)


def dtype_of(tensor: Tensor | None) -> torch.dtype | None:
    """The dtype, or None of None."""
    return None if tensor is None else tensor.dtype


def result_dtype(x: Tensor, residual: Tensor | None) -> torch.dtype:
    """The dtype of the chain's result."""
    if residual is None or residual.dtype == x.dtype:
        return x.dtype
    return torch.promote_types(x.dtype, residual.dtype)


def forward(
    x: Tensor,
    residual: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    how: tuple[str, str, float],
    save: bool,
    tiling: Tiling | None = None,
) -> tuple[Tensor, Tensor | None]:
    """(y [..., features], statistics) of the chain; `how` = (norm, activation, eps).

    Without a residual the addition is left out. The statistics, where `save` asks for
    them, are [1/std, mean] by rows, [2, rows] in float32, or [1, rows] for RMSNorm.
    y has the dtype to which x and residual promote.
    """
    norm, activation, eps = how
    features = x.shape[-1]
    rows = x.numel() // features
    dtype, device = result_dtype(x, residual), x.device
    y = empty_as(x, dtype)
    statistics = None
    if save:
        # Sizes one by one, here and below: torch takes 0.6 µs longer over a tuple of them.
        kept = 2 if norm == "layer" else 1
        statistics = torch.empty(kept, rows, dtype=torch.float32, device=device)
    if rows == 0:
        return y, statistics
    x, x_stride = as_rows(x)
    residual, residual_stride = (None, 0) if residual is None else as_rows(residual)
    align = math.gcd(x_stride, residual_stride, 16)
    plan = plans.forward(
        device, tiling, features, x.element_size(), align, (norm, activation, _BITS[dtype]),
        (residual is not None, weight is not None, bias is not None), save,
    )  # fmt: skip
    tensors = (x, residual, packed(weight), packed(bias), y, statistics)
    numbers = (rows, x_stride // align, residual_stride // align, eps)
    dtypes = (x.dtype, dtype_of(residual), dtype_of(weight), dtype_of(bias))
    with on(device):
        plan.start(plan.grid(rows), tensors, numbers, dtypes)
    return y, statistics


def backward(
    dy: Tensor,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    statistics: Tensor,
    how: tuple[str, str],
    need: tuple[bool, bool],
    tiling: Tiling | None = None,
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """(dx, dweight, dbias); `need` = (dx?, sums?), what is not needed or not there is None."""
    features = x.shape[-1]
    rows = x.numel() // features
    dx = empty_as(x, x.dtype) if need[0] else None
    (dy, dy_stride), (x, x_stride) = as_rows(dy), as_rows(x)
    align = math.gcd(dy_stride, x_stride, 16)
    dtypes = (x.dtype, dy.dtype, dtype_of(weight), dtype_of(bias))
    case = (features, x.element_size(), align, (*how, bits(*dtypes)),
            (weight is not None, bias is not None))  # fmt: skip
    device = x.device
    plan = plans.backward(device, tiling, *case, need)
    grid = plan.grid(rows)
    partial = None
    if need[1]:  # of zero rows the sum is zero
        make = torch.empty if rows else torch.zeros
        held = max(1, grid[0] * plan.held)
        partial = make(2, held, features, dtype=torch.float32, device=device)
    given = (dy, x, packed(weight), packed(bias), statistics)
    sizes = (rows, dy_stride // align, x_stride // align)
    with on(device):
        if rows and plan.blocks:
            means = torch.empty(2, rows, dtype=torch.float32, device=device)
            plans.means(device, *case).start((rows, 1, 1), (*given, means), sizes, dtypes)
            given = (*given, means)
        if rows:
            plan.start(grid, (*given, dx, partial), sizes, dtypes)
        return (dx, *_summed(partial, weight, bias))


def backward_programs(x: Tensor) -> int:
    """How many rows of partial sums the backward of x leaves: programs × rows of each."""
    features = x.shape[-1]
    how = ("layer", "gelu", _BITS[x.dtype])
    plan = plans.backward(
        x.device, None, features, x.element_size(), math.gcd(features, 16), how,
        (True, True), (True, True),
    )  # fmt: skip
    return plan.grid(x.numel() // features)[0] * plan.held


def _summed(
    partial: Tensor | None, weight: Tensor | None, bias: Tensor | None
) -> tuple[Tensor | None, Tensor | None]:
    """(dweight, dbias) from the programs' partial sums [2, rows, features]."""
    if partial is None:
        return None, None
    _, rows, features = partial.shape
    dweight = None if weight is None else empty_as(weight, weight.dtype)
    dbias = None if bias is None else empty_as(bias, bias.dtype)
    columns = plans.sum_columns(features)
    plan = plans.sums(partial.device, features, rows * columns > plans.FEW_PARTIALS)
    grid = (-(-features // columns), 1 if dbias is None else 2, 1)
    plan.start(grid, (partial, dweight, dbias), (rows,), (dtype_of(weight), dtype_of(bias)))
    return dweight, dbias
