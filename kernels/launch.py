"""Starting the kernels: tensors of any layout in, tensors out, no autograd.

A tensor is used in place when its features lie side by side and its rows a
constant distance apart; any other layout (a transposed view, features expanded
from one value) is copied first, once.
"""

import torch
from torch import Tensor

from kernels import plans, prepared
from kernels.layout import as_rows, empty_as, on, packed
from kernels.start import Plan
from kernels.tiling import Tiling


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
    device, dtypes = x.device, (x.dtype, dtype_of(residual), dtype_of(weight), dtype_of(bias))
    features = x.shape[-1]
    rows = x.numel() // features
    y = empty_as(x, result_dtype(x, residual))
    statistics = None
    if save:
        # Sizes one by one, here and below: torch takes 0.6 µs longer over a tuple of them.
        kinds = 2 if how[0] == "layer" else 1
        statistics = torch.empty(kinds, rows, dtype=torch.float32, device=device)
    if rows == 0:
        return y, statistics
    x, x_stride = as_rows(x)
    residual, residual_stride = (None, 0) if residual is None else as_rows(residual)
    strides = (x_stride, residual_stride)
    call = prepared.forward(device, tiling, (rows, features), strides, dtypes, how, save)
    given = (x, residual, packed(weight), packed(bias), y, statistics)
    with on(device):
        if call.plan.way == "team":
            given = (*given, _slots(call.plan, rows, device))
        call.plan.start(call.grid, given, call.numbers, dtypes)
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
    device, dtypes = x.device, (x.dtype, dy.dtype, dtype_of(weight), dtype_of(bias))
    features = x.shape[-1]
    rows = x.numel() // features
    dx = empty_as(x, x.dtype) if need[0] else None
    (dy, dy_stride), (x, x_stride) = as_rows(dy), as_rows(x)
    strides = (dy_stride, x_stride)
    call = prepared.backward(device, tiling, (rows, features), strides, dtypes, how, need)
    weight, bias, partial = packed(weight), packed(bias), None
    given = (dy, x, weight, bias, statistics)
    if need[1]:  # of zero rows the sum is zero
        make = torch.empty if rows else torch.zeros
        partial = make(2, call.partials, features, dtype=torch.float32, device=device)
    with on(device):
        if rows and call.plan.way == "team":
            given = (*given, _slots(call.plan, rows, device) if need[0] else None)
        elif rows and call.means:
            means = torch.empty(2, rows, dtype=torch.float32, device=device)
            call.means.start((rows, 1, 1), (*given, means), call.numbers, dtypes)
            given = (*given, means)
        if rows:
            call.plan.start(call.grid, (*given, dx, partial), call.numbers, dtypes)
        return (dx, *_summed(call, partial, weight, bias))


def _slots(plan: Plan, rows: int, device: torch.device) -> Tensor:
    """[rows, members] slots for a team's sums, all empty once the team looks at them."""
    slots = torch.empty(rows, plan.blocks, dtype=torch.int64, device=device)
    count = slots.numel()
    fill = plans.slots(device)
    fill.start(fill.grid(count), (slots,), (count,), ())
    return slots


def _summed(
    call: prepared.Backward, partial: Tensor | None, weight: Tensor | None, bias: Tensor | None
) -> tuple[Tensor | None, Tensor | None]:
    """(dweight, dbias) from the programs' partial sums [2, rows, features]."""
    if partial is None:
        return None, None
    dweight = None if weight is None else torch.empty_like(weight)
    dbias = None if bias is None else torch.empty_like(bias)
    dtypes = (dtype_of(weight), dtype_of(bias))
    call.sums.start(call.sums_grid, (partial, dweight, dbias), call.sums_numbers, dtypes)
    return dweight, dbias


def backward_programs(x: Tensor) -> int:
    """How many rows of partial sums the backward of x leaves: one for each program of its rows."""
    features, like = x.shape[-1], (x.dtype,) * 4
    shape, strides = (x.numel() // features, features), (features, features)
    how, need = ("layer", "gelu"), (True, True)
    return prepared.backward(x.device, None, shape, strides, like, how, need).partials
