"""Recordings: every preset, dtype and direction measured on this GPU, one file each.

All runs are made first in processes of their own, several at once, with few
samples and their output thrown away: that fills the caches of the compilers. The
recorded runs then follow one after another in this process, alone on the GPU.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path

from kernels.bench import gpu, machine
from kernels.bench.emit import Progress
from kernels.bench.protocol import PRESETS, Request, from_preset

DTYPES = ("bf16", "fp32")
DIRECTIONS = ("forward", "backward")
AT_ONCE = 10


def run(folder: Path) -> None:
    """Write folder/PRESET-DTYPE-DIRECTION.jsonl for each, each whole or not at all."""
    machine.need_gpu()
    folder.mkdir(parents=True, exist_ok=True)
    requests = [
        from_preset(preset, dtype=dtype, direction=direction)
        for dtype, preset, direction in product(DTYPES, PRESETS, DIRECTIONS)
    ]
    progress = Progress(of=len(requests) + 1)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(_warm, requests))
    progress.step("compilers' caches filled")
    for request in requests:
        _record(request, folder / f"{request.preset}-{request.dtype}-{request.direction}.jsonl")
        progress.step(f"{request.preset} {request.dtype} {request.direction}")


def _warm(request: Request) -> None:
    """One run in another process; whatever goes wrong there will go wrong again, and be told."""
    command = [
        sys.executable, "-m", "kernels.bench", "chain", "--preset", str(request.preset),
        "--dtype", request.dtype, "--direction", request.direction, "--samples", "3",
    ]  # fmt: skip
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _record(request: Request, path: Path) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file, redirect_stdout(file):
        gpu.run(request, samples=None)
    partial.replace(path)
