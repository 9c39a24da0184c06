"""Waiting for several programs at once, such as the disassembler."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 8


def together(works: Sequence[Callable[[], T]]) -> list[T]:
    """What each gives back, in order."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda work: work(), works))
