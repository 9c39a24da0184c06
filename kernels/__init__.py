"""The chain norm → activation → + residual, fused and separate, as Triton kernels.

Importing this package loads no torch and touches no GPU; the names below do, when
first used. No submodule has a public function's name: importing it would put the
module in the function's place.
"""

from importlib import import_module

_HOMES = {
    "fused_chain": "kernels.fused",
    "separate_chain": "kernels.separate",
    "FusedChain": "kernels.module",
}
__all__ = ["FusedChain", "fused_chain", "separate_chain"]


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module 'kernels' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
