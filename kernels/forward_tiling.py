"""The forward's launches: what kernels/tuned.py has, else a rule."""

from functools import cache

from kernels.tiling import (
    H200,
    INF,
    LANES,
    MOST_FEATURES,
    MOST_WARPS,
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

_ONE_AT_A_TIME = 4096  # features of float32 past which a multiprocessor holds one row


@cache
def forward_tiling(features: int, itemsize: int, room: Room = H200) -> Tiling:
    """The forward's, for x of `itemsize` bytes an element.

    `room` is the device's; without any, no program can count on another being there.
    """
    known = TUNED.get(("forward", itemsize, features))
    if known:
        return within(Tiling(*known), itemsize, room)
    if features > MOST_FEATURES:
        looped = Tiling(8192 // itemsize, 0, 1, 2 * itemsize, INF, stages=3, way="looped")
        return team("forward", features, itemsize, room) or looped
    if itemsize == 4:
        return within(_streaming(features), itemsize, room)
    warps = warps_a_row(features, 40)
    if warps > 2:
        warps = warps_a_row(features, 64)
    width, parts = cut(features, itemsize, warps)
    rows = max(1, 2 * LANES * VECTOR_BYTES // itemsize // power_of_two(features))
    each = 3 if features <= 2048 else 4
    tiling = Tiling(width, parts, rows, warps, 16 // warps, 3, held=rows, each=each)
    return within(tiling, itemsize, room)


def _streaming(features: int) -> Tiling:
    """Of float32: one tile a program, as many programs as tiles, 8 to 24 values a lane.

    Long rows are walked over instead, by one program of 16 warps a multiprocessor, which
    asks for the next rows meanwhile: 0.74 to 0.95 of the limit at 7168 features.
    """
    if features > _ONE_AT_A_TIME:
        width, parts = cut(features, 4, MOST_WARPS)
        return Tiling(width, parts, 1, MOST_WARPS, 1, 3, registers=128)
    short = power_of_two(features) <= 256 or features == 512
    rows = 2048 // power_of_two(features) if short else 1
    warps = 4 if short else min(MOST_WARPS, warps_a_row(features, 24))
    width, parts = cut(features, 4, warps)
    return Tiling(width, parts, rows, warps, INF, held=rows)
