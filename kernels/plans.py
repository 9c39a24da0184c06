"""Which kernel, constants and launch each case needs, worked out once for each."""

from functools import cache

import torch

from kernels import devices
from kernels.backward import chain_backward
from kernels.backward_tiling import backward_tiling
from kernels.forward import chain_forward
from kernels.forward_tiling import forward_tiling
from kernels.long_backward import column_blocks, row_means
from kernels.looped import looped_forward
from kernels.start import Plan
from kernels.team_backward import team_backward
from kernels.team_forward import team_forward
from kernels.teams import empty_slots
from kernels.tiling import INF, Tiling, power_of_two
from kernels.weight_sums import sum_partials

# A warp's part of a tile of partial sums: 32 values a lane, whose loads are all in flight at
# once. With 16 warps one tile holds all rows, as a rule; a second would wait for memory again.
SUM_VALUES = 32 * 32
FEW_PARTIALS = 4 * SUM_VALUES
_FORWARD = {"whole": chain_forward, "team": team_forward, "looped": looped_forward}
_BACKWARD = {"whole": chain_backward, "team": team_backward, "looped": column_blocks}
SUM_TURNS = 2  # of those that rehearse; those of 16 warps lost 1.5 % by it
SLOTS = 2048  # a program
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
    tiling = tiling or forward_tiling(features, itemsize, devices.room(device))
    if tiling.way == "team":
        constants |= {"EARLY": devices.early(device)}
    return _plan(_FORWARD[tiling.way], constants, tiling, device, waits=True)


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
        "NEED_SUMS": need[1], "EARLY": devices.early(device),
    }  # fmt: skip
    tiling = tiling or backward_tiling(features, itemsize, devices.room(device))
    return _plan(_BACKWARD[tiling.way], constants, tiling, device, waits=need[0])


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
    early, warps = devices.early(device), 16 if many else 4
    constants = {
        "FEATURES": features, "COLUMNS": columns, "ROWS": warps * SUM_VALUES // columns,
        "EARLY": early, "REHEARSE": early and not many,
    }  # fmt: skip
    options = {"num_warps": warps} | ({"launch_pdl": True} if early else {})
    return Plan(sum_partials, constants, options)


@cache
def slots(device: torch.device) -> Plan:
    """The plan of emptying a team's slots, one to a row of the plan."""
    constants = {"BLOCK": SLOTS, "EARLY": devices.early(device)}
    return Plan(empty_slots, constants, {"num_warps": 4}, rows=SLOTS, programs=INF)


@cache
def sum_columns(features: int) -> int:
    """Columns to a program of the sum: 100 to 250 programs, and pieces of 32 bytes or more."""
    return min(64, max(8, power_of_two(features // 128 or 1)))


def _plan(kernel, constants: dict, tiling: Tiling, device: torch.device, waits: bool) -> Plan:
    """`waits`: whether a team's members wait for each other's sums."""
    programs, blocks = tiling.programs * devices.multiprocessors(device), 0
    options: dict = {"num_warps": tiling.warps}
    if tiling.registers:
        options["maxnreg"] = tiling.registers
    if tiling.way != "whole":
        blocks = -(-constants["FEATURES"] // tiling.width)
    if tiling.way == "team":
        constants |= {"TEAM": blocks}
        if waits:
            # Started while the slots are still being emptied, after which the kernel waits.
            options |= {"launch_cooperative_grid": True, "launch_pdl": devices.early(device)}
    constants |= {"WIDTH": tiling.width, "ROWS": tiling.rows}
    if tiling.way == "whole":
        constants |= {"PARTS": tiling.parts, "HELD": tiling.held}
    constants |= {"STAGES": tiling.stages}
    if kernel is looped_forward:
        blocks = 0
    elif blocks:
        programs = max(1, programs // blocks)
    each, way = tiling.each, tiling.way
    return Plan(kernel, constants, options, tiling.rows, programs, each, blocks, way)
