"""The ways to make two products, one after the other, and what each of them moves and computes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from kernels.bench.experiments.back_to_back import Blocks, fused_products
from kernels.lab.products import Products

PASSES = {"nothing": 0, "gelu": 1}
ACTIVATION = {"nothing": "identity", "gelu": "gelu_tanh"}
gelu = partial(torch.nn.functional.gelu, approximate="tanh")

Way = Callable[[Tensor, Tensor, Tensor], tuple[Tensor]]


def ways(between: str) -> dict[str, Way]:
    """{variant: (x, W₁, W₂) → (y,)}, with this between the products."""
    if between == "nothing":
        return {"apart": lambda x, first, second: ((x @ first) @ second,), "fused": _fused(between)}
    return {
        "apart": lambda x, first, second: (gelu(x @ first) @ second,),
        "epilogue": lambda x, first, second: (_with_epilogue(x, first) @ second,),
        "fused": _fused(between),
    }


def facts(between: str, counted: Products, cut: Blocks) -> dict[str, dict[str, int]]:
    """{variant: its counts}, of products that have no pass of their own between them."""
    passed = replace(counted, passes=PASSES[between])
    return {"apart": _apart(passed), "epilogue": _apart(counted), "fused": _in_one(counted, cut)}


def _fused(between: str) -> Way:
    return lambda *given: (fused_products(*given, between=ACTIVATION[between]),)


def _with_epilogue(x: Tensor, first: Tensor) -> Tensor:
    """gelu(x·W₁) with the activation in the product's own kernel, as cuBLASLt offers it."""
    zero = torch.zeros(first.shape[1], device=x.device, dtype=x.dtype)
    return torch._addmm_activation(zero, x, first, use_gelu=True)


def _apart(counted: Products) -> dict[str, int]:
    return {"bytes": counted.bytes, "flops": counted.flops, "passes": counted.passes}


def _in_one(counted: Products, cut: Blocks) -> dict[str, int]:
    return {
        "bytes": counted.bytes_fused, "flops": counted.flops_fused, "columns": cut.columns,
        "l2_bytes": counted.l2_bytes(cut.rows, cut.tile),
    }  # fmt: skip
