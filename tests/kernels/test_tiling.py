"""Launch configurations hold every row whole, for every number of features."""

import pytest

from kernels.bench import tune
from kernels.tiling import LANES, REGISTERS, backward_tiling, forward_tiling, power_of_two
from kernels.traffic import LONG_ROW

FEATURES = (*range(1, 300), 511, 512, 513, 768, 1000, 1024, 1280, 1536, 2047, 2048, 3072, 4096,
            5000, 6144, 8192, 10_000, 16_384, 16_385, 32_768, 65_536)  # fmt: skip
BOTH = pytest.mark.parametrize("tiling_of", [forward_tiling, backward_tiling])
ITEMSIZE = pytest.mark.parametrize("itemsize", [2, 4])


@BOTH
@ITEMSIZE
def test_no_row_is_cut_short_and_no_part_is_all_padding(tiling_of, itemsize):
    for features in FEATURES:
        tiling = tiling_of(features, itemsize)
        if not tiling.looped:
            assert tiling.parts * tiling.width >= features > (tiling.parts - 1) * tiling.width


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
        assert not backward_tiling(LONG_ROW, itemsize).looped
        assert backward_tiling(LONG_ROW + 1, itemsize).looped


def test_power_of_two_is_the_least_that_holds_it():
    assert [power_of_two(n) for n in (1, 2, 3, 4, 5, 1000)] == [1, 2, 4, 4, 8, 1024]


@pytest.mark.parametrize("direction", ["forward", "backward"])
@ITEMSIZE
def test_the_launches_that_tuning_tries_are_whole_too(direction, itemsize):
    for _, features in tune.SHAPES:
        tried = tune.candidates(direction, features, itemsize)
        assert tried or (direction == "backward" and features > LONG_ROW)
        for tiling in tried:
            assert tiling.parts * tiling.width == features
            assert tiling.rows == power_of_two(tiling.rows)
            assert tiling.programs >= 1
            held = (tiling.registers or 255) * tiling.warps * LANES * tiling.programs
            assert direction == "forward" or held <= REGISTERS or tiling.registers is None
