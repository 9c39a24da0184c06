"""How many calls make a sample of the size experiment."""

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench.experiments.size_rounds import (
    FULL_SAMPLE_US,
    LEAST_CALLS,
    MOST_CALLS,
    QUICK_SAMPLE_US,
    calls_a_sample,
)

ONCE_US = 150  # a sample's start and the wait at its end, as seen beside an H200


@pytest.mark.parametrize("sample_us", [QUICK_SAMPLE_US, FULL_SAMPLE_US])
@pytest.mark.parametrize("one_pass_us", [72, 232, 700, 2290])  # 300 MB to 10 GB on an H200
def test_what_a_sample_has_once_is_a_small_part_of_it(one_pass_us, sample_us):
    count = calls_a_sample(one_pass_us * 7 / 3, sample_us)
    assert ONCE_US / count < 0.12 * one_pass_us


def test_a_sample_is_neither_one_call_nor_endless():
    assert calls_a_sample(1e6, QUICK_SAMPLE_US) == LEAST_CALLS > 1
    assert calls_a_sample(0.1, FULL_SAMPLE_US) == MOST_CALLS
