"""The chain's forward as it is first written: one program a row, the row padded to a power of two.

Beside the kernel of kernels/forward.py it shows what the exact error function costs:
with "erf" the GELU is z/2·(1 + erf(z/√2)) through the library's erf, as torch.compile
writes it; every other activation is that of kernels/activations.py, in the same kernel.
"""

import triton
import triton.language as tl

from kernels.activations import activate

WARPS = 4
_HALF_ROOT = tl.constexpr(0.7071067811865476)  # 1/√2


@triton.jit
def plain_forward(  # noqa: PLR0913
    x_ptr,  # [rows, FEATURES], contiguous, as the residual and y are
    residual_ptr,
    weight_ptr,  # [FEATURES]
    bias_ptr,  # [FEATURES]
    y_ptr,
    eps,
    FEATURES: tl.constexpr,
    WIDTH: tl.constexpr,  # the next power of two
    ACTIVATION: tl.constexpr,
    BITS: tl.constexpr,
):
    column = tl.arange(0, WIDTH)
    inside = column < FEATURES
    at = tl.program_id(0).to(tl.int64) * FEATURES + column
    x = tl.load(x_ptr + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x) * (1.0 / FEATURES)
    x = tl.where(inside, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(x * x) * (1.0 / FEATURES) + eps)
    weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + column, mask=inside, other=0.0).to(tl.float32)
    h = x * rstd * weight + bias
    if ACTIVATION == "erf":
        y = 0.5 * h * (1.0 + tl.erf(h * _HALF_ROOT))
    else:
        y = activate(h, ACTIVATION, BITS)
    y += tl.load(residual_ptr + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y_ptr + at, y.to(y_ptr.dtype.element_ty), mask=inside)


def start(x, residual, weight, bias, y, activation: str, bits: int):
    """Launch it over [rows, features]; gives back the compiled kernel (the interpreter: None)."""
    rows, features = x.shape
    return plain_forward[(rows,)](
        x, residual, weight, bias, y, 1e-5, FEATURES=features,
        WIDTH=triton.next_power_of_2(features), ACTIVATION=activation, BITS=bits, num_warps=WARPS,
    )  # fmt: skip
