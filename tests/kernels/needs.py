"""torch for kernel tests, on a CUDA device where there is one, else in Triton's interpreter.

The interpreter is chosen by an environment variable that Triton reads when the
kernels are imported, so tests take torch from here, before they import any.
Without torch the importing module is skipped, or fails where nothing may be.
"""

import os
from importlib.util import find_spec

import pytest

MISSING = [name for name in ("torch", "triton", "numpy") if find_spec(name) is None]
if MISSING:
    hint = f"{', '.join(MISSING)} not installed: see README's setting up"
    if os.environ.get("RIDGEPOINT_REQUIRE") == "all":
        pytest.fail(hint)
    pytest.skip(hint, allow_module_level=True)

import torch  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"

DTYPES = (torch.float32, torch.bfloat16, torch.float16)
HALF_UNIT = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-9, torch.float16: 2.0**-12}


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Standard normal values from a seed."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(DEVICE, dtype)


def inputs(rows: int, features: int, dtype: torch.dtype = torch.float32, seed: int = 0):
    """((x, residual, weight, bias), dy) with x off centre."""
    x = normal(rows, features, seed=seed, dtype=dtype) * 2 + 1
    residual = normal(rows, features, seed=seed + 1, dtype=dtype)
    weight = normal(features, seed=seed + 2, dtype=dtype)
    bias = normal(features, seed=seed + 3, dtype=dtype)
    return (x, residual, weight, bias), normal(rows, features, seed=seed + 4, dtype=dtype)
