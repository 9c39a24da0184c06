"""Starting the kernels: tensors of any layout in, tensors out, no autograd.

A tensor is used in place when its features lie side by side and its rows a
constant distance apart; any other layout (a transposed view, features expanded
from one value) is copied first, once.
"""

import math
from contextlib import nullcontext
from functools import cache

import torch
from torch import Tensor

from kernels.backward import chain_backward, sum_partials
from kernels.forward import chain_forward
from kernels.looped import looped_backward, looped_forward
from kernels.tiling import Tiling, backward_tiling, forward_tiling

_BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}
_PARTIAL_COLUMNS, _PARTIAL_ROWS = 32, 64


def bits(*tensors: Tensor | None) -> int:
    """The precision in bits of the most precise dtype among the tensors."""
    return max(_BITS[tensor.dtype] for tensor in tensors if tensor is not None)


def as_rows(tensor: Tensor) -> tuple[Tensor, int]:
    """(a tensor whose rows lie `stride` elements apart with unit steps inside, that stride)."""
    features = tensor.shape[-1]
    if tensor.is_contiguous():
        return tensor, features
    if tensor.dim() == 2 and (tensor.stride(1) == 1 or features == 1):
        return tensor, tensor.stride(0)
    try:
        rows = tensor.view(-1, features)
    except RuntimeError:  # the leading dimensions are not a constant distance apart
        return tensor.contiguous(), features
    return as_rows(rows) if rows.stride(1) == 1 or features == 1 else (tensor.contiguous(), features)


@cache
def _multiprocessors(device: torch.device) -> int:
    if device.type != "cuda":
        return 2  # the interpreter: enough for every loop to turn more than once
    return torch.cuda.get_device_properties(device).multi_processor_count


def on(device: torch.device):
    """Triton launches on the current device's current stream."""
    if device.type != "cuda" or device.index == torch.cuda.current_device():
        return nullcontext()
    return torch.cuda.device(device)


def _programs(tiling: Tiling, rows: int, device: torch.device) -> int:
    return min(-(-rows // tiling.rows), tiling.programs * _multiprocessors(device))


def backward_programs(x: Tensor) -> int:
    """How many programs the backward of x starts, each with partial sums of its own."""
    tiling = backward_tiling(x.shape[-1], x.element_size())
    return _programs(tiling, x.numel() // x.shape[-1], x.device)


def _options(tiling: Tiling, *names: str) -> dict:
    options = {"WIDTH": tiling.width, "ROWS": tiling.rows, "num_warps": tiling.warps}
    if not tiling.looped:
        options |= {"PARTS": tiling.parts, "STAGES": tiling.stages}
    if tiling.registers:
        options["maxnreg"] = tiling.registers
    return options | {name: getattr(tiling, name.lower()) for name in names}


def forward(
    x: Tensor,
    residual: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    how: tuple[str, str, float],
    save: bool,
    tiling: Tiling | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """(y [..., features], mean [rows], rstd [rows]) of the chain; `how` = (norm, activation, eps).

    Without a residual the addition is left out. mean is empty for RMSNorm, and both
    are unless `save`. y has the dtype to which x and residual promote.
    """
    norm, activation, eps = how
    features = x.shape[-1]
    rows = x.numel() // features
    dtype = x.dtype if residual is None else torch.promote_types(x.dtype, residual.dtype)
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    rstd = torch.empty(rows if save else 0, dtype=torch.float32, device=x.device)
    mean = torch.empty_like(rstd) if norm == "layer" else rstd.new_empty(0)
    if rows == 0:
        return y, mean, rstd
    tiling = tiling or forward_tiling(features, x.element_size())
    kernel = looped_forward if tiling.looped else chain_forward
    x, x_stride = as_rows(x)
    residual_rows, residual_stride = (x, 0) if residual is None else as_rows(residual)
    align = math.gcd(x_stride, residual_stride, 16)
    with on(x.device):
        kernel[(_programs(tiling, rows, x.device),)](
            x, residual_rows, weight, bias, y, mean, rstd,
            rows, x_stride // align, residual_stride // align, eps,
            FEATURES=features, ALIGN=align, NORM=norm, ACTIVATION=activation, BITS=bits(y),
            HAS_RESIDUAL=residual is not None, HAS_WEIGHT=weight is not None,
            HAS_BIAS=bias is not None, SAVE=save, **_options(tiling),
        )  # fmt: skip
    return y, mean, rstd


def backward(
    dy: Tensor,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    statistics: tuple[Tensor, Tensor],
    how: tuple[str, str],
    need: tuple[bool, bool],
    tiling: Tiling | None = None,
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """(dx, dweight, dbias); `need` = (dx?, sums?), what is not needed or not there is None."""
    norm, activation = how
    need_dx, need_sums = need
    features = x.shape[-1]
    rows = x.numel() // features
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device) if need_dx else None
    tiling = tiling or backward_tiling(features, x.element_size())
    programs = _programs(tiling, rows, x.device)
    make = torch.zeros if tiling.looped else torch.empty
    shape = (2, programs, features) if need_sums else (0,)
    partial = make(shape, dtype=torch.float32, device=x.device)
    if rows:
        kernel = looped_backward if tiling.looped else chain_backward
        (dy, dy_stride), (x, x_stride) = as_rows(dy), as_rows(x)
        align = math.gcd(dy_stride, x_stride, 16)
        extra = () if tiling.looped else ("HELD",)
        with on(x.device):
            kernel[(programs,)](
                dy, x, weight, bias, *statistics, dx, partial,
                rows, dy_stride // align, x_stride // align,
                FEATURES=features, ALIGN=align, NORM=norm, ACTIVATION=activation,
                BITS=bits(x, dy, weight, bias), HAS_WEIGHT=weight is not None,
                HAS_BIAS=bias is not None, NEED_DX=need_dx, NEED_SUMS=need_sums,
                **_options(tiling, *extra),
            )  # fmt: skip
    return (dx, *_summed(partial, weight, bias, need_sums))


def _summed(
    partial: Tensor, weight: Tensor | None, bias: Tensor | None, need_sums: bool
) -> tuple[Tensor | None, Tensor | None]:
    """(dweight, dbias) from the programs' partial sums [2, programs, features]."""
    if not need_sums:
        return None, None
    dweight = None if weight is None else torch.empty_like(weight)
    dbias = None if bias is None else torch.empty_like(bias)
    _, programs, features = partial.shape
    grid = (-(-features // _PARTIAL_COLUMNS), 1 if dbias is None else 2)
    with on(partial.device):
        sum_partials[grid](
            partial, dweight, dbias, programs, FEATURES=features,
            COLUMNS=_PARTIAL_COLUMNS, ROWS=_PARTIAL_ROWS, num_warps=4,
        )  # fmt: skip
    return dweight, dbias
