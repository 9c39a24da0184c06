"""What the picture of an expectation shows: guess, theory and measurement, each with its words."""

from dataclasses import dataclass, replace

from app.web.charts.numbers import digits, joined
from app.web.charts.scales import drawable
from kernels.lab.conclusion import Answer


@dataclass(frozen=True, slots=True)
class Row:
    """One of the numbers: its name, the stretch or spot it takes, as what it is drawn."""

    name: str
    kind: str
    at: float
    low: float
    high: float
    outer: tuple[float, float] | None = None  # p10 and p90 of the rounds, where there are any

    @property
    def values(self) -> tuple[float, ...]:
        """All that has a place on the axis."""
        return (self.low, self.at, self.high, *(self.outer or ()))

    def said(self, unit: str) -> str:
        """The number in words; an interval behind a measurement, a range where that is all."""
        tell = _as_said if self.kind == "guess" else _to_a_digit if unit == "%" else digits
        low, at, high = (tell(value).replace("-", "−") for value in (self.low, self.at, self.high))
        if low == high:
            return joined(at, unit)
        both = _from_to(low, high, unit)
        return both if self.kind == "guess" else f"{joined(at, unit)} ({both})"

    def said_outer(self, unit: str) -> str:
        """p10 and p90 in words; empty without them."""
        if self.outer is None:
            return ""
        tell = _to_a_digit if unit == "%" else digits
        low, high = (tell(value).replace("-", "−") for value in self.outer)
        return joined(low, unit) if low == high else _from_to(low, high, unit)


def rows_of(answer: Answer, low: float | None, high: float | None, log: bool) -> list[Row]:
    """What there is to show, in the order in which it became known; [] without a measurement."""
    if not drawable(answer.measured, log):
        return []
    theory = f"Predicted by {answer.predicted_by}" if answer.predicted_by else "Predicted"
    found = (
        _row("You said", "guess", low, low, high, log),
        _row(theory, "theory", answer.predicted, None, None, log),
        _row("Measured", "measured", answer.measured, answer.low, answer.high, log),
    )
    *before, measured = [row for row in found if row]
    return [*before, replace(measured, outer=_outer(answer, log))]


def _row(
    name: str, kind: str, at: float | None, low: float | None, high: float | None, log: bool
) -> Row | None:
    if at is None or not drawable(at, log):
        return None
    ends = [end for end in (low, high) if end is not None and drawable(end, log)]
    return Row(name, kind, at, min(ends, default=at), max(ends, default=at))


def _outer(answer: Answer, log: bool) -> tuple[float, float] | None:
    low, high = answer.p10, answer.p90
    if low is None or high is None or not (drawable(low, log) and drawable(high, log)):
        return None
    return low, high


def _from_to(low: str, high: str, unit: str) -> str:
    return joined(f"{low} to {high}" if "−" in low else f"{low}–{high}", unit)


def _as_said(value: float) -> str:
    return f"{value:g}"


def _to_a_digit(value: float) -> str:
    return f"{value:z.1f}"
