"""How one's guesses stand against what was measured, over all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

NEAR = 1.05
"""A median this close to 1, either way, is no lean."""

MOST = 2 / 3
"""So many of the guesses have to lie on one side of what was measured to lean that way."""


@dataclass(frozen=True, slots=True)
class Held:
    """One guessed range against one measurement with its interval, all in the same unit."""

    low: float
    high: float
    measured: float
    measured_low: float
    measured_high: float

    @property
    def inside(self) -> bool:
        """Whether the range and the measurement's interval meet."""
        return self.low <= self.measured_high and self.measured_low <= self.high

    @property
    def ratio(self) -> float | None:
        """The range's geometric middle over the measurement: 2 is twice too high.

        None where the two can't be told as a ratio: one of the numbers is not above 0, or the
        measurement is not known to be.
        """
        if min(self.low, self.high, self.measured, self.measured_low) <= 0:
            return None
        return sqrt(self.low) * sqrt(self.high) / self.measured

    @property
    def apart(self) -> float:
        """How far the range's middle lies above the measurement, in the unit of both."""
        return (self.low + self.high) / 2 - self.measured


@dataclass(frozen=True, slots=True)
class Calibration:
    """What many guesses say of the one who made them.

    `ratio` is the median of those that have one, None of none; `alike` is how many of those, of
    1, lie on the same side of what was measured as it does.
    """

    guesses: int
    inside: int
    ratio: float | None
    alike: float = 0.0

    @property
    def lean(self) -> str:
        """Which way the guesses lean: `high`, `low`, or neither (empty)."""
        if self.ratio is None or 1 / NEAR <= self.ratio <= NEAR or self.alike < MOST:
            return ""
        return "high" if self.ratio > 1 else "low"

    @property
    def factor(self) -> float:
        """How many times too high or low, as a number of 1 or more; 1 where nothing is known."""
        ratio = self.ratio or 1.0
        return max(ratio, 1 / ratio)


def calibration(held: Sequence[Held]) -> Calibration:
    """All guesses taken together, whatever their order."""
    ratios = [one.ratio for one in held]
    told = [ratio for ratio in ratios if ratio is not None]
    middle = median(told) if told else 1.0
    alike = sum((ratio - 1) * (middle - 1) > 0 for ratio in told) / max(1, len(told))
    inside = sum(one.inside for one in held)
    return Calibration(len(held), inside, middle if told else None, alike)
