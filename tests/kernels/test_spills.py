"""No lane of the backward holds more than its registers do.

What is spilled waits behind the loads that come in meanwhile: a row of 3584 features with too
few registers had 0.61 of the limit's rate, with enough 0.88 (NVIDIA H200).
"""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401

CASES = [
    (512, "bfloat16"), (768, "bfloat16"), (1152, "bfloat16"), (1600, "bfloat16"),
    (2304, "bfloat16"), (3584, "bfloat16"), (4608, "bfloat16"), (7168, "bfloat16"),
    (16_384, "bfloat16"), (20_000, "bfloat16"), (65_536, "bfloat16"),
    (3584, "float16"), (3584, "float32"), (5632, "float32"), (16_384, "float32"),
]  # fmt: skip


@pytest.fixture(scope="module")
def spilled(dry) -> dict[tuple, int]:
    return dict(zip(CASES, map(int, dry("dry_spills", json.dumps(CASES))), strict=True))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_is_spilled_in_the_loop_over_the_rows(case, spilled):
    assert spilled[case] == 0
