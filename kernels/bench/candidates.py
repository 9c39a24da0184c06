"""The launches that `tune` tries: every sensible cut of a row, depth and number of programs."""

from dataclasses import replace
from itertools import product

from kernels.tiling import INF, LANES, MOST_FEATURES, REGISTERS, VECTOR_BYTES, Tiling

VALUES = {"forward": (8, 64), "backward": (8, 40)}
"""The fewest and the most values of a row a lane: more can't stay in registers."""

STAGES = {"forward": (1, 2, 3, 4), "backward": (2, 3, 4)}
RESIDENT_WARPS = (8, 12, 16, 18)
"""On one multiprocessor, all programs of the backward together: one wave of them."""

TILES_EACH = (2, 3, 4, 6)
MOST_PADDED = 1.25
"""Of a row's features: the most that its parts may hold together."""

MEMBERS = tuple(product((1024, 2048), (2, 4, 8), (2, 3, 4)))
"""A team's columns a member, warps a member, stages."""


def candidates(direction: str, features: int, itemsize: int) -> list[Tiling]:
    """The launches to try."""
    lane_columns = LANES * VECTOR_BYTES // itemsize
    found = _teams(direction) if features > MOST_FEATURES else []
    for a_row, rows, halves in product((1, 2, 4, 8, 16, 32), (1, 2, 4), (1, 2)):
        warps, width = a_row * rows, a_row * lane_columns // halves
        few, most = VALUES[direction]
        parts = -(-features // width)
        if warps > 32 or not few <= parts * width / (LANES * a_row) <= most:
            continue
        if parts * width > MOST_PADDED * features or (parts - 1) * width >= features:
            continue
        for stages in STAGES[direction]:
            tiling = Tiling(width, parts, rows, warps, 1, stages, held=rows)
            found += launches(tiling, direction)
    return found


def _teams(direction: str) -> list[Tiling]:
    """Two rows a tile; as many registers as a quarter of a multiprocessor has for its warps."""
    found = []
    few, most = VALUES[direction]
    for (width, warps, stages), resident in product(MEMBERS, RESIDENT_WARPS[:3]):
        values, programs = 2 * width // (LANES * warps), resident // warps
        if not few <= values <= most or programs * warps != resident:
            continue
        registers = REGISTERS // (resident * LANES) // 8 * 8
        registers = registers if registers < 255 else None
        found.append(Tiling(width, 0, 2, warps, programs, stages, registers=registers, way="team"))
    return found


def launches(tiling: Tiling, direction: str) -> list[Tiling]:
    """The same cut with different numbers of programs, and registers that let them be there."""
    if direction == "forward":
        dealt = [replace(tiling, programs=max(1, 16 // tiling.warps), each=n) for n in TILES_EACH]
        return [*dealt, replace(tiling, programs=INF)] if tiling.stages < 3 else dealt
    found = []
    for programs in sorted({max(1, warps // tiling.warps) for warps in RESIDENT_WARPS}):
        registers = REGISTERS // (programs * tiling.warps * LANES) // 8 * 8
        registers = registers if registers < 255 else None
        found.append(replace(tiling, programs=programs, registers=registers))
    return found
