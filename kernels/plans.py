"""Which kernel, constants and launch each case needs, worked out once for each."""

from functools import cache

import torch

from kernels.backward import chain_backward
from kernels.forward import chain_forward
from kernels.long_backward import column_blocks, row_means
from kernels.looped import looped_forward
from kernels.start import Plan
from kernels.tiling import INF, Tiling, backward_tiling, forward_tiling, power_of_two
from kernels.weight_sums import sum_partials

# A warp's part of a tile of partial sums: 32 values a lane, whose loads are all in flight at
# once. With 16 warps one tile holds all rows, as a rule; a second would wait for memory again.
SUM_VALUES = 32 * 32
FEW_PARTIALS = 4 * SUM_VALUES
MEANS_BYTES, MEANS_WARPS = 4096, 8  # a piece of a long row: one 16-byte load a lane


@cache
def forward(
    device: torch.device,
    tiling: Tiling | None,
    features: int,
    itemsize: int,
    align: int,
    how: tuple[str, str, int],
    has: tuple[bool, bool, bool],
    save: bool,
) -> Plan:
    """The forward's plan; `how` = (norm, activation, bits), `has` = (residual, weight, bias)."""
    norm, activation, bits = how
    constants = {
        "FEATURES": features, "ALIGN": align, "NORM": norm, "ACTIVATION": activation,
        "BITS": bits, "HAS_RESIDUAL": has[0], "HAS_WEIGHT": has[1], "HAS_BIAS": has[2],
        "SAVE": save,
    }  # fmt: skip
    tiling = tiling or forward_tiling(features, itemsize)
    return _plan(looped_forward if tiling.looped else chain_forward, constants, tiling, device)


@cache
def backward(
    device: torch.device,
    tiling: Tiling | None,
    features: int,
    itemsize: int,
    align: int,
    how: tuple[str, str, int],
    has: tuple[bool, bool],
    need: tuple[bool, bool],
) -> Plan:
    """The backward's plan; `has` = (weight, bias), `need` = (dx, sums)."""
    norm, activation, bits = how
    constants = {
        "FEATURES": features, "ALIGN": align, "NORM": norm, "ACTIVATION": activation,
        "BITS": bits, "HAS_WEIGHT": has[0], "HAS_BIAS": has[1], "NEED_DX": need[0],
        "NEED_SUMS": need[1], "EARLY": _early(device),
    }  # fmt: skip
    tiling = tiling or backward_tiling(features, itemsize)
    return _plan(column_blocks if tiling.looped else chain_backward, constants, tiling, device)


@cache
def means(
    device: torch.device,
    features: int,
    itemsize: int,
    align: int,
    how: tuple[str, str, int],
    has: tuple[bool, bool],
) -> Plan:
    """The plan of a long row's means, which its backward needs first."""
    norm, activation, bits = how
    constants = {
        "FEATURES": features, "ALIGN": align, "NORM": norm, "ACTIVATION": activation,
        "BITS": bits, "HAS_WEIGHT": has[0], "HAS_BIAS": has[1],
        "WIDTH": MEANS_BYTES // itemsize, "STAGES": 3,
    }  # fmt: skip
    return Plan(row_means, constants, {"num_warps": MEANS_WARPS}, programs=INF)


@cache
def sums(device: torch.device, features: int, many: bool) -> Plan:
    """The plan of adding up partial sums of many rows, or of few."""
    columns = sum_columns(features)
    early, warps = _early(device), 16 if many else 4
    constants = {
        "FEATURES": features, "COLUMNS": columns, "ROWS": warps * SUM_VALUES // columns,
        "EARLY": early,
    }  # fmt: skip
    options = {"num_warps": warps} | ({"launch_pdl": True} if early else {})
    return Plan(sum_partials, constants, options)


@cache
def sum_columns(features: int) -> int:
    """Columns to a program of the sum: 100 to 250 programs, and pieces of 32 bytes or more."""
    return min(64, max(8, power_of_two(features // 128 or 1)))


def _plan(kernel, constants: dict, tiling: Tiling, device: torch.device) -> Plan:
    constants |= {"WIDTH": tiling.width, "ROWS": tiling.rows}
    if not tiling.looped:
        constants |= {"PARTS": tiling.parts, "HELD": tiling.held}
    constants |= {"STAGES": tiling.stages}
    options = {"num_warps": tiling.warps}
    if tiling.registers:
        options["maxnreg"] = tiling.registers
    programs, held, blocks = tiling.programs * _multiprocessors(device), tiling.held, 0
    if kernel is column_blocks:
        held, blocks = tiling.rows, -(-constants["FEATURES"] // tiling.width)
        programs = max(1, programs // blocks)
    return Plan(kernel, constants, options, tiling.rows, programs, held, tiling.each, blocks)


def _multiprocessors(device: torch.device) -> int:
    if device.type != "cuda":
        return 2  # the interpreter: enough for every loop to turn more than once
    return torch.cuda.get_device_properties(device).multi_processor_count


@cache
def _early(device: torch.device) -> bool:
    """Whether a kernel can be started before the one it waits for has ended (Hopper on)."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0)
