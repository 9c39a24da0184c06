"""Launch configurations, as data with the reason for each. No GPU is asked anything here.

A tile is `rows` rows of a tensor, each cut into `parts` pieces of `width` columns
(kernels/tiles.py says why), worked on by `warps` warps; `programs` programs share
one multiprocessor and each walks over many tiles, `stages` tiles deep.

What governs them, as measured on an H200 (kernels/NOTES.md):

- Bytes in flight. Its memory answers after some 700 ns at 4.3 TB/s, so each of 132
  multiprocessors must have 23 kB under way at any time; as loads come in bursts,
  about 70 kB asked for ahead of their use, programs × (stages − 1) × tile, do best.
- Registers. A lane of the backward holds x̂, dx̂ and two sums for each of its values: 24 of
  them in 168 registers, twelve warps to a multiprocessor, up to 40 in 255, eight warps. A
  lane of the forward holds 40. One value more, and they spill: 0.61 of the limit at 3584
  features, where eight warps have 0.88.
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

from dataclasses import dataclass, replace

from kernels.traffic import LONG_ROW
from kernels.tuned import TEAMS

LANES = 32
VECTOR_BYTES = 16  # the widest load of one lane
MOST_WARPS = 16
FULL_WARPS = 8  # fill a multiprocessor where a lane needs all the registers that it can have
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


def team(direction: str, features: int, itemsize: int, room: Room) -> Tiling | None:
    """A team's, where there is room for one; all its programs must be there at once."""
    width, rows, warps, programs, stages, registers = TEAMS[direction, itemsize]
    multiprocessors, shared = room
    tiles = 2 * stages * rows * width * itemsize
    programs = min(programs, shared // (tiles + SHARED_BESIDE))
    members = -(-features // width)
    if features > LONG_ROW or members > programs * multiprocessors:
        return None
    return Tiling(width, 0, rows, warps, programs, stages, registers=registers, way="team")


def within(tiling: Tiling, itemsize: int, room: Room) -> Tiling:
    """The tiling, with fewer stages where one program's tiles would not fit its shared memory."""
    tiles = 2 * tiling.rows * tiling.parts * tiling.width * itemsize
    stages = tiling.stages
    while stages > 1 and (stages - 1) * tiles + SHARED_BESIDE > room[1]:
        stages -= 1
    return replace(tiling, stages=stages)


def warps_a_row(features: int, values_a_lane: int) -> int:
    """The least power of two of warps that holds a row at this many values a lane."""
    return power_of_two(-(-features // (LANES * values_a_lane)))


def cut(features: int, itemsize: int, warps: int, few: int = 0) -> tuple[int, int]:
    """(width, parts): loads of 16 bytes a lane, or of 8 where those leave no lane idle.

    Or where they make no more than `few` parts. Eight warps, alone on their multiprocessor,
    lose more by the smaller loads than by idle lanes.
    """
    width = min(warps * LANES * VECTOR_BYTES // itemsize, power_of_two(features))
    if width < features and features % width:
        half = width // 2
        fits = features % half == 0 and warps < FULL_WARPS
        if fits or -(-features // half) <= few:
            width = half
    return width, -(-features // width)
