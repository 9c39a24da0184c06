"""What shapes, strides and dtypes settle of a call, worked out once for each combination.

To work it out at every call took 10 of the 35 µs that the backward spent in Python (on a
CPU, the launches left out).
"""

import math
from functools import cache, lru_cache
from typing import NamedTuple

import torch

from kernels import plans
from kernels.start import Plan
from kernels.tiling import Tiling

Dtypes = tuple[torch.dtype, torch.dtype | None, torch.dtype | None, torch.dtype | None]
Grid = tuple[int, int, int]

_BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}
_KEPT = 1024  # combinations: the lengths of speech vary without end


@cache
def bits(*dtypes: torch.dtype | None) -> int:
    """The precision in bits of the most precise among the dtypes."""
    return max(_BITS[dtype] for dtype in dtypes if dtype is not None)


class Forward(NamedTuple):
    """A forward's plan, its grid, and the kernel's numbers: rows, strides, eps."""

    plan: Plan
    grid: Grid
    numbers: tuple[int, int, int, float]


class Backward(NamedTuple):
    """A backward's plans, grids and numbers (rows, strides); `partials` rows are summed up."""

    plan: Plan
    grid: Grid
    numbers: tuple[int, int, int]
    means: Plan | None
    partials: int
    sums: Plan
    sums_grid: Grid
    sums_numbers: tuple[int, int]


@lru_cache(_KEPT)
def forward(
    device: torch.device,
    tiling: Tiling | None,
    shape: tuple[int, int],
    strides: tuple[int, int],
    dtypes: Dtypes,
    how: tuple[str, str, float],
    save: bool,
) -> Forward:
    """`shape` = (rows, features), `strides` of x and residual, `dtypes` of all four inputs."""
    rows, features = shape
    norm, activation, eps = how
    dtype, residual = dtypes[:2]
    precision = bits(dtype if residual is None else torch.promote_types(dtype, residual))
    align = math.gcd(*strides, 16)
    plan = plans.forward(
        device, tiling, features, dtype.itemsize, align, (norm, activation, precision),
        tuple(each is not None for each in dtypes[1:]), save,
    )  # fmt: skip
    numbers = (rows, strides[0] // align, strides[1] // align, eps)
    return Forward(plan, plan.grid(rows), numbers)


@lru_cache(_KEPT)
def backward(
    device: torch.device,
    tiling: Tiling | None,
    shape: tuple[int, int],
    strides: tuple[int, int],
    dtypes: Dtypes,
    how: tuple[str, str],
    need: tuple[bool, bool],
) -> Backward:
    """`shape` = (rows, features), `strides` of dy and x, `dtypes` of x, dy, weight and bias."""
    rows, features = shape
    align = math.gcd(*strides, 16)
    has = (dtypes[2] is not None, dtypes[3] is not None)
    case = (features, dtypes[0].itemsize, align, (*how, bits(*dtypes)), has)
    plan = plans.backward(device, tiling, *case, need)
    grid = plan.grid(rows)
    partials = max(1, plan.over_rows(rows))
    columns = plans.sum_columns(features)
    return Backward(
        plan, grid,
        numbers=(rows, strides[0] // align, strides[1] // align),
        means=plans.means(device, *case) if plan.way == "looped" else None,
        partials=partials,
        sums=plans.sums(device, features, partials * columns > plans.FEW_PARTIALS),
        sums_grid=(-(-features // columns), 2 if has[1] else 1, 1),
        sums_numbers=(partials, plans.SUM_TURNS),
    )  # fmt: skip
