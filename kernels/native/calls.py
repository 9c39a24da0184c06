"""The chain's kernels started from C++ where a gradient is wanted and the extension is built.

`python -m kernels.native` builds it. It takes the calls whose kernels kernels/fused.py has
compiled before, of rows that one program holds and tensors that lie in one piece; any other
call goes the way of kernels/launch.py. Both ways start the same kernels, so the bits are
the same. torch's compiled autograd calls the backward as it is, with the graph broken around
it. What it gains: NOTES.md, small sizes.
"""

import importlib.util
import logging
from functools import cache
from types import ModuleType
from typing import Any

from torch import Tensor
from triton import knobs

from kernels.launch import dtype_of, result_dtype
from kernels.native.build import MODULE, library
from kernels.native.settled import REFUSED, settled

_DRIVER = "libcuda.so.1"
_KEPT = 1024  # calls: the lengths of speech vary without end
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


def launcher() -> str:
    """What starts the chain's kernels in this process, in words.

    Those of separate_chain's activation and addition are started from Python in any case.
    """
    return "Python" if extension() is None else "C++ where a gradient is wanted"


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
        call = settled(module, x, dtypes, result_dtype(x, residual), how, need)
        if call is None:
            return None
        if len(_calls) >= _KEPT:
            _calls.clear()
        _calls[key] = call
    if call is REFUSED:
        return None
    return module.chain(x, residual, weight, bias, call)
