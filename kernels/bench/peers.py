"""Liger's kernels for the same work, where liger-kernel is installed.

Its LayerNorm, followed by PyTorch's GELU and add, is what its user writes today.
QuACK has norms, but no such chain: kernels/bench/alone.py.
"""

from collections.abc import Callable
from importlib.util import find_spec

import torch.nn.functional as F

EPS = 1e-5


def entrants() -> dict[str, Callable]:
    """{name: chain} of the peers that are installed here."""
    if find_spec("liger_kernel") is None:
        return {}
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction

    def liger(x, residual, weight, bias):
        return F.gelu(LigerLayerNormFunction.apply(x, weight, bias, EPS)) + residual

    return {"liger": liger}
