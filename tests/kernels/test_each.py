"""What is compiled at once is all that is started later, seen for a Hopper GPU without one."""

import json
import os
import subprocess
import sys

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401


@pytest.fixture(scope="module")
def late(tmp_path_factory) -> dict[str, list[str]]:
    """{case: kernels that were compiled only after all had been compiled at once}"""
    environment = os.environ | {
        "TRITON_INTERPRET": "0",
        "TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("triton")),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernels.dry_compile"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("model", ["quartznet", "conformer"])
def test_an_encoders_steps_find_all_their_kernels_compiled(model, late):
    assert late[model] == []


def test_the_chains_find_all_their_kernels_compiled_both_ways(late):
    assert late["both"] == []


def test_the_chains_find_all_their_kernels_compiled_forward(late):
    assert late["forward"] == []
