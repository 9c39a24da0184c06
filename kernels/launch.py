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
from kernels.start import start
from kernels.tiling import Tiling, backward_tiling, forward_tiling

_BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}
# 16 columns to a program make 64-byte pieces and, at 1280 features, 160 programs; every
# program's loads are all in flight at once.
SUM_COLUMNS, SUM_ROWS, SUM_WARPS = 16, 256, 4


def bits(*tensors: Tensor | None) -> int:
    """The precision in bits of the most precise dtype among the tensors."""
    return max(_BITS[tensor.dtype] for tensor in tensors if tensor is not None)


def as_rows(tensor: Tensor) -> tuple[Tensor, int]:
    """(the tensor, or a copy, whose rows lie `stride` elements apart, that stride)."""
    features = tensor.shape[-1]
    if tensor.is_contiguous():
        return tensor, features
    if tensor.dim() == 2 and (tensor.stride(1) == 1 or features == 1):
        return tensor, tensor.stride(0)
    try:
        rows = tensor.view(-1, features)
    except RuntimeError:  # the leading dimensions are not a constant distance apart
        return tensor.contiguous(), features
    in_place = rows.stride(1) == 1 or features == 1
    return (rows, rows.stride(0)) if in_place else (tensor.contiguous(), features)


@cache
def _multiprocessors(device: torch.device) -> int:
    if device.type != "cuda":
        return 2  # the interpreter: enough for every loop to turn more than once
    return torch.cuda.get_device_properties(device).multi_processor_count


@cache
def _early(device: torch.device) -> bool:
    """Whether a kernel can be started before the one it waits for has ended (Hopper on)."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0)


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


def _shape(tiling: Tiling) -> tuple[dict, dict]:
    """(constants, launch options) of a tiling."""
    constants = {"WIDTH": tiling.width, "ROWS": tiling.rows}
    if not tiling.looped:
        constants |= {"PARTS": tiling.parts, "HELD": tiling.held, "STAGES": tiling.stages}
    options = {"num_warps": tiling.warps}
    if tiling.registers:
        options["maxnreg"] = tiling.registers
    return constants, options


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
    y = torch.empty(x.shape, dtype=result_dtype(x, residual), device=x.device)
    statistics = None
    if save:
        shape = (2 if norm == "layer" else 1, rows)
        statistics = torch.empty(shape, dtype=torch.float32, device=x.device)
    if rows == 0:
        return y, statistics
    tiling = tiling or forward_tiling(features, x.element_size())
    weight, bias = _packed(weight), _packed(bias)
    x, x_stride = as_rows(x)
    residual_rows, residual_stride = (None, 0) if residual is None else as_rows(residual)
    align = math.gcd(x_stride, residual_stride, 16)
    constants = {
        "FEATURES": features, "ALIGN": align, "NORM": norm, "ACTIVATION": activation,
        "BITS": bits(y), "HAS_RESIDUAL": residual is not None, "HAS_WEIGHT": weight is not None,
        "HAS_BIAS": bias is not None, "SAVE": save,
    }  # fmt: skip
    shape, options = _shape(tiling)
    arguments = (
        x, residual_rows, weight, bias, y, statistics,
        rows, x_stride // align, residual_stride // align, eps,
    )  # fmt: skip
    kernel = looped_forward if tiling.looped else chain_forward
    with on(x.device):
        grid = (_programs(tiling, rows, x.device), 1, 1)
        start(kernel, grid, arguments, constants | shape, options)
    return y, statistics


def _packed(vector: Tensor | None) -> Tensor | None:
    return vector if vector is None or vector.is_contiguous() else vector.contiguous()


def result_dtype(x: Tensor, residual: Tensor | None) -> torch.dtype:
    """The dtype of the chain's result."""
    if residual is None or residual.dtype == x.dtype:
        return x.dtype
    return torch.promote_types(x.dtype, residual.dtype)


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
    norm, activation = how
    need_dx, need_sums = need
    features = x.shape[-1]
    rows = x.numel() // features
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device) if need_dx else None
    tiling = tiling or backward_tiling(features, x.element_size())
    programs = _programs(tiling, rows, x.device)
    weight, bias = _packed(weight), _packed(bias)
    partial = _partial(tiling, programs, features, x.device) if need_sums else None
    if rows:
        (dy, dy_stride), (x, x_stride) = as_rows(dy), as_rows(x)
        align = math.gcd(dy_stride, x_stride, 16)
        constants = {
            "FEATURES": features, "ALIGN": align, "NORM": norm, "ACTIVATION": activation,
            "BITS": bits(x, dy, weight, bias), "HAS_WEIGHT": weight is not None,
            "HAS_BIAS": bias is not None, "NEED_DX": need_dx, "NEED_SUMS": need_sums,
            "EARLY": _early(x.device),
        }  # fmt: skip
        shape, options = _shape(tiling)
        arguments = (
            dy, x, weight, bias, statistics, dx, partial,
            rows, dy_stride // align, x_stride // align,
        )  # fmt: skip
        kernel = looped_backward if tiling.looped else chain_backward
        with on(x.device):
            start(kernel, (programs, 1, 1), arguments, constants | shape, options)
    return (dx, *_summed(partial, weight, bias))


def _partial(tiling: Tiling, programs: int, features: int, device: torch.device) -> Tensor:
    """Room for each program's sums, [2, programs, features]; the looped kernel starts from it."""
    make = torch.zeros if tiling.looped else torch.empty
    return make((2, programs, features), dtype=torch.float32, device=device)


def _summed(
    partial: Tensor | None, weight: Tensor | None, bias: Tensor | None
) -> tuple[Tensor | None, Tensor | None]:
    """(dweight, dbias) from the programs' partial sums [2, programs, features]."""
    if partial is None:
        return None, None
    dweight = None if weight is None else torch.empty_like(weight)
    dbias = None if bias is None else torch.empty_like(bias)
    _, programs, features = partial.shape
    grid = (-(-features // SUM_COLUMNS), 1 if dbias is None else 2, 1)
    early = _early(partial.device)
    constants = {"FEATURES": features, "COLUMNS": SUM_COLUMNS, "ROWS": SUM_ROWS, "EARLY": early}
    options = {"num_warps": SUM_WARPS} | ({"launch_pdl": True} if early else {})
    with on(partial.device):
        start(sum_partials, grid, (partial, dweight, dbias, programs), constants, options)
    return dweight, dbias
