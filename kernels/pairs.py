"""Two 16-bit numbers kept as one of 32 bits, from one turn of a loop to the next.

A register holds two of them either way. But bfloat16 ones, kept as such, are swapped in it
when they are kept and once more when they are used, an instruction an element; and float16
ones were spilled.
"""

import triton
import triton.language as tl


@triton.constexpr_function
def in_pairs(x_dtype: tl.dtype, features: int, align: int) -> bool:
    """Whether x's pairs of columns, each of which one lane holds, can be kept so."""
    return x_dtype != tl.float32 and features % 2 == 0 and align % 2 == 0


@triton.jit
def paired(x):
    """[ROWS, WIDTH // 2] of two 16-bit numbers each."""
    apart = tl.reshape(x.to(tl.uint16, bitcast=True), (x.shape[0], x.shape[1] // 2, 2))
    low, high = tl.split(apart)
    return low.to(tl.uint32) | (high.to(tl.uint32) << 16)


@triton.jit
def widened(pairs, dtype: tl.constexpr):
    """float32 [ROWS, WIDTH] of `paired`."""
    if dtype == tl.bfloat16:
        low = (pairs << 16).to(tl.float32, bitcast=True)
        high = (pairs & 0xFFFF0000).to(tl.float32, bitcast=True)
    else:
        low = pairs.to(tl.uint16).to(dtype, bitcast=True).to(tl.float32)
        high = (pairs >> 16).to(tl.uint16).to(dtype, bitcast=True).to(tl.float32)
    return tl.reshape(tl.join(low, high), (pairs.shape[0], pairs.shape[1] * 2))
