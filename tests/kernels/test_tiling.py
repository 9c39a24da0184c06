"""Launch configurations hold every row whole, for every number of features."""

from ast import literal_eval

import pytest

from kernels.backward_tiling import backward_tiling
from kernels.bench import tune
from kernels.forward_tiling import forward_tiling
from kernels.tiling import (
    LANES,
    REGISTERS,
    Tiling,
    power_of_two,
)
from kernels.traffic import LONG_ROW
from kernels.tuned import TEAMS

FEATURES = (*range(1, 300), 511, 512, 513, 768, 1000, 1024, 1280, 1536, 2047, 2048, 3072, 4096,
            5000, 6144, 8192, 10_000, 16_384, 16_385, 32_768, 65_536)  # fmt: skip
BOTH = pytest.mark.parametrize("tiling_of", [forward_tiling, backward_tiling])
ITEMSIZE = pytest.mark.parametrize("itemsize", [2, 4])


def _is_whole(tiling: Tiling, features: int) -> bool:
    return tiling.parts * tiling.width >= features > (tiling.parts - 1) * tiling.width


@BOTH
@ITEMSIZE
def test_no_row_is_cut_short_and_no_part_is_all_padding(tiling_of, itemsize):
    for features in FEATURES:
        tiling = tiling_of(features, itemsize)
        if tiling.way == "whole":
            assert _is_whole(tiling, features)


@BOTH
@ITEMSIZE
def test_every_side_is_one_that_triton_takes(tiling_of, itemsize):
    for features in FEATURES:
        tiling = tiling_of(features, itemsize)
        for side in (tiling.width, tiling.rows, tiling.warps, tiling.held):
            assert side == power_of_two(side)
        assert tiling.held in (1, tiling.rows)
        assert tiling.warps <= 32
        assert tiling.programs >= 1


@ITEMSIZE
def test_real_encoders_rows_leave_no_lane_idle(itemsize):
    for features in (512, 768, 1024, 1280):
        for tiling_of in (forward_tiling, backward_tiling):
            tiling = tiling_of(features, itemsize)
            assert tiling.parts * tiling.width == features


def test_the_byte_counts_know_which_rows_take_two_passes():
    for itemsize in (2, 4):
        assert backward_tiling(LONG_ROW, itemsize).way == "team"
        assert backward_tiling(LONG_ROW + 1, itemsize).way == "looped"


@ITEMSIZE
@BOTH
def test_a_team_is_no_larger_than_what_is_there_at_once(tiling_of, itemsize):
    for room in ((132, 233_472), (132, 102_400), (40, 65_536), (8, 233_472), (0, 0)):
        for features in (8193, 20_000, 65_536, 131_072):
            tiling = tiling_of(features, itemsize, room)
            if tiling.way == "team":
                members = -(-features // tiling.width)
                assert members <= tiling.programs * room[0]
                tile = 2 * tiling.rows * tiling.width * itemsize
                assert tiling.programs * tiling.stages * tile < room[1]
                registers = tiling.registers or 255
                quarter = REGISTERS // 4 // (LANES * -(-registers // 8) * 8)
                assert tiling.programs * tiling.warps <= 4 * quarter
    assert tiling_of(8193, itemsize, (0, 0)).way == "looped"
    assert tiling_of(131_072, itemsize, (8, 233_472)).way == "looped"


@ITEMSIZE
@BOTH
@pytest.mark.parametrize("shared", [233_472, 102_400])
def test_a_programs_tiles_fit_the_shared_memory_that_is_there(tiling_of, itemsize, shared):
    for features in range(1, 8193):
        tiling = tiling_of(features, itemsize, (84, shared))
        tile = 2 * tiling.rows * tiling.parts * tiling.width * itemsize
        assert (tiling.stages - 1) * tile < shared - 1024  # the system keeps 1 kB of it


@ITEMSIZE
def test_the_backwards_programs_find_their_registers_together(itemsize):
    for features in range(1, 8193):
        tiling = backward_tiling(features, itemsize)
        if tiling.registers:
            assert tiling.programs * tiling.warps * LANES * tiling.registers <= REGISTERS


def test_what_tuning_prints_of_a_launch_is_what_the_tables_take():
    for direction, tiling_of in (("forward", forward_tiling), ("backward", backward_tiling)):
        for itemsize in (2, 4):
            team, whole = tiling_of(20_000, itemsize), tiling_of(1280, itemsize)
            printed = literal_eval(f"{{{tune.entry(direction, itemsize, 20_000, team)}}}")
            assert printed == {(direction, itemsize): TEAMS[direction, itemsize]}
            printed = literal_eval(f"{{{tune.entry(direction, itemsize, 1280, whole)}}}")
            assert Tiling(*printed[direction, itemsize, 1280]) == whole


def test_power_of_two_is_the_least_that_holds_it():
    assert [power_of_two(n) for n in (1, 2, 3, 4, 5, 1000)] == [1, 2, 4, 4, 8, 1024]


@pytest.mark.parametrize("direction", ["forward", "backward"])
@ITEMSIZE
def test_the_launches_that_tuning_tries_are_whole_too(direction, itemsize):
    for _, features in tune.SHAPES:
        tried = tune.candidates(direction, features, itemsize)
        assert tried
        for tiling in tried:
            assert tiling.way == "team" or _is_whole(tiling, features)
            assert tiling.rows == power_of_two(tiling.rows)
            assert tiling.programs >= 1
            held = (tiling.registers or 255) * tiling.warps * LANES * tiling.programs
            assert direction == "forward" or held <= REGISTERS or tiling.registers is None
