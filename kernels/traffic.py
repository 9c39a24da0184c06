"""Bytes that each way to run the chain moves, counted from its definition.

Standard library only: the pages show these counts without PyTorch. B stands for
one tensor of [rows, features]. Small things are counted too: weight and bias,
the 4-byte statistics of each row, the partial sums of the backward.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Direction = Literal["forward", "backward", "both"]

ITEMSIZE = {"fp32": 4, "bf16": 2, "fp16": 2}
LONG_ROW = 131_072
"""Features past which no team shares a row: the backward of fused and separate takes two passes.

Sooner on a device without room for a team (kernels/tiling.py). From 8193 on several
programs share a row. What they tell each other is not counted: it stays in L2, 8 bytes
a program and row, 1 % of a row's bytes or less.
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
    """What is counted: a shape, a dtype ("fp32", "bf16", "fp16"), a norm and an activation."""

    rows: int
    features: int
    dtype: str = "bf16"
    norm: str = "layer"
    activation: str = "gelu"
    affine: bool = True
    programs: int = PROGRAMS

    @property
    def elements(self) -> int:
        """Numbers in one tensor."""
        return self.rows * self.features

    @property
    def tensor_bytes(self) -> int:
        """B: the bytes of one tensor."""
        return self.elements * ITEMSIZE[self.dtype]


def ledger(chain: Chain, variant: str, direction: Direction) -> tuple[Stage, ...]:
    """The passes of a variant in order.

    Variants: "fused", "separate", "eager" (PyTorch's operators) and "compiled"
    (torch.compile, for which the least count is given: one pass each way).
    """
    if direction == "both":
        return ledger(chain, variant, "forward") + ledger(chain, variant, "backward")
    whole = variant in ("fused", "compiled")
    if direction == "forward":
        return _forward_in_one(chain) if whole else _forward_in_three(chain)
    if whole:
        return _backward_in_one(chain, variant)
    return _backward_eager(chain) if variant == "eager" else _backward_in_two(chain)


def total_bytes(chain: Chain, variant: str, direction: Direction) -> int:
    """Bytes that the variant moves: the sum of its ledger."""
    return sum(stage.bytes for stage in ledger(chain, variant, direction))


def tensor_transfers(
    chain: Chain, variant: str, direction: Direction, without: Collection[str] = ()
) -> int:
    """How many whole tensors the variant moves: 7 and 3 in the forward, `without` left out."""
    stages = ledger(chain, variant, direction)
    moved = [t for stage in stages for t in stage.reads + stage.writes]
    return sum(t.bytes == chain.tensor_bytes and t.name not in without for t in moved)


def predicted_speedup(chain: Chain, direction: Direction) -> float:
    """Bytes of the separate kernels over bytes of the fused one."""
    return total_bytes(chain, "separate", direction) / total_bytes(chain, "fused", direction)


def card_speedup(direction: Direction) -> float:
    """The count that leaves the residual out: 6 against 2 forward, 6 against 3 backward."""
    return {"forward": 6 / 2, "backward": 6 / 3, "both": 12 / 5}[direction]


def _tensors(chain: Chain, *names: str) -> tuple[Transfer, ...]:
    return tuple(Transfer(name, chain.tensor_bytes) for name in names)


def _vectors(chain: Chain) -> tuple[Transfer, ...]:
    if not chain.affine:
        return ()
    return (Transfer("weight, bias", 2 * chain.features * ITEMSIZE[chain.dtype]),)


def _statistics(chain: Chain) -> tuple[Transfer, ...]:
    a_row = 8 if chain.norm == "layer" else 4
    return (Transfer("mean, 1/std" if a_row == 8 else "1/rms", a_row * chain.rows),)


def _forward_in_one(chain: Chain) -> tuple[Stage, ...]:
    reads = _tensors(chain, "x", "residual") + _vectors(chain)
    writes = _tensors(chain, "y") + _statistics(chain)
    return (Stage("norm + activation + add", reads, writes),)


def _forward_in_three(chain: Chain) -> tuple[Stage, ...]:
    h, g = _tensors(chain, "h", "g")
    x, residual, y = _tensors(chain, "x", "residual", "y")
    return (
        Stage("norm", (x, *_vectors(chain)), (h, *_statistics(chain))),
        Stage("activation", (h,), (g,)),
        Stage("add", (g, residual), (y,)),
    )


def _sums(chain: Chain) -> tuple[tuple[Transfer, ...], tuple[Stage, ...]]:
    """What the backward writes for the weights' gradients, and the stage that adds it up."""
    if not chain.affine:
        return (), ()
    partial = Transfer("partial dweight, dbias", 8 * chain.programs * chain.features)
    done = Transfer("dweight, dbias", 2 * chain.features * ITEMSIZE[chain.dtype])
    return (partial,), (Stage("sum of partials", (partial,), (done,)),)


def _backward_in_one(chain: Chain, variant: str) -> tuple[Stage, ...]:
    if variant == "fused" and chain.features > LONG_ROW:
        return _backward_of_long_rows(chain, "dy")
    partial, summed = _sums(chain)
    reads = _tensors(chain, "dy", "x") + _statistics(chain) + _vectors(chain)
    return (Stage("whole backward", reads, _tensors(chain, "dx") + partial), *summed)


def _backward_in_two(chain: Chain) -> tuple[Stage, ...]:
    first = Stage("activation backward", _tensors(chain, "dy", "h"), _tensors(chain, "dh"))
    if chain.features > LONG_ROW:
        return (first, *_backward_of_long_rows(chain, "dh"))
    partial, summed = _sums(chain)
    reads = _tensors(chain, "dh", "x") + _statistics(chain) + _vectors(chain)
    return (first, Stage("norm backward", reads, _tensors(chain, "dx") + partial), *summed)


def _backward_of_long_rows(chain: Chain, gradient: str) -> tuple[Stage, ...]:
    """Two passes: each row's two means first, then a block of columns to a program."""
    partial, summed = _sums(chain)
    reads = _tensors(chain, gradient, "x") + _statistics(chain) + _vectors(chain)
    means = (Transfer("means of rows", 8 * chain.rows),)
    return (
        Stage("row means", reads, means),
        Stage("column blocks", reads + means, _tensors(chain, "dx") + partial),
        *summed,
    )


def _backward_eager(chain: Chain) -> tuple[Stage, ...]:
    reads = _tensors(chain, "dh", "x") + _statistics(chain)
    done = (Transfer("dweight, dbias", 2 * chain.features * ITEMSIZE[chain.dtype]),)
    stages = (
        Stage("activation backward", _tensors(chain, "dy", "h"), _tensors(chain, "dh")),
        Stage("norm backward", reads + _vectors(chain), _tensors(chain, "dx")),
    )
    return (*stages, Stage("weights' gradients", reads, done)) if chain.affine else stages
