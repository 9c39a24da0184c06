"""What was filled into the ledger's blanks, held against what the kernels move."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.ledger_quiz import Account, Cell, Quiz

MOST = 99
SLACK = 0.04
"""How far off a ratio may be: 2.3 is said as often as 2.33."""

_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_RATIO = re.compile(r"(\d{1,9}(?:[.,]\d{0,9})?)(?:\s*[/÷:]\s*(\d{1,9}(?:[.,]\d{0,9})?))?", re.ASCII)

_ADDS_UP = (
    "{:g} B is what your cells add up to; with the kernels counted as they are, it is {:g} B."
)


class State(StrEnum):
    """How a blank stands."""

    HOLDS = "holds"
    MISCOUNTED = "miscounted"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One blank as it was filled in, and what there is to say of it: nothing where it holds."""

    cell: Cell
    typed: str
    state: State
    told: str = ""


def check(quiz: Quiz, typed: Mapping[str, str]) -> tuple[Verdict, ...]:
    """A verdict on each blank, in the ledger's order; what is not in `typed` was left empty."""
    own = {cell.id: _whole(typed.get(cell.id, "").strip()) for cell in quiz.blanks}
    sums = {account.total.id: _sum(account, own) for account in quiz.accounts}
    return tuple(_verdict(quiz, cell, typed.get(cell.id, "").strip(), sums) for cell in quiz.blanks)


def sentence(verdicts: Sequence[Verdict]) -> str:
    """What came of it, in the sentence that the page begins with."""
    wrong = [v for v in verdicts if v.state in (State.MISCOUNTED, State.UNREADABLE)]
    empty = sum(v.state is State.EMPTY for v in verdicts)
    if empty == len(verdicts):
        return "Nothing is filled in yet."
    if not wrong and not empty:
        return "The whole ledger holds."
    left = f"{empty} blank{'s' if empty > 1 else ''} still to fill" if empty else ""
    if not wrong:
        return f"What you filled in holds; {left}."
    places = list(dict.fromkeys(_place(verdict.cell) for verdict in wrong))
    looked = f"Look again at {_listed(places)}"
    return f"{looked}; {left}." if left else f"{looked}; the rest holds."


def _sum(account: Account, own: Mapping[str, int | None]) -> float:
    """What an account's cells add up to as they stand: given, or filled in."""
    cells = [cell for line in account.lines for cell in (line.reads, line.writes)]
    return sum(cell.truth if cell.given else own[cell.id] or 0 for cell in cells)


def _verdict(quiz: Quiz, cell: Cell, typed: str, sums: Mapping[str, float]) -> Verdict:
    if not typed:
        return Verdict(cell, typed, State.EMPTY)
    value = _ratio(typed) if cell.what == "ratio" else _whole(typed)
    if value is None:
        return Verdict(cell, typed, State.UNREADABLE, _readable(cell))
    slack = SLACK if cell.what == "ratio" else 0
    if abs(value - cell.truth) <= slack:
        return Verdict(cell, typed, State.HOLDS)
    if sums.get(cell.id) == value:
        return Verdict(cell, typed, State.MISCOUNTED, _ADDS_UP.format(value, cell.truth))
    return Verdict(cell, typed, State.MISCOUNTED, _told(quiz, cell, value))


def _whole(typed: str) -> int | None:
    number = typed.removesuffix("B").rstrip()
    if not _WHOLE.fullmatch(number) or int(number) > MOST:
        return None
    return int(number)


def _ratio(typed: str) -> float | None:
    """2.33, 2,33×, 7/3 or 7 : 3."""
    found = _RATIO.fullmatch(typed.rstrip("xX× "))
    if not found:
        return None
    above, below = (float((part or "1").replace(",", ".")) for part in found.groups())
    return above / below if below else None


def _readable(cell: Cell) -> str:
    if cell.what == "ratio":
        return "Say the ratio as a number such as 2.5, or as 5/2."
    return f"Say how many whole tensors as a number from 0 to {MOST}."


def _told(quiz: Quiz, cell: Cell, value: float) -> str:
    """What was said, what is so, and why."""
    if cell.what == "ratio":
        said, right = f"{value:.3g}×", f"it is {cell.truth:.3g}×"
    else:
        verb = {"reads": "it reads", "writes": "it writes", "total": "it moves"}[cell.what]
        named = f": {_listed(cell.names)}" if cell.names else ""
        said, right = f"{value:g} B", f"{verb} {cell.truth:g} B{named}"
    why = _without_residual(quiz, cell, value) or cell.why
    return f"You said {said}; {right}. {why}"


def _without_residual(quiz: Quiz, cell: Cell, value: float) -> str:
    """The slip that is made most: the count in which nobody reads the residual."""
    left_out = [
        account.total.truth - any("residual" in line.reads.names for line in account.lines)
        for account in quiz.accounts
    ]
    totals = {a.total.id: n for a, n in zip(quiz.accounts, left_out, strict=True)}
    totals["ratio"] = left_out[0] / left_out[1]
    if quiz.direction == "backward" or abs(totals.get(cell.id, -1) - value) > SLACK:
        return ""
    return "That is the count that leaves the residual out; reading it is a trip like any other."


def _place(cell: Cell) -> str:
    if cell.what == "ratio":
        return "the ratio"
    if cell.what == "total":
        return f"the total of {cell.where.lower()}"
    return f"what {cell.where} {cell.what}"


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
