"""The byte counts are told how a device works on long rows."""

import pytest

from tests.kernels.needs import DEVICE, torch  # isort: skip
from kernels.backward_tiling import backward_tiling
from kernels.bench.launched import launched
from kernels.devices import room
from kernels.launch import backward_programs
from kernels.traffic import Chain, tensor_transfers


@pytest.mark.parametrize("features", [64, 8192, 40_000, 140_000])
def test_rows_count_as_read_twice_where_this_device_reads_them_twice(features):
    x = torch.zeros(3, features, device=DEVICE)
    chain = launched(Chain(3, features, "fp32"), x)
    twice = backward_tiling(features, 4, room(x.device)).way == "looped"
    assert twice is (features > 8192 and (DEVICE == "cpu" or features > 131_072))
    assert chain.twice is twice
    assert tensor_transfers(chain, "fused", "backward") == (5 if twice else 3)


def test_the_partial_sums_are_those_of_the_programs_that_are_started():
    x = torch.zeros(5, 48, device=DEVICE)
    assert launched(Chain(5, 48, "fp32"), x).programs == backward_programs(x)
