"""Two hardware approximations, one instruction each, and their interpreter forms.

`tl.exp2` and `1 / x` keep subnormal numbers, which costs three to six more
instructions an element. Every use here is of a value whose subnormal range
rounds to nothing in the result, so the flushing forms are enough. Their
relative error is about 2e-7 (PTX ISA, `ex2.approx.ftz.f32`, `rcp.approx.ftz.f32`).
"""

import os

import triton
import triton.language as tl

# Read once, as Triton does: whether kernels run in its interpreter is settled at import.
INTERPRETED = os.environ.get("TRITON_INTERPRET", "0") == "1"
_PLAIN = tl.constexpr(INTERPRETED)


@triton.jit
def exp2(x):
    """2 to the x, for a float32 tensor; results under 1.2e-38 become zero."""
    if _PLAIN:
        result = tl.exp2(x)
    else:
        result = tl.inline_asm_elementwise(
            "ex2.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    return result


@triton.jit
def reciprocal(x):
    """1 / x for a float32 tensor; infinity gives zero."""
    if _PLAIN:
        result = 1.0 / x
    else:
        result = tl.inline_asm_elementwise(
            "rcp.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    return result
