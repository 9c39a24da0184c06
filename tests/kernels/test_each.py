"""What is compiled at once is all that is started later, seen for a Hopper GPU without one."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401


@pytest.fixture(scope="module")
def late(dry) -> dict[str, list[str]]:
    """{case: kernels that were compiled only after all had been compiled at once}"""
    (line,) = dry("dry_compile")
    return json.loads(line)


@pytest.mark.parametrize("model", ["quartznet", "conformer"])
def test_an_encoders_steps_find_all_their_kernels_compiled(model, late):
    assert late[model] == []


def test_the_chains_find_all_their_kernels_compiled_both_ways(late):
    assert late["both"] == []


def test_the_chains_find_all_their_kernels_compiled_forward(late):
    assert late["forward"] == []
