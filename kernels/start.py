"""Starting a compiled kernel with little Python in the way.

`kernel[grid](…)` works out at every call what Triton specialises on, for some 20
arguments: about 40 µs, more than a small chain takes on the GPU. Here a `Plan`
holds all that is fixed by shapes and dtypes, the kernel compiled for it is kept,
and is started directly, in the way of Triton's own tutorial on persistent kernels,
with addresses in the place of tensors, which Triton would look up one by one.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from triton import knobs
from triton.runtime import driver

ALIGNMENT = 16
"""Bytes: what Triton assumes of a pointer that was so aligned when it compiled."""


@dataclass(slots=True, eq=False)
class Plan:
    """A kernel with its constexpr arguments, in order, and its launch options.

    One program takes `rows` rows, a tile, at a time. No more than `programs` are started,
    where `each` is 0; else as many as take `each` tiles, and `programs` at the least. A
    program of long rows works on one of `blocks` blocks of columns. `way` is the tiling's.
    """

    kernel: Any
    constants: dict[str, Any]
    options: dict[str, Any]
    rows: int = 1
    programs: int = 1
    each: int = 0
    blocks: int = 0
    way: str = "whole"
    compiled: dict[tuple, Any] = field(default_factory=dict)

    def over_rows(self, rows: int) -> int:
        """How many programs, or teams of them, share this many rows."""
        tiles = -(-rows // self.rows)
        programs = max(self.programs, -(-tiles // self.each)) if self.each else self.programs
        return min(tiles, programs)

    def grid(self, rows: int) -> tuple[int, int, int]:
        """The programs to start for this many rows."""
        return self.over_rows(rows), max(1, self.blocks), 1

    def start(
        self,
        grid: tuple[int, int, int],
        tensors: tuple[Tensor | None, ...],
        numbers: tuple[int | float, ...],
        dtypes: tuple[torch.dtype | None, ...],
    ) -> None:
        """Launch on the current stream of the tensors' device, which must be the current one.

        `tensors`, the first of them not None, and then `numbers`, which are ≥ 0 and not
        specialised on, are the kernel's leading parameters. `dtypes` are those that, with
        the plan, settle the dtypes of all tensors, and which of them are None.
        """
        values, at = [], 0
        for tensor in tensors:
            if tensor is None:  # is compiled in
                values.append(None)
            else:
                address = tensor.data_ptr()
                at |= address
                values.append(address)
        usual = not at % ALIGNMENT and max(numbers) < 2**31
        found = self.compiled.get(dtypes) if usual else None
        if found is None or knobs.runtime.launch_enter_hook.calls:  # a profiler's
            compiled = self.kernel[grid](*tensors, *numbers, **self.constants, **self.options)
            if usual and compiled is not None:  # the interpreter compiles nothing
                self.compiled[dtypes] = compiled
            return
        stream = driver.active.get_current_stream(tensors[0].get_device())
        found.run(
            *grid, stream, found.function, found.packed_metadata, None, None, None,
            *values, *numbers, *self.constants.values(),
        )  # fmt: skip
