"""Filling the compilers' caches before runs that are to be timed one after another."""

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from kernels.bench.protocol import Request

AT_ONCE = 10
SECONDS = 120


def warm(runs: Sequence[Sequence[str]]) -> None:
    """Make each run in a process of its own, several at once, and throw away what it says.

    A run is what stands behind `python -m kernels.bench`. Whatever goes wrong here goes
    wrong again in the run itself, and is told then.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(_once, runs))


def short(request: Request) -> list[str]:
    """A run of the chain with as few samples as there may be."""
    return [
        "chain", "--rows", str(request.rows), "--features", str(request.features),
        "--dtype", request.dtype, "--direction", request.direction, "--samples", "3",
    ]  # fmt: skip


def _once(run: Sequence[str]) -> None:
    command = [sys.executable, "-m", "kernels.bench", *run]
    nowhere = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):  # it has compiled by then, or will in the run itself
        subprocess.run(command, stdout=nowhere, stderr=nowhere, check=False, timeout=SECONDS)
