"""The two counts that a claim on the chain rests on, taken from the kernels' own ledgers."""

from dataclasses import dataclass
from functools import cache

from kernels.traffic import Chain, Direction, tensor_transfers

# Any shape will do: only whole tensors are counted, and those are the same in number for each.
_SHAPE = Chain(rows=4096, features=1024)
_WITHOUT_RESIDUAL = frozenset({"residual"})


@dataclass(frozen=True, slots=True)
class Count:
    """Whole tensors that the separate kernels and the one pass move."""

    what: str
    separate: int
    fused: int

    @property
    def ratio(self) -> float:
        """How many times fewer the one pass moves."""
        return self.separate / self.fused


def predictions() -> dict[str, Count]:
    """What the counts predict: forward without and with the residual, backward, both ways."""
    left_out, forward, backward = chain_counts()
    both = _count("both ways", "both")
    return {"left_out": left_out, "forward": forward, "backward": backward, "both": both}


@cache
def without_residual(direction: Direction) -> Count:
    """The count that leaves the residual out, as it is most often told."""
    return _count(f"{direction}, the residual left out", direction, _WITHOUT_RESIDUAL)


@cache
def chain_counts() -> tuple[Count, ...]:
    """Forward without and with the residual, then backward."""
    return (
        without_residual("forward"),
        _count("forward, the residual counted", "forward"),
        _count("backward", "backward"),
    )


def _count(what: str, direction: Direction, without: frozenset[str] = frozenset()) -> Count:
    return Count(
        what,
        tensor_transfers(_SHAPE, "separate", direction, without),
        tensor_transfers(_SHAPE, "fused", direction, without),
    )
