"""Processes that compose batches ahead of the training."""

import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
import torch.multiprocessing as processes

from tests.checking.training.compose import Pool, load_pool
from tests.checking.training.lines import Line, seen_lines
from tests.checking.training.packed import Batch, Cutter, batches, text_of
from tests.checking.training.subjects import load_subjects

FRAGMENTS = Path(__file__).parents[3] / "content" / "network" / "fragments"
OTHERS = FRAGMENTS / "other.txt"
FOLDS, BRANCHES = 4, 6
WITHOUT = (*range(FOLDS), None, None)  # the fold that each branch does without


def fold_of(line: Line) -> int:
    """Which quarter of the seen answers this one belongs to; fixed by its text."""
    return int(sha256(text_of(line.segments).encode()).hexdigest(), 16) // 7 % FOLDS


def pools(phase: str) -> list[Pool]:
    """What each network composes its answers from: as 'trunk', 'folds' or 'further'."""
    if phase == "trunk":
        return [load_pool(FRAGMENTS, ())]
    lines = seen_lines()
    if phase == "further":
        return [load_pool(FRAGMENTS, lines)] * BRANCHES
    return [
        load_pool(FRAGMENTS, tuple(line for line in lines if fold_of(line) != without))
        for without in WITHOUT
    ]


def make(seed: int, phase: str, size: int, vocab: Path, queue: Any) -> None:
    """Put batches into the queue until this process is ended."""
    torch.set_num_threads(1)
    made = batches(pools(phase), load_subjects(OTHERS), Cutter(vocab), random.Random(seed), size)
    for batch in made:
        queue.put(batch)


class Makers:
    """Processes that make batches ahead of the training."""

    def __init__(self, phase: str, *, size: int, vocab: Path, many: int, seed: int) -> None:
        context = processes.get_context("spawn")
        self._queue = context.Queue(4 * many)
        self._processes = [
            context.Process(target=make, args=(seed + i, phase, size, vocab, self._queue))
            for i in range(many)
        ]
        for process in self._processes:
            process.daemon = True
            process.start()

    def batches(self) -> Iterator[Batch]:
        """Batches as they are made."""
        while True:
            yield self._queue.get(timeout=60)

    def end(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.kill()
