"""Which kernel, constants and launch each case needs, worked out once for each."""

from functools import cache

import torch

from kernels.backward import chain_backward
from kernels.forward import chain_forward
from kernels.looped import looped_backward, looped_forward
from kernels.start import Plan
from kernels.tiling import Tiling, backward_tiling, forward_tiling
from kernels.weight_sums import sum_partials

# 16 columns to a program make 64-byte pieces and, at 1280 features, 160 programs; every
# program's loads are all in flight at once.
SUM_COLUMNS, SUM_ROWS, SUM_WARPS = 16, 256, 4


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
    return _plan(looped_backward if tiling.looped else chain_backward, constants, tiling, device)


@cache
def sums(device: torch.device, features: int) -> Plan:
    """The plan of adding up partial sums."""
    early = _early(device)
    constants = {"FEATURES": features, "COLUMNS": SUM_COLUMNS, "ROWS": SUM_ROWS, "EARLY": early}
    options = {"num_warps": SUM_WARPS} | ({"launch_pdl": True} if early else {})
    return Plan(sum_partials, constants, options)


def _plan(kernel, constants: dict, tiling: Tiling, device: torch.device) -> Plan:
    constants |= {"WIDTH": tiling.width, "ROWS": tiling.rows}
    if not tiling.looped:
        constants |= {"PARTS": tiling.parts, "HELD": tiling.held, "STAGES": tiling.stages}
    options = {"num_warps": tiling.warps}
    if tiling.registers:
        options["maxnreg"] = tiling.registers
    programs = tiling.programs * _multiprocessors(device)
    return Plan(kernel, constants, options, tiling.rows, programs, tiling.looped)


def _multiprocessors(device: torch.device) -> int:
    if device.type != "cuda":
        return 2  # the interpreter: enough for every loop to turn more than once
    return torch.cuda.get_device_properties(device).multi_processor_count


@cache
def _early(device: torch.device) -> bool:
    """Whether a kernel can be started before the one it waits for has ended (Hopper on)."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0)
