"""The backward's launches: what kernels/tuned.py has, else a rule.

All programs must be there at once, since each leaves a row of partial sums: one wave of
them, each walking over as many tiles as the others.
"""

from functools import cache

from kernels.tiling import (
    FULL_WARPS,
    H200,
    LANES,
    MOST_FEATURES,
    REGISTERS,
    VECTOR_BYTES,
    Room,
    Tiling,
    cut,
    power_of_two,
    team,
    warps_a_row,
    within,
)
from kernels.tuned import TUNED

IN_FLIGHT_BYTES = 65_536
SHARED_BYTES = 200_000
RESIDENT_WARPS = 12  # on a multiprocessor, of 168 registers a lane
MANY_VALUES = 24  # a lane: those need more registers, and leave room for FULL_WARPS
FEW_PARTS = 6  # of loads of 8 bytes: so many cost less than idle lanes


@cache
def backward_tiling(features: int, itemsize: int, room: Room = H200) -> Tiling:
    """The backward's, as forward_tiling."""
    known = TUNED.get(("backward", itemsize, features))
    if known:
        return within(Tiling(*known), itemsize, room)
    lane_columns = LANES * VECTOR_BYTES // itemsize
    if features > MOST_FEATURES:
        looped = Tiling(2 * lane_columns, 0, 4, 4, programs=4, stages=3, way="looped")
        return team("backward", features, itemsize, room) or looped
    a_row, rows, warps = _warps(features, itemsize)
    width, parts = cut(features, itemsize, a_row, FEW_PARTS if itemsize == 2 else 0)
    rows *= max(1, a_row * lane_columns // power_of_two(features))
    values = parts * width * rows // (LANES * warps)
    programs = max(1, (RESIDENT_WARPS if values <= MANY_VALUES else FULL_WARPS) // warps)
    registers = REGISTERS // (programs * warps * LANES) // 8 * 8
    most = 4 if values <= 28 else 3  # each stage has pointers of its own, which spill next
    tiling = Tiling(
        width, parts, rows, warps, programs, _depth(programs, 2 * rows * features * itemsize, most),
        held=rows, registers=registers if registers < 255 else None,
    )  # fmt: skip
    return within(tiling, itemsize, room)


def _warps(features: int, itemsize: int) -> tuple[int, int, int]:
    """(warps to a row, rows of a tile, warps): four rows of one warp each, or one row.

    Few warps to a row, since they wait for each other: up to 36 values a lane, and fewer
    where some lanes are idle, which takes masks.
    """
    if itemsize == 4:
        a_row = warps_a_row(features, 32)
        rows = max(4, a_row) // a_row
        # Past 20 values a lane two warps share a row where four are there for it.
        if features > 20 * LANES * a_row and rows > 1:
            rows //= 2
        return a_row, rows, max(4, a_row)
    for a_row, most in (1, 24), (2, 32), (4, 40):
        if features % (a_row * LANES * 4) == 0:
            most = max(most, 36)
        if features <= most * LANES * a_row:
            rows = 4 if a_row == 1 else 1
            return a_row, rows, a_row * rows
    return 8, 1, 8


def _depth(programs: int, tile_bytes: int, most: int) -> int:
    """As many stages as bytes in flight ask for and shared memory has room for: 3 to `most`."""
    stages = 1 + max(2, min(most - 1, -(-IN_FLIGHT_BYTES // (programs * tile_bytes))))
    while stages > 1 and stages * programs * tile_bytes > SHARED_BYTES:
        stages -= 1
    return stages
