"""What tests of the kernels share."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

Dry = Callable[..., list[str]]


@pytest.fixture(scope="session")
def dry(tmp_path_factory) -> Dry:
    """Run a program of tests/kernels/dry_*.py: the lines that it prints.

    It compiles for a Hopper GPU, with or without one here, so not in Triton's interpreter.
    """

    def printed(program: str, given: str = "") -> list[str]:
        environment = os.environ | {
            "TRITON_INTERPRET": "0",
            "TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("triton")),
        }
        done = subprocess.run(
            [sys.executable, "-m", f"tests.kernels.{program}"], input=given,
            capture_output=True, text=True, env=environment, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.splitlines()

    return printed
