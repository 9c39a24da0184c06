"""Starting a compiled kernel with little Python in the way.

`kernel[grid](…)` works out at every call what Triton specialises on, for some 20
arguments: about 40 µs, more than a small chain takes on the GPU. Here a `Plan`
holds all that is fixed by shapes and dtypes, the kernel compiled for it is kept,
and is started directly, in the way of Triton's own tutorial on persistent kernels,
with addresses in the place of tensors, which Triton would look up one by one.
"""

from dataclasses import dataclass, field
from typing import Any

from triton import knobs
from triton.runtime import driver

ALIGNMENT = 16
"""Bytes: what Triton assumes of a pointer that was so aligned when it compiled."""


@dataclass(slots=True, eq=False)
class Plan:
    """A kernel with its constexpr arguments, in order, and its launch options.

    One program takes `rows` rows, a tile, at a time. No more than `programs` are started,
    where `each` is 0; else as many as take `each` tiles, and `programs` at the least. In
    the backward a program leaves `held` rows of partial sums; one of long rows works on
    one of `blocks` blocks of columns.
    """

    kernel: Any
    constants: dict[str, Any]
    options: dict[str, Any]
    rows: int = 1
    programs: int = 1
    held: int = 1
    each: int = 0
    blocks: int = 0
    compiled: dict[tuple, Any] = field(default_factory=dict)

    def grid(self, rows: int) -> tuple[int, int, int]:
        """The programs to start for this many rows."""
        tiles = -(-rows // self.rows)
        programs = max(self.programs, -(-tiles // self.each)) if self.each else self.programs
        return min(tiles, programs), max(1, self.blocks), 1

    def start(self, grid: tuple[int, int, int], arguments: tuple) -> None:
        """Launch on the current device, which must be that of the plan, and current stream.

        `arguments` are the kernel's leading parameters: tensors, None, floats, and
        integers ≥ 0 that it does not specialise on.
        """
        values, traits, at = [], [], 0
        for argument in arguments:
            kind = type(argument)
            if kind is int:
                traits.append(argument < 2**31)
            elif kind is float or argument is None:  # None is compiled in
                traits.append(kind)
            else:
                traits.append(argument.dtype)
                argument = argument.data_ptr()
                at |= argument
            values.append(argument)
        found = None if at % ALIGNMENT else self.compiled.get(tuple(traits))
        if found is None or knobs.runtime.launch_enter_hook.calls:  # a profiler's
            compiled = self.kernel[grid](*arguments, **self.constants, **self.options)
            if compiled is not None and not at % ALIGNMENT:  # the interpreter compiles nothing
                self.compiled[tuple(traits)] = compiled
            return
        stream = driver.active.get_current_stream(driver.active.get_current_device())
        found.run(
            *grid, stream, found.function, found.packed_metadata, None, None, None,
            *values, *self.constants.values(),
        )  # fmt: skip
