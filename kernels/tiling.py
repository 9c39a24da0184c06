"""Launch configurations, as data with the reason for each. No GPU is asked anything here.

A tile is `rows` rows of a tensor, each cut into `parts` pieces of `width` columns
(kernels/tiles.py says why), worked on by `warps` warps; `programs` programs share
one multiprocessor and each walks over many tiles, `stages` tiles deep.

What governs them, as measured on an H200 (kernels/NOTES.md):

- Bytes in flight. Its memory answers after some 700 ns at 4.3 TB/s, so each of 132
  multiprocessors must have 23 kB under way at any time; as loads come in bursts,
  about 70 kB asked for ahead of their use, programs × (stages − 1) × tile, do best.
- Registers. A lane of the backward holds x̂, dx̂ and two sums for each of its values,
  so at most 32 values a lane; a lane of the forward 40.
- 16-bit kernels are bound by issue slots next, so warps should not wait for each
  other: one warp, or two, to a row as long as a row fits so.
- Float32 forward has so few instructions a byte that one tile a program, started by
  the hardware, reaches the limit as it is.
"""

from dataclasses import dataclass
from functools import cache

from kernels.tuned import TUNED

LANES = 32
VECTOR_BYTES = 16  # the widest load of one lane
IN_FLIGHT_BYTES = 72_000
SHARED_BYTES = 200_000
MOST_WARPS = 16
RESIDENT_WARPS = 12
REGISTERS = 65_536
MOST_FEATURES_BACK = 24 * LANES * MOST_WARPS  # of 128 registers a lane, 96 hold values
INF = 1 << 30


@dataclass(frozen=True, slots=True)
class Tiling:
    """How one kernel is cut up and launched.

    `held` rows of weights (and of the backward's partial sums) are kept: `rows` of them
    where each warp has rows of its own (adding across warps would need a barrier a
    tile), one where all warps share a row. `each`, where it is not 0, is the number of
    tiles for which a program is started, `programs` being the least. `looped` means that
    a row does not fit.
    """

    width: int
    parts: int
    rows: int
    warps: int
    programs: int
    stages: int = 1
    held: int = 1
    registers: int | None = None
    each: int = 0
    looped: bool = False


def power_of_two(n: int) -> int:
    """The least power of two that is at least n ≥ 1."""
    return 1 << (n - 1).bit_length()


@cache
def forward_tiling(features: int, itemsize: int) -> Tiling:
    """The forward's, for x of `itemsize` bytes an element."""
    known = TUNED.get(("forward", itemsize, features))
    if known:
        return Tiling(*known)
    a_row = _warps_a_row(features, 40)
    if a_row > MOST_WARPS:
        return Tiling(4096, 0, 1, 8, INF, stages=3, looped=True)
    return _tiling(features, itemsize, a_row, max(4, a_row) // a_row)


@cache
def backward_tiling(features: int, itemsize: int) -> Tiling:
    """The backward's, for x of `itemsize` bytes an element."""
    known = TUNED.get(("backward", itemsize, features))
    if known:
        return Tiling(*known)
    a_row = _warps_a_row(features, 32)
    if features > MOST_FEATURES_BACK:
        width = LANES * VECTOR_BYTES // itemsize
        return Tiling(width, 0, 4, 4, programs=6, stages=3, held=4, looped=True)
    # Past 16 values a lane two warps share a row where four are there for it.
    rows = max(4, a_row) // a_row
    crowded = features > 16 * LANES * a_row
    return _tiling(features, itemsize, a_row, rows // 2 if crowded and rows > 1 else rows)


def _warps_a_row(features: int, values_a_lane: int) -> int:
    """The least power of two of warps that holds a row at this many values a lane."""
    return power_of_two(-(-features // (LANES * values_a_lane)))


def _tiling(features: int, itemsize: int, a_row: int, rows: int) -> Tiling:
    """`rows` rows, more where several fit one load of a warp; as deep as bytes in flight ask."""
    lane_columns = LANES * VECTOR_BYTES // itemsize
    width = min(a_row * lane_columns, power_of_two(features))
    rows *= a_row * lane_columns // width
    warps = max(4, a_row)
    programs = max(1, RESIDENT_WARPS // warps)
    tile_bytes = 2 * rows * features * itemsize
    stages = 1 + max(1, min(3, -(-IN_FLIGHT_BYTES // (programs * tile_bytes))))
    while stages > 1 and stages * programs * tile_bytes > SHARED_BYTES:
        stages -= 1
    # All programs must be there at once: each walks over as many tiles as the others.
    registers = REGISTERS // (programs * warps * LANES) // 8 * 8
    return Tiling(
        width, -(-features // width), rows, warps, programs, stages, held=rows,
        registers=registers if registers < 255 else None,
    )  # fmt: skip
