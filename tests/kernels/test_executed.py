"""Fusing lowers no FLOPs: seen in the machine code for a Hopper GPU, with or without one here."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401


@pytest.fixture(scope="module")
def counts(dry) -> dict[str, float]:
    (line,) = dry("dry_count")
    found = json.loads(line)
    if None in found.values():
        pytest.skip("no disassembler came with this Triton")
    return found


def test_a_fused_forward_does_as_much_arithmetic_as_the_separate_kernels(counts):
    assert counts["fused forward"] == pytest.approx(counts["separate forward"], rel=0.02)


def test_a_fused_backward_does_a_little_more(counts):
    assert 1.0 < counts["fused backward"] / counts["separate backward"] < 1.2
