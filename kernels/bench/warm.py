"""Filling the compilers' caches before runs that are to be timed one after another."""

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from kernels.bench.protocol import Request

AT_ONCE = 10


def warm(requests: Sequence[Request]) -> None:
    """Make each run in a process of its own, several at once, and throw away what it says.

    Whatever goes wrong there goes wrong again in the run itself, and is told then.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(_once, requests))


def _once(request: Request) -> None:
    command = [
        sys.executable, "-m", "kernels.bench", "chain", "--rows", str(request.rows),
        "--features", str(request.features), "--dtype", request.dtype,
        "--direction", request.direction, "--samples", "3",
    ]  # fmt: skip
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
