"""What the extension is handed of a call: kernels, launches and numbers, all fixed by shapes."""

import re
from typing import Any, NamedTuple

import torch
from torch import Tensor

from kernels import prepared
from kernels.start import Plan

REFUSED = object()
"""In the place of a call that is not one for the extension."""

_SCRATCH = 2  # pointers that Triton adds to every kernel's parameters
_NO_KERNEL = (0, (0, 0, 0), 0, 0, False, (), None)


def settled(module, x: Tensor, dtypes: prepared.Dtypes, result: torch.dtype, how, need) -> Any:
    """The extension's call; REFUSED if it is not one for it, None if that is not known yet."""
    features = x.shape[-1]
    shape = (x.numel() // features, features)
    if shape[0] == 0 or need == (False, False):
        return REFUSED
    strides = (features, 0 if dtypes[1] is None else features)
    forward = prepared.forward(x.device, None, shape, strides, dtypes, how, True)
    back = (dtypes[0], result, *dtypes[2:])
    backward = prepared.backward(x.device, None, shape, (features,) * 2, back, how[:2], need)
    there = [dtype is not None for dtype in dtypes]
    vectors = sum(there[2:])
    starts = [
        _Start(forward.plan, dtypes, forward.grid, forward.numbers, sum(there) + 2),
        _Start(backward.plan, back, backward.grid, backward.numbers, 3 + vectors + sum(need)),
    ]
    if need[1]:
        programs = backward.sums_numbers
        starts.append(_Start(backward.sums, dtypes[2:], backward.sums_grid, programs, 1 + vectors))
    if any(start.plan.way != "whole" for start in starts):
        return REFUSED
    if not all(start.compiled for start in starts):
        return None
    if not all(map(_fits, starts)):
        return REFUSED
    kernels = (*map(_as_given, starts), _NO_KERNEL)[:3]
    kinds = 2 if how[0] == "layer" else 1
    given = (*(dtype or x.dtype for dtype in (dtypes[0], *dtypes[2:])), result)
    return module.prepare(*kernels, *shape, kinds, backward.partials, *need, given)


class _Start(NamedTuple):
    """A plan's kernel for these dtypes with its grid and numbers; it takes so many pointers."""

    plan: Plan
    dtypes: tuple
    grid: tuple[int, int, int]
    numbers: tuple
    pointers: int

    @property
    def compiled(self) -> Any:
        return self.plan.compiled.get(self.dtypes)


def _fits(start: _Start) -> bool:
    """Whether the extension can start it. What Triton adds to the parameters has changed before."""
    meta, numbers = start.compiled.metadata, start.numbers
    entry = re.search(r"\.entry[^)]*", start.compiled.asm["ptx"])
    parameters = entry[0].count(".param") if entry else 0
    scratch = meta.global_scratch_size or meta.profile_scratch_size
    return (
        max(numbers) < 2**31
        and meta.num_ctas == 1
        and not scratch
        and parameters == start.pointers + len(numbers) + _SCRATCH
    )


def _as_given(start: _Start) -> tuple:
    found = start.compiled
    meta = found.metadata
    eps = next((number for number in start.numbers if isinstance(number, float)), None)
    whole = tuple(number for number in start.numbers if number is not eps)
    threads, early = 32 * meta.num_warps, bool(meta.launch_pdl)
    return found.function, start.grid, threads, meta.shared, early, whole, eps
