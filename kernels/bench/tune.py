"""Launches tried one by one: where kernels/tuned.py comes from.

For each direction, dtype and number of features: the launches of
kernels/bench/candidates.py, compiled by many processes at once and then timed by
kernels/bench/timing.py's method: one call to a CUDA graph, cold, among others.
Prints a line for each case's fastest launches; the first is what tuned.py takes
(a team's into TEAMS, for rows of all lengths).
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from itertools import product
from operator import itemgetter
from statistics import median

from kernels.bench import machine
from kernels.bench.candidates import candidates
from kernels.bench.cases import SHAPES, VOLUME
from kernels.tiling import Tiling

HOW = ("layer", "gelu")
EPS = 1e-5
PROCESSES = 16
ROUNDS = 30
AT_ONCE = 10
"""Launches timed among each other; more would hold much memory."""

FEW_ROWS = 256  # enough for every team that could be there at once
SHOWN = 3


def run(directions: Sequence[str], itemsizes: Sequence[int], features: int | None) -> None:
    """Print the fastest launches of each case; of all features, or of these."""
    machine.need_gpu()
    shapes = [shape for shape in SHAPES if features in (None, shape[1])]
    if features and not shapes:
        shapes = [(VOLUME // features, features)]
    cases = list(product(directions, itemsizes, shapes))
    jobs = [
        (direction, itemsize, shape[1], tiling)
        for direction, itemsize, shape in cases
        for tiling in candidates(direction, shape[1], itemsize)
    ]
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        possible = [job for job in pool.imap_unordered(_compile, jobs, chunksize=4) if job]
    for direction, itemsize, (rows, width) in cases:
        fitting = [t for d, i, f, t in possible if (d, i, f) == (direction, itemsize, width)]
        print(f"# {direction} {rows}×{width}, {itemsize} bytes an element", flush=True)
        timed = sorted(_timed(direction, itemsize, rows, width, fitting), key=itemgetter(0))
        for time, tiling in timed[:SHOWN]:
            print(f"    {entry(direction, itemsize, width, tiling)},  # {time:.1f} µs")


def entry(direction: str, itemsize: int, features: int, tiling: Tiling) -> str:
    """The line of kernels/tuned.py: in TUNED, or in TEAMS, which holds for rows of any length."""
    if tiling.way == "team":
        t = tiling
        found = (t.width, t.rows, t.warps, t.programs, t.stages, t.registers)
        return f'("{direction}", {itemsize}): {found}'
    return f'("{direction}", {itemsize}, {features}): {astuple(tiling)[:-1]}'


def _compile(job: tuple) -> tuple | None:
    """Compile one launch by using it on a few rows; None where it can't be."""
    direction, itemsize, features, tiling = job
    try:
        _call(direction, _tensors(FEW_ROWS, features, itemsize), tiling)()
    except Exception:  # too much shared memory, mostly; it is not a candidate then
        return None
    return job


def _timed(
    direction: str, itemsize: int, rows: int, features: int, tilings: list[Tiling]
) -> Iterator[tuple[float, Tiling]]:
    import torch

    from kernels.bench import timing

    sets = [_tensors(rows, features, itemsize) for _ in range(2)]
    stream = torch.cuda.Stream()
    for at in range(0, len(tilings), AT_ONCE):
        some = tilings[at : at + AT_ONCE]
        timed = [
            timing.Timed("", [_call(direction, tensors, tiling) for tensors in sets])
            for tiling in some
        ]
        for one in timed:
            timing.capture(one, stream)
        timing.run_rounds(timed, ROUNDS, warm_up=0.1)
        yield from ((median(t.samples_us), tiling) for t, tiling in zip(timed, some, strict=True))
        del timed
        torch.cuda.empty_cache()


def _tensors(rows: int, features: int, itemsize: int) -> tuple:
    """(x, residual or dy, weight, bias, statistics)."""
    import torch

    dtype = torch.bfloat16 if itemsize == 2 else torch.float32
    x, other = (torch.randn(rows, features, device="cuda", dtype=dtype) for _ in range(2))
    weight, bias = (torch.randn(features, device="cuda", dtype=dtype) for _ in range(2))
    variance, mean = torch.var_mean(x.float(), 1, correction=0)
    return x, other, weight, bias, torch.stack([(variance + EPS).rsqrt(), mean])


def _call(direction: str, tensors: tuple, tiling: Tiling) -> Callable[[], object]:
    from kernels import launch

    x, other, weight, bias, statistics = tensors
    if direction == "forward":
        return lambda: launch.forward(x, other, weight, bias, (*HOW, EPS), True, tiling)
    return lambda: launch.backward(other, x, weight, bias, statistics, HOW, (True, True), tiling)
