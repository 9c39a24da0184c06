"""What is counted of the chain: a shape, the passes over memory, the tensors carried in each.

Standard library only: the pages show these counts without PyTorch.
"""

from dataclasses import dataclass
from typing import Literal

Direction = Literal["forward", "backward", "both"]

ITEMSIZE = {"fp32": 4, "bf16": 2, "fp16": 2}
LONG_ROW = 131_072
"""Features past which no team shares a row: the backward of fused and separate takes two passes.

Sooner on a device without room for a team (`Chain.twice`). From 8193 on several programs
share a row. What they tell each other is not counted: it stays in L2, 8 bytes a program and
row, 1 % of a row's bytes or less.
"""

PROGRAMS = 264
"""Programs of the backward that write partial sums, where the caller does not know better."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One tensor carried between device memory and the chip."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Stage:
    """One pass over memory: a kernel, what it reads and what it writes."""

    name: str
    reads: tuple[Transfer, ...]
    writes: tuple[Transfer, ...]

    @property
    def bytes(self) -> int:
        """All that the stage moves."""
        return sum(transfer.bytes for transfer in self.reads + self.writes)


@dataclass(frozen=True, slots=True)
class Chain:
    """What is counted: a shape, a dtype ("fp32", "bf16", "fp16"), a norm and an activation.

    `saves`: the forward keeps each row's statistics for a backward. `twice`: the backward of
    fused and separate reads its rows twice; None where nobody asked the device, and rows
    past LONG_ROW are taken for such.
    """

    rows: int
    features: int
    dtype: str = "bf16"
    norm: str = "layer"
    activation: str = "gelu"
    affine: bool = True
    programs: int = PROGRAMS
    saves: bool = True
    twice: bool | None = None

    @property
    def elements(self) -> int:
        """Numbers in one tensor."""
        return self.rows * self.features

    @property
    def tensor_bytes(self) -> int:
        """B: the bytes of one tensor."""
        return self.elements * ITEMSIZE[self.dtype]

    @property
    def in_two_passes(self) -> bool:
        """Whether the backward of fused and separate reads its rows twice."""
        return self.features > LONG_ROW if self.twice is None else self.twice
