"""What a row's sums need when several programs, a team, share the row.

Each member leaves its two sums of a row in a slot of its own, 64 bits written at once,
and reads those of all members: no locks, no order of memory to keep but each slot's,
and sums added in the members' order, so the same bits every time. A slot holds EMPTY
until its member has written. Members wait for each other, so all programs must be
there at once: the launch is a cooperative one, which starts all of them or none.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents

from kernels.intrinsics import PLAIN

EMPTY = -1  # two NaNs of a payload that no arithmetic makes
_EMPTY = tl.constexpr(EMPTY)
_NANS = tl.constexpr(0x7FFFFFFF_7FFFFFFF)


@triton.constexpr_function
def half(team: int) -> int:
    """Places in each of the two halves that collect returns: a power of two."""
    return max(1, triton.next_power_of_2(team) // 2)


@triton.jit(do_not_specialize=["count"])
def empty_slots(slots_ptr, count, BLOCK: tl.constexpr, EARLY: tl.constexpr):
    """Fill `count` slots with EMPTY, BLOCK a program.

    Where EARLY, the team's programs are started meanwhile and wait for our end themselves.
    """
    if EARLY:
        gdc_launch_dependents()
    slot = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(slots_ptr + slot, tl.full((BLOCK,), _EMPTY, tl.int64), mask=slot < count)


@triton.jit
def columns(member, FEATURES: tl.constexpr, TEAM: tl.constexpr, WIDTH: tl.constexpr):
    """(first column, how many of WIDTH count for nothing) of a member.

    The last of a row that is no multiple of WIDTH begins as early as it must to be whole, and
    leaves to the member before what both then have: so no load needs a mask for its columns, and
    a lane's addresses differ by constants.
    """
    SHORT: tl.constexpr = TEAM * WIDTH - FEATURES
    doubled = (member == TEAM - 1).to(tl.int32) * SHORT
    return member * WIDTH - doubled, doubled


@triton.jit
def unsigned(row):
    """Rows as int64 by which to multiply: extended without a sign, two instructions fewer.

    What is below zero becomes some row that isn't there, and must be masked.
    """
    return row.to(tl.uint32, bitcast=True).to(tl.int64)


@triton.jit
def publish(slots_ptr, row, valid, member, TEAM: tl.constexpr, first, second):
    """Leave this member's two sums [ROWS, 1] of these rows for its team."""
    low = first.to(tl.uint32, bitcast=True).to(tl.int64)
    high = second.to(tl.uint32, bitcast=True).to(tl.int64) << 32
    pair = low | high
    pair = tl.where(pair == _EMPTY, _NANS, pair)  # NaNs handed in may have any payload
    tl.atomic_xchg(slots_ptr + row.to(tl.int64) * TEAM + member, pair, mask=valid, sem="relaxed")


@triton.jit
def collect(slots_ptr, row, valid, TEAM: tl.constexpr):
    """The members' sums, waited for: (first, second) of the first HALF members, then of the others.

    Each is [ROWS, HALF]; what is beyond the last member repeats the first ones. In halves,
    since what one warp can hold, a value a lane, needs no exchange between warps.
    """
    HALF: tl.constexpr = half(TEAM)
    place = tl.arange(0, HALF)[None, :]
    slots = slots_ptr + row.to(tl.int64) * TEAM
    near, far = slots + place, slots + (place + HALF) % TEAM
    wanted = valid & (place >= 0)
    if PLAIN:  # one program runs after another: what is not there yet is not going to be
        left, right = tl.load(near, wanted, 0), tl.load(far, wanted, 0)
    else:
        left, right = _awaited(near.to(tl.int64), far.to(tl.int64), wanted.to(tl.int32))
    return _first(left), _second(left), _first(right), _second(right)


@triton.jit
def _awaited(near, far, wanted):
    """The two numbers at these addresses, once neither is EMPTY; 0 where they are not wanted."""
    # The loop is within the assembly, since one of Triton's would end the pipelining of the
    # loop around it. Triton's atomics and `ld.relaxed` go to L2, where all programs meet.
    left, right = tl.inline_asm_elementwise(
        """
        {
            .reg .pred wanted, empty, lacking;
            setp.ne.s32 wanted, $4, 0;
            mov.b64 $0, 0;
            mov.b64 $1, 0;
        again:
            @wanted ld.relaxed.gpu.global.b64 $0, [$2];
            @wanted ld.relaxed.gpu.global.b64 $1, [$3];
            setp.eq.and.s64 empty, $0, -1, wanted;
            setp.eq.and.s64 lacking, $1, -1, wanted;
            @empty bra again;
            @lacking bra again;
        }
        """,
        "=&l,=&l,l,l,r", [near, far, wanted], dtype=(tl.int64, tl.int64), is_pure=False, pack=1,
    )  # fmt: skip
    return left, right


@triton.jit
def _first(pair):
    return pair.to(tl.uint32).to(tl.float32, bitcast=True)


@triton.jit
def _second(pair):
    return (pair >> 32).to(tl.uint32).to(tl.float32, bitcast=True)


@triton.jit
def beyond(TEAM: tl.constexpr):
    """Which of the second half's places are no member's, as [1, HALF]."""
    HALF: tl.constexpr = half(TEAM)
    return tl.arange(0, HALF)[None, :] + HALF >= TEAM
