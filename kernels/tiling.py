"""Launch configurations, as data with the reason for each. No GPU is asked anything here.

A tile is `rows` rows of a tensor, each cut into `parts` pieces of `width` columns
(kernels/tiles.py says why), worked on by `warps` warps; `programs` programs share
one multiprocessor and each walks over many tiles.
"""

from dataclasses import dataclass
from functools import cache

LANES = 32
VECTOR_BYTES = 16  # the widest load of one lane
INF = 1 << 30


@dataclass(frozen=True, slots=True)
class Tiling:
    """How one kernel is cut up and launched.

    `held` rows of partial sums are kept by the backward: `rows` of them where each
    warp has rows of its own (adding across warps would need a barrier a tile), one
    where all warps share a row. `looped` means that a row does not fit.
    """

    width: int
    parts: int
    rows: int
    warps: int
    programs: int
    stages: int = 1
    held: int = 1
    registers: int | None = None
    looped: bool = False


def power_of_two(n: int) -> int:
    """The least power of two that is at least n ≥ 1."""
    return 1 << (n - 1).bit_length()


def _cut(features: int, itemsize: int, values_a_lane: int, most_warps: int) -> tuple[int, int, int]:
    """(width, parts, warps to a row): the fewest warps that hold a row at this many values a lane.

    Where two cuts hold it, the one with fewer idle lanes is taken.
    """
    lane_columns = LANES * VECTOR_BYTES // itemsize
    if features <= lane_columns:
        return power_of_two(features), 1, 1
    warps = 1
    while warps < most_warps and features > warps * LANES * values_a_lane:
        warps *= 2
    width = warps * lane_columns
    return width, -(-features // width), warps


@cache
def forward_tiling(features: int, itemsize: int) -> Tiling:
    """The forward's: 40 values a lane (x) fit beside the residual, weight and bias."""
    width, parts, warps = _cut(features, itemsize, 40, 16)
    if parts * width > 32 * 16 * LANES * 2:
        return Tiling(4096, 0, 1, 8, programs=INF, looped=True)
    if warps >= 4:
        return Tiling(width, parts, 1, warps, programs=max(1, 16 // warps))
    rows = 4 // warps * max(1, LANES * VECTOR_BYTES // itemsize // width)
    return Tiling(width, parts, rows, 4, programs=3, held=rows)


@cache
def backward_tiling(features: int, itemsize: int) -> Tiling:
    """The backward's: x̂, dx̂ and two partial sums a column, so half as many values a lane."""
    width, parts, warps = _cut(features, itemsize, 16, 16)
    if parts * width > 32 * 16 * LANES:
        return Tiling(2048, 0, 4, 8, programs=2, looped=True)
    if warps >= 4:
        return Tiling(width, parts, 1, warps, programs=max(1, 16 // warps))
    rows = 4 // warps * max(1, LANES * VECTOR_BYTES // itemsize // width)
    return Tiling(width, parts, rows, 4, programs=3, held=rows)
