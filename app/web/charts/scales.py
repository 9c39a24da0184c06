"""Scales: where a value stands between the two ends of an axis, and which ticks it has.

Ticks are exact decimals, so that no label shows what a binary fraction adds to 0.3.
The first and the last tick are the ends of the axis: the ticks always hold all the data.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import count

MOST = 7
LEAST_DRAWN, MOST_DRAWN = 1e-290, 1e290
"""Magnitudes beyond these are not drawn: their ticks would be no floats."""

_SLACK = Decimal("1e-9")
_MANTISSAS = ((1, 2, 5), (1, 3), (1,))

Step = Callable[[int], Decimal]


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from its first tick to its last."""

    ticks: tuple[Decimal, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where the value stands, from 0 to 1; what lies beyond an end stands at it."""
        if self.log and value <= 0:
            return 0.0
        return min(1.0, max(0.0, self.place(value)))

    def place(self, value: float) -> float:
        """Where the value would stand were there no ends: below 0, above 1. Not 0 on a log axis."""
        low, high = float(self.ticks[0]), float(self.ticks[-1])
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return (value - low) / (high - low)


def drawable(value: float | None, log: bool = False) -> bool:
    """Whether an axis can hold this value."""
    if value is None or not math.isfinite(value) or abs(value) > MOST_DRAWN:
        return False
    return value > LEAST_DRAWN if log else True


def linear(
    values: Iterable[float], most: int = MOST, zero: bool = True, whole: bool = False
) -> Scale:
    """Evenly spaced ticks of 1, 2 or 5 times a power of ten, from zero unless told otherwise."""
    low, high = _ends(values)
    if zero or high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < LEAST_DRAWN:
        low, high = 0.0, 1.0
    start = math.floor(math.log10((high - low) / most))
    for power in count(max(start, 0) if whole else start):
        for mantissa in (1, 2, 5):
            step = Decimal(mantissa).scaleb(power)
            first, last = _floor(Decimal(low) / step), _ceiling(Decimal(high) / step)
            if last - first < most:
                return Scale(tuple(step * i for i in range(first, last + 1)))
    raise AssertionError("unreachable: each step is wider than the one before")


def logarithmic(values: Iterable[float], most: int = MOST) -> Scale:
    """Ticks at 1, 2, 5, at 1, 3, at each power of ten or at every nth: the first that are few."""
    low, high = _ends(values)
    for mantissas in _MANTISSAS:
        ticks = _covering(_series(mantissas), low, high, len(mantissas))
        if len(ticks) <= most:
            return Scale(ticks, log=True)
    start = math.floor(math.log10(low))
    for decades in count(2):
        ticks = _covering(_every(decades, start), low, high, 1 / decades)
        if len(ticks) <= most:
            return Scale(ticks, log=True)
    raise AssertionError("unreachable: two ticks hold any span")


def binary(values: Sequence[float], most: int = MOST) -> Scale | None:
    """Ticks at powers of two, where three or more values are nothing else; None where not."""
    exponents = [math.log2(v) if v > 0 else 0.5 for v in set(values)]
    if len(exponents) < 3 or any(e != int(e) for e in exponents):
        return None
    low, high = int(min(exponents)), int(max(exponents))
    steps = range(1, high - low + 1)
    fitting = [step for step in steps if -(-(high - low) // step) < most]
    even = [step for step in fitting if (high - low) % step == 0 and (high - low) // step > 1]
    step = (even or fitting)[0]
    last = low - (-(high - low) // step) * step
    return Scale(tuple(Decimal(2) ** e for e in range(low, last + 1, step)), log=True)


def _ends(values: Iterable[float]) -> tuple[float, float]:
    found = list(values)
    return min(found), max(found)


def _series(mantissas: tuple[int, ...]) -> Step:
    def tick(index: int) -> Decimal:
        power, which = divmod(index, len(mantissas))
        return Decimal(mantissas[which]).scaleb(power)

    return tick


def _every(decades: int, start: int) -> Step:
    """Every nth power of ten; `start` is the exponent of one of them."""
    return lambda index: Decimal(1).scaleb(index * decades + start % decades)


def _covering(tick: Step, low: float, high: float, a_decade: float) -> tuple[Decimal, ...]:
    """All ticks from the last that is no more than `low` to the first that is no less than `high`.

    `a_decade`: how many there are in a decade. There are at least two.
    """
    bottom = Decimal(low) * (1 + _SLACK)
    top = Decimal(high) * (1 - _SLACK)
    first = math.floor(math.log10(low) * a_decade) + 1
    while tick(first) > bottom:
        first -= 1
    last = first
    while tick(last) < top:
        last += 1
    if first == last:
        first, last = first - 1, last + 1
    return tuple(tick(index) for index in range(first, last + 1))


def _floor(number: Decimal) -> int:
    return int((number + _SLACK).to_integral_value(ROUND_FLOOR))


def _ceiling(number: Decimal) -> int:
    return int((number - _SLACK).to_integral_value(ROUND_CEILING))
