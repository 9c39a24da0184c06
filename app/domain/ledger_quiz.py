"""The chain's ledger with blanks: how many whole tensors each kernel reads and writes.

What is true is counted from the kernels' own ledger; ledger_reasons.py says why each kernel moves
what it moves, ledger_check.py holds against it what a learner filled in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.domain.ledger_reasons import WHY
from kernels.traffic import Chain, Stage, Transfer, ledger

Direction = Literal["forward", "backward"]
Blanks = Literal["some", "all"]

# Any shape will do: only whole tensors are counted. Weights, bias and their gradients are small.
_CHAIN = Chain(rows=4096, features=1024, affine=False)
_TITLES = {"separate": "Separate kernels", "fused": "One pass"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the ledger; `names` are the tensors that it counts, where it counts any."""

    id: str
    where: str
    what: str
    truth: float
    given: bool
    names: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One kernel of an account."""

    stage: str
    reads: Cell
    writes: Cell


@dataclass(frozen=True, slots=True)
class Account:
    """One way to run the chain, and its total."""

    title: str
    lines: tuple[Line, ...]
    total: Cell


@dataclass(frozen=True, slots=True)
class Quiz:
    """Both accounts, and how many times fewer bytes the one pass moves."""

    direction: Direction
    accounts: tuple[Account, ...]
    ratio: Cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in the order of the page."""
        return (*(cell for account in self.accounts for cell in _cells(account)), self.ratio)

    @property
    def blanks(self) -> tuple[Cell, ...]:
        """The cells to be filled in."""
        return tuple(cell for cell in self.cells if not cell.given)


def quiz(direction: Direction, blanks: Blanks = "some") -> Quiz:
    """The ledger of a direction; with some of its cells given, or with all of them blank."""
    accounts = tuple(_account(variant, direction, blanks) for variant in _TITLES)
    separate, fused = (account.total.truth for account in accounts)
    counted = ", the residual counted" if direction == "forward" else ""
    why = f"{separate:g} B ÷ {fused:g} B{counted}."
    ratio = Cell("ratio", "Separate ÷ one pass", "ratio", separate / fused, False, (), why)
    return Quiz(direction, accounts, ratio)


def _account(variant: str, direction: Direction, blanks: Blanks) -> Account:
    stages = ledger(_CHAIN, variant, direction)
    lines = tuple(
        Line(
            stage.name,
            _cell(variant, nth, stage, "reads", given=nth == 0 and _is_given(variant, blanks)),
            _cell(variant, nth, stage, "writes", given=nth % 2 == 0 and _is_given(variant, blanks)),
        )
        for nth, stage in enumerate(stages)
    )
    total = sum(line.reads.truth + line.writes.truth for line in lines)
    why = f"Reads and writes of {'both' if len(lines) == 2 else 'all'} kernels, each by itself."
    if len(lines) == 1:
        why = "Its reads and its writes."
    return Account(
        _TITLES[variant],
        lines,
        Cell(f"{variant}.total", _TITLES[variant], "total", total, False, (), why),
    )


def _is_given(variant: str, blanks: Blanks) -> bool:
    return variant == "separate" and blanks == "some"


def _cell(variant: str, nth: int, stage: Stage, what: str, *, given: bool) -> Cell:
    moved: tuple[Transfer, ...] = getattr(stage, what)
    names = tuple(t.name for t in moved if t.bytes == _CHAIN.tensor_bytes)
    return Cell(
        f"{variant}.{nth}.{what}", stage.name, what, len(names), given, names, WHY[stage.name, what]
    )


def _cells(account: Account) -> Iterator[Cell]:
    for line in account.lines:
        yield line.reads
        yield line.writes
    yield account.total
