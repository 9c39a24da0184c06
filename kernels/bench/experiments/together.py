"""Several things at once: waiting for programs such as the disassembler, compiling kernels."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

T = TypeVar("T")
AT_ONCE = 16


def together(works: Sequence[Callable[[], T]]) -> list[T]:
    """What each gives back, in order."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda work: work(), works))


def compile_at_once(starts: Sequence[Callable[[], object]]) -> None:
    """Start each kernel once, so that it is compiled, and wait for the GPU.

    One alone, with which Triton finds its driver, then the others from several threads:
    most of what compiling takes is the assembler and the C compiler, outside Python.
    """
    starts[0]()
    together(starts[1:])
    torch.cuda.synchronize()
