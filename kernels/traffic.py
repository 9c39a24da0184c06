"""Bytes that each way to run the chain moves, counted from its definition.

Standard library only: the pages show these counts without PyTorch. B stands for
one tensor of [rows, features]. Small things are counted too: weight and bias,
the 4-byte statistics of each row, the partial sums of the backward.
"""

from collections.abc import Collection

from kernels import passes
from kernels.transfers import ITEMSIZE, LONG_ROW, PROGRAMS, Chain, Direction, Stage, Transfer

__all__ = [
    "ITEMSIZE", "LONG_ROW", "PROGRAMS", "Chain", "Direction", "Stage", "Transfer", "card_speedup",
    "ledger", "predicted_speedup", "tensor_transfers", "total_bytes",
]  # fmt: skip


def ledger(chain: Chain, variant: str, direction: Direction) -> tuple[Stage, ...]:
    """The passes of a variant in order.

    Variants: "fused", "separate", "eager" (PyTorch's operators) and "compiled"
    (torch.compile, for which the least count is given: one pass each way).
    """
    if direction == "both":
        return ledger(chain, variant, "forward") + ledger(chain, variant, "backward")
    count = passes.forward if direction == "forward" else passes.backward
    return count(chain, variant)


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
