"""The chain's kernels started from C++ where a gradient is wanted and the extension is built.

`python -m kernels.native` builds it. It takes the calls whose kernels kernels/fused.py has
compiled before, of rows that one program holds and tensors that lie in one piece; any other
call goes the way of kernels/launch.py. Both ways start the same kernels, so the bits are
the same. Of torch's compiled autograd it is not known to be taken. What it gains: NOTES.md,
small sizes.
"""

import importlib.util
import logging
import re
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor
from triton import knobs
from triton.runtime import driver

from kernels import prepared
from kernels.launch import dtype_of, result_dtype
from kernels.native.build import MODULE, library
from kernels.start import Plan

_DRIVER = "libcuda.so.1"
_KEPT = 1024  # calls: the lengths of speech vary without end
_SCRATCH = 2  # pointers that Triton adds to every kernel's parameters
_NO_KERNEL = (0, (0, 0, 0), 0, 0, False, (), None)
_REFUSED = object()
_calls: dict[tuple, Any] = {}
log = logging.getLogger(__name__)


@cache
def extension() -> ModuleType | None:
    """The extension, ready to start kernels; None where it is not built, or doesn't load."""
    path = None
    try:
        path = library()
        if not path.exists():
            return None
        found = importlib.util.spec_from_file_location(MODULE, path)
        module = importlib.util.module_from_spec(found)  # type: ignore[arg-type]
        found.loader.exec_module(module)  # type: ignore[union-attr]
        module.bind(_DRIVER)
    except (ImportError, OSError, RuntimeError) as fault:  # the last: nobody's home is known
        log.warning("The launcher in C++ is not used (%s): %s", path, fault)
        return None
    return module


def chain(
    x: Tensor,
    residual: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    how: tuple[str, str, float],
) -> Tensor | None:
    """y, in autograd's graph, of checked arguments of which some want a gradient.

    None where the call is not one for the extension; `how` = (norm, activation, eps).
    """
    module = extension() if x.is_cuda else None
    if module is None or knobs.runtime.launch_enter_hook.calls:  # a profiler's
        return None
    dtypes = (x.dtype, dtype_of(residual), dtype_of(weight), dtype_of(bias))
    sums = (weight is not None and weight.requires_grad) or (
        bias is not None and bias.requires_grad
    )
    need = (x.requires_grad, sums)
    key = (x.device, x.shape, dtypes, how, need)
    call = _calls.get(key)
    if call is None:
        call = _prepared(module, x, dtypes, result_dtype(x, residual), how, need)
        if call is None:
            return None
        if len(_calls) >= _KEPT:
            _calls.clear()
        _calls[key] = call
    if call is _REFUSED:
        return None
    stream = driver.active.get_current_stream(x.get_device())
    return module.chain(x, residual, weight, bias, call, stream)


def _prepared(module, x: Tensor, dtypes: prepared.Dtypes, result: torch.dtype, how, need) -> Any:
    """The extension's call; _REFUSED if it is not one for it, None if that is not known yet."""
    features = x.shape[-1]
    shape = (x.numel() // features, features)
    if shape[0] == 0 or need == (False, False):
        return _REFUSED
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
        programs = (backward.partials,)
        starts.append(_Start(backward.sums, dtypes[2:], backward.sums_grid, programs, 1 + vectors))
    if any(start.plan.way != "whole" for start in starts):
        return _REFUSED
    if not all(start.compiled for start in starts):
        return None
    if not all(map(_fits, starts)):
        return _REFUSED
    kernels = (*map(_as_given, starts), _NO_KERNEL)[:3]
    kinds = 2 if how[0] == "layer" else 1
    return module.prepare(*kernels, *shape, kinds, backward.partials, *need, result)


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
