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
- The forward's programs cost little to start, so 16-bit ones take two to five tiles each,
  all in flight at once, and the hardware deals them out: multiprocessors that are quick
  get more. Float32, with so few instructions a byte, takes one tile a program.
- The backward's programs end with partial sums, 8 bytes a feature: one wave of them.
- A row past 8192 features is a team's (but a 16-bit forward of 16384). What its programs
  wait for is each other's sums, 2 µs, and what hides that is what they hold meanwhile: 32
  values a lane. Not one may spill: beside the waiting, two spilled registers halved the rate.
"""

from dataclasses import dataclass
from functools import cache

from kernels.traffic import LONG_ROW
from kernels.tuned import TEAMS, TUNED

LANES = 32
VECTOR_BYTES = 16  # the widest load of one lane
IN_FLIGHT_BYTES = 72_000
SHARED_BYTES = 200_000
MOST_WARPS = 16
RESIDENT_WARPS = 12
REGISTERS = 65_536
MOST_FEATURES = 8192  # of a row in one program's registers, but for what TUNED says
SHARED_BESIDE = 4096  # bytes a program: what the system and the reductions take

Room = tuple[int, int]
H200: Room = (132, 233_472)
"""Multiprocessors, and bytes of shared memory of each."""
INF = 1 << 30


@dataclass(frozen=True, slots=True)
class Tiling:
    """How one kernel is cut up and launched.

    `held` rows of weights (and of the backward's running sums) are kept: `rows` of them
    where each warp has rows of its own (adding across warps would need a barrier a
    tile), one where all warps share a row. `each`, where it is not 0, is the number of
    tiles for which a program is started, `programs` being the least. `way` is how a row
    is held: "whole" by one program, by a "team" of them with `width` columns each, or
    not at all ("looped": in pieces, twice).
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
    way: str = "whole"


def power_of_two(n: int) -> int:
    """The least power of two that is at least n ≥ 1."""
    return 1 << (n - 1).bit_length()


def _team(direction: str, features: int, itemsize: int, room: Room) -> Tiling | None:
    """A team's, where there is room for one; all its programs must be there at once."""
    width, rows, warps, programs, stages, registers = TEAMS[direction, itemsize]
    multiprocessors, shared = room
    tiles = 2 * stages * rows * width * itemsize
    programs = min(programs, shared // (tiles + SHARED_BESIDE))
    members = -(-features // width)
    if features > LONG_ROW or members > programs * multiprocessors:
        return None
    return Tiling(width, 0, rows, warps, programs, stages, registers=registers, way="team")


@cache
def forward_tiling(features: int, itemsize: int, room: Room = H200) -> Tiling:
    """The forward's, for x of `itemsize` bytes an element.

    `room` is the device's; without any, no program can count on another being there.
    """
    known = TUNED.get(("forward", itemsize, features))
    if known:
        return Tiling(*known)
    if features > MOST_FEATURES:
        looped = Tiling(8192 // itemsize, 0, 1, 2 * itemsize, INF, stages=3, way="looped")
        return _team("forward", features, itemsize, room) or looped
    if itemsize == 4:
        return _streaming(features)
    warps = _warps_a_row(features, 40)
    if warps > 2:
        warps = _warps_a_row(features, 64)
    width, parts = _cut(features, itemsize, warps)
    rows = max(1, 2 * LANES * VECTOR_BYTES // itemsize // power_of_two(features))
    each = 3 if features <= 2048 else 4
    return Tiling(width, parts, rows, warps, 16 // warps, 3, held=rows, each=each)


def _streaming(features: int) -> Tiling:
    """One tile a program, as many programs as tiles, 8 to 24 values a lane."""
    short = power_of_two(features) <= 256 or features == 512
    rows = 2048 // power_of_two(features) if short else 1
    warps = 4 if short else min(MOST_WARPS, _warps_a_row(features, 24))
    width, parts = _cut(features, 4, warps)
    return Tiling(width, parts, rows, warps, INF, held=rows)


@cache
def backward_tiling(features: int, itemsize: int, room: Room = H200) -> Tiling:
    """The backward's, as forward_tiling."""
    known = TUNED.get(("backward", itemsize, features))
    if known:
        return Tiling(*known)
    lane_columns = LANES * VECTOR_BYTES // itemsize
    if features > MOST_FEATURES:
        looped = Tiling(2 * lane_columns, 0, 4, 4, programs=4, stages=3, way="looped")
        return _team("backward", features, itemsize, room) or looped
    a_row = _warps_a_row(features, 32)
    # Past 20 values a lane two warps share a row where four are there for it.
    rows = max(4, a_row) // a_row
    if features > 20 * LANES * a_row and rows > 1:
        rows //= 2
    width, parts = _cut(features, itemsize, a_row)
    rows *= max(1, a_row * lane_columns // power_of_two(features))
    warps = max(4, a_row)
    # All programs must be there at once: each walks over as many tiles as the others.
    programs = max(1, RESIDENT_WARPS // warps)
    registers = REGISTERS // (programs * warps * LANES) // 8 * 8
    return Tiling(
        width, parts, rows, warps, programs, _depth(programs, 2 * rows * features * itemsize),
        held=rows, registers=registers if registers < 255 else None,
    )  # fmt: skip


def _warps_a_row(features: int, values_a_lane: int) -> int:
    """The least power of two of warps that holds a row at this many values a lane."""
    return power_of_two(-(-features // (LANES * values_a_lane)))


def _cut(features: int, itemsize: int, warps: int) -> tuple[int, int]:
    """(width, parts): loads of 16 bytes a lane, or of 8 where those leave no lane idle."""
    width = min(warps * LANES * VECTOR_BYTES // itemsize, power_of_two(features))
    if features % width and features % (width // 2) == 0:
        width //= 2
    return width, -(-features // width)


def _depth(programs: int, tile_bytes: int) -> int:
    """As many stages as bytes in flight ask for and shared memory has room for."""
    stages = 1 + max(1, min(3, -(-IN_FLIGHT_BYTES // (programs * tile_bytes))))
    while stages > 1 and stages * programs * tile_bytes > SHARED_BYTES:
        stages -= 1
    return stages
