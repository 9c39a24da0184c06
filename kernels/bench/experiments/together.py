"""Compiling and disassembling several kernels at once: the compiler lets other threads run."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 8


def together(
    works: Sequence[Callable[[], T]], done: Callable[[], object] = lambda: None
) -> list[T]:
    """What each gives back, in order; `done` is called as each one ends."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(work) for work in works]
        found = []
        for one in waiting:
            found.append(one.result())
            done()
    return found
