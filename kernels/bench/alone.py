"""QuACK's norms alone beside our whole chain, where QuACK is installed.

So a reader sees what the norm alone costs a model that activates and adds by other
kernels. A norm's share of the limit is for the bytes that it moves itself: "2B" is
x read and y written, where the chain moves 3B. Neither side counts what is as long as
a row or a column: statistics, weights and their gradients.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec

from kernels.bench.cases import SHAPES
from kernels.bench.protocol import Request
from kernels.bench.workers import Worker, succeeds

MISSING = "# QuACK's norms alone: not measured; `pip install quack-kernels` adds them here."
CHAIN_MOVES = 3


@dataclass(frozen=True, slots=True)
class Norm:
    """One of QuACK's norms, one way; `moves` tensors of x's size; `norm` is our chain's word."""

    name: str
    norm: str
    direction: str
    moves: int
    results: tuple[str, ...]


NORMS = (
    Norm("LayerNorm", "layer", "forward", 2, ("y",)),
    Norm("LayerNorm", "layer", "backward", 3, ("dx", "dweight", "dbias")),
    Norm("RMSNorm(x + residual)", "rms", "forward", 4, ("y", "sum")),  # writes the sum too
    Norm("RMSNorm", "rms", "backward", 3, ("dx", "dweight")),
)


@dataclass(frozen=True, slots=True)
class Alone:
    """Median microseconds of "quack", of "fused" (our chain) and of "add" (the limit).

    A variant without a time failed, or came to a wrong result.
    """

    norm: Norm
    request: Request
    us: dict[str, float]

    def share(self, variant: str) -> float:
        """The variant's bytes over its time, as a part of the limit's rate; add moves 3B."""
        moves = self.norm.moves if variant == "quack" else CHAIN_MOVES
        return moves / 3 * self.us["add"] / self.us[variant]


def cases(shape: Request) -> list[tuple[Norm, Request]]:
    """Each norm in both dtypes, and the chain that runs beside it."""
    return [
        (norm, replace(shape, dtype=dtype, norm=norm.norm, direction=norm.direction))
        for dtype in ("bf16", "fp32")
        for norm in NORMS
    ]


def workers() -> list[Worker]:
    """A process for each shape, which QuACK's failures stay in; none where it is missing."""
    if find_spec("quack") is None:
        return []
    from kernels.bench.alone_race import work

    shapes = [Request(rows, features, direction="both") for rows, features in SHAPES]
    return [Worker(shape, cases(shape), work) for shape in shapes]


def section(ready: Sequence[Worker]) -> None:
    """Print a line for each norm, dtype and shape of these workers."""
    if find_spec("quack") is None:
        print(MISSING, flush=True)
        return
    print(f"# QuACK's norms alone, beside norm → activation → + residual by ours\n{HEAD}")
    for worker in ready:
        succeeds(partial(_measure, worker), [])


def _measure(worker: Worker) -> None:
    for found in worker.measure(cases(worker.shape)):
        print(line(found), flush=True)


def line(found: Alone) -> str:
    """A case's line in the section."""
    r = found.request
    name = f"{r.rows}×{r.features} {r.dtype} {found.norm.name} {r.direction}"
    return f"{name:<48}{_cells(found, 'quack', found.norm.moves)}{_cells(found, 'fused', 3)}"


def _cells(found: Alone, variant: str, moves: int) -> str:
    if variant not in found.us:
        return f"{'not measured':>24}"
    return f"{moves:>6}B{found.us[variant]:9.1f}{found.share(variant):8.3f}"


HEAD = f"{'case':<48}" + "".join(f"{name:>7}{'µs':>9}{'share':>8}" for name in ("QuACK", "ours"))
