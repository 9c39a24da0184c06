"""Operations that Triton spends several instructions on where the chip needs one.

Each has a plain form for the interpreter. `tl.exp2` and `1 / x` keep subnormal
numbers, which costs three to six more instructions an element. Every use here is
of a value whose subnormal range rounds to nothing in the result, so the flushing
forms are enough. Their relative error is about 2e-7 (PTX ISA, `ex2.approx.ftz.f32`,
`rcp.approx.ftz.f32`).
"""

import os

import triton
import triton.language as tl

# Read once, as Triton does: whether kernels run in its interpreter is settled at import.
INTERPRETED = os.environ.get("TRITON_INTERPRET", "0") == "1"
PLAIN = tl.constexpr(INTERPRETED)


@triton.jit
def exp2(x):
    """2 to the x, for a float32 tensor; results under 1.2e-38 become zero."""
    if PLAIN:
        result = tl.exp2(x)
    else:
        result = tl.inline_asm_elementwise(
            "ex2.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    return result


@triton.jit
def reciprocal(x):
    """1 / x for a float32 tensor; infinity gives zero."""
    if PLAIN:
        result = 1.0 / x
    else:
        result = tl.inline_asm_elementwise(
            "rcp.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    return result


@triton.jit
def at_least_zero(x):
    """1 where x ≥ 0, else 0, for a float32 tensor: one comparison, no selection."""
    if PLAIN:
        result = tl.where(x >= 0.0, 1.0, 0.0)
    else:
        result = tl.inline_asm_elementwise(
            "set.ge.f32.f32 $0, $1, 0f00000000;", "=f,f", [x], tl.float32, is_pure=True, pack=1
        )
    return result


@triton.jit
def widen(x):
    """float32 of a float tensor. A bfloat16 pair is split by one shift and one mask."""
    return _widen(x, True)


@triton.jit
def widen_here(x):
    """As `widen`, but never moved out of a loop: x stays in half the registers meanwhile."""
    return _widen(x, False)


@triton.jit
def _widen(x, MOVABLE: tl.constexpr):
    if PLAIN or x.dtype != tl.bfloat16:
        result = x.to(tl.float32)
    else:
        result = tl.inline_asm_elementwise(
            "shl.b32 $0, $2, 16; and.b32 $1, $2, 0xffff0000;",
            "=r,=r,r", [x], dtype=tl.float32, is_pure=MOVABLE, pack=2,
        )  # fmt: skip
    return result
