"""Launches tried one by one: where kernels/tuned.py comes from.

For each direction, dtype and number of features: every sensible cut of a row, depth,
register cap and number of programs, compiled by many processes at once and then
timed, six calls to a CUDA graph over two sets of tensors, median of six replays.
Prints a line for each case's fastest launches; the first is what tuned.py takes.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, replace
from itertools import product
from operator import itemgetter
from statistics import median

from kernels.bench import machine
from kernels.tiling import INF, LANES, VECTOR_BYTES, Tiling

SHAPES = ((256_000, 512), (32_000, 768), (47_968, 1024), (48_000, 1280), (16_384, 4096),
          (16_384, 8192), (8192, 16_384))  # fmt: skip
HOW = ("layer", "gelu")
EPS = 1e-5
PROCESSES = 16
CALLS, REPLAYS = 6, 6
SHOWN = 3
MOST_VALUES = {"forward": 64, "backward": 32}
"""Values of a row a lane: more can't stay in registers."""

STAGES = {"forward": (1, 2, 3, 4), "backward": (2, 3, 4)}
LEAST_WARPS = 8
MOST_WARPS = 64
"""On one multiprocessor, all programs together; more than is resident makes waves."""


def candidates(direction: str, features: int, itemsize: int) -> list[Tiling]:
    """The launches to try, `programs` still to be chosen."""
    lane_columns = LANES * VECTOR_BYTES // itemsize
    found = []
    for spread, warps in product((1, 2, 4, 8, 16, 32), (1, 4, 8, 16, 32)):
        width = spread * lane_columns
        if spread > warps or features % width:
            continue
        # One row to `spread` warps, or to twice as many with loads of half the width.
        for rows in {warps // spread, max(1, warps // spread // 2)}:
            if not 8 <= features * rows / (LANES * warps) <= MOST_VALUES[direction]:
                continue
            for stages in STAGES[direction]:
                tiling = Tiling(width, features // width, rows, warps, 0, stages, held=rows)
                found += [tiling, replace(tiling, registers=128)] if warps == 4 else [tiling]
    return found


def programs(tiling: Tiling, direction: str) -> list[int]:
    """Programs a multiprocessor to try."""
    tried = [
        count
        for count in (1, 2, 3, 4, 6, 8, 12, 16, 24)
        if LEAST_WARPS <= count * tiling.warps <= MOST_WARPS
    ]
    return [*tried, INF] if direction == "forward" else tried


def run(directions: Sequence[str], itemsizes: Sequence[int], features: int | None) -> None:
    """Print the fastest launches of each case; of all features, or of these."""
    machine.need_gpu()
    shapes = [shape for shape in SHAPES if features in (None, shape[1])]
    cases = list(product(directions, itemsizes, shapes))
    jobs = [
        (direction, itemsize, shape[1], tiling)
        for direction, itemsize, shape in cases
        for tiling in candidates(direction, shape[1], itemsize)
    ]
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        possible = set(filter(None, pool.imap_unordered(_compile, jobs, chunksize=4)))
    for direction, itemsize, (rows, width) in cases:
        fitting = [t for d, i, f, t in possible if (d, i, f) == (direction, itemsize, width)]
        print(f"# {direction} {rows}×{width}, {itemsize} bytes an element", flush=True)
        timed = sorted(_timed(direction, itemsize, rows, width, fitting), key=itemgetter(0))
        for time, tiling in timed[:SHOWN]:
            print(f'    ("{direction}", {itemsize}, {width}): {tiling},  # {time:.1f} µs')


def _compile(job: tuple) -> tuple | None:
    """Compile one launch by using it on a few rows; None where it can't be."""
    direction, itemsize, features, tiling = job
    try:
        _call(direction, _tensors(64, features, itemsize), replace(tiling, programs=1))()
    except Exception:  # too much shared memory, mostly; it is not a candidate then
        return None
    return job


def _timed(
    direction: str, itemsize: int, rows: int, features: int, tilings: list[Tiling]
) -> Iterator[tuple[float, tuple]]:
    sets = [_tensors(rows, features, itemsize) for _ in range(2)]
    for tiling in tilings:
        for count in programs(tiling, direction):
            launched = replace(tiling, programs=count)
            calls = [_call(direction, tensors, launched) for tensors in sets]
            yield _microseconds(calls), astuple(launched)[:-1]


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


def _microseconds(calls: list[Callable[[], object]]) -> float:
    import torch

    for call in calls:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [calls[i % len(calls)]() for i in range(CALLS)]
    graph.replay()
    events = [tuple(torch.cuda.Event(enable_timing=True) for _ in range(2)) for _ in range(REPLAYS)]
    torch.cuda._sleep(300_000)
    for start, end in events:
        start.record()
        graph.replay()
        end.record()
    torch.cuda.synchronize()
    del kept
    return median(start.elapsed_time(end) for start, end in events) / CALLS * 1e3
