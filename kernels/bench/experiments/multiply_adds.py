"""The ceiling of float32 arithmetic: a kernel that does nothing but multiply-adds in registers."""

import triton
import triton.language as tl

BLOCK, WARPS, UNROLLED = 1024, 4, 16  # eight values a lane: none waits for the one before


@triton.jit
def multiply_adds(
    x_ptr, y_ptr, scale, shift, turns, BLOCK: tl.constexpr, UNROLLED: tl.constexpr
):  # fmt: skip
    """y = x after turns × UNROLLED times v ← v·scale + shift."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + at)
    for _ in range(turns):
        for _ in tl.static_range(UNROLLED):
            value = tl.fma(value, scale, shift)
    tl.store(y_ptr + at, value)


def start(x, y, turns: int, scale: float = 0.999, shift: float = 0.001):
    """Launch it over x, whose length is a multiple of BLOCK; gives back y."""
    multiply_adds[(x.numel() // BLOCK,)](
        x, y, scale, shift, turns, BLOCK=BLOCK, UNROLLED=UNROLLED, num_warps=WARPS
    )
    return y


def flops(elements: int, turns: int) -> int:
    """What it does: a multiplication and an addition each time."""
    return 2 * elements * turns * UNROLLED


def exact(x, turns: int, scale: float = 0.999, shift: float = 0.001):
    """The result in float64, in closed form."""
    shrunk = scale ** (turns * UNROLLED)
    return x.double() * shrunk + shift * (1 - shrunk) / (1 - scale)
