"""Recordings: every preset, dtype and direction measured on this GPU, one file each.

The compilers' caches are filled first, by many processes at once. The recorded
runs then follow one after another in this process, alone on the GPU.
"""

from contextlib import redirect_stdout
from itertools import product
from pathlib import Path

from kernels.bench import gpu, machine
from kernels.bench.emit import Progress
from kernels.bench.protocol import PRESETS, Request, from_preset
from kernels.bench.warm import warm

DTYPES = ("bf16", "fp32")
DIRECTIONS = ("forward", "backward")


def run(folder: Path) -> None:
    """Write folder/PRESET-DTYPE-DIRECTION.jsonl for each, each whole or not at all."""
    machine.need_gpu()
    folder.mkdir(parents=True, exist_ok=True)
    requests = [
        from_preset(preset, dtype=dtype, direction=direction)
        for dtype, preset, direction in product(DTYPES, PRESETS, DIRECTIONS)
    ]
    progress = Progress(of=len(requests) + 1)
    warm(requests)
    progress.step("compilers' caches filled")
    for request in requests:
        _record(request, folder / f"{request.preset}-{request.dtype}-{request.direction}.jsonl")
        progress.step(f"{request.preset} {request.dtype} {request.direction}")


def _record(request: Request, path: Path) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file, redirect_stdout(file):
        gpu.run(request, samples=None)
    partial.replace(path)
