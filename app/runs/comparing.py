"""Two runs of one experiment, case by case: what differs between them, and which was faster.

A verdict comes from the samples of both, by a bootstrap interval of the ratio of
their medians, and never from the medians alone. Runs that did other work (another
shape, another number format) have no case to compare, whatever their cases are called.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from statistics import median
from typing import Any

from app.runs.canonical import canonical
from app.runs.unlike import Difference, differences
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import NO_DIFFERENCE, ratio_interval

ROUNDING_US = 0.01
"""The step between printed samples: much, of a kernel that takes 2 µs."""

Place = tuple[str, bytes]

FEWEST = 5
"""Samples below which a resampling of them says nothing of their spread."""


class Verdict(StrEnum):
    """What can be said of this run's case against the other's."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Pair:
    """A case that both runs measured; [low, high] is the interval of its ratio."""

    this: Case
    other: Case
    low: float
    high: float

    @property
    def this_us(self) -> float:
        """The median of this run's samples, in µs."""
        return median(self.this.samples_us)

    @property
    def other_us(self) -> float:
        """The median of the other run's samples, in µs."""
        return median(self.other.samples_us)

    @property
    def ratio(self) -> float:
        """The other's median ÷ this one's: how many times faster this run was."""
        return self.other_us / self.this_us

    @property
    def same_bytes(self) -> bool:
        """Whether both runs counted the same bytes for it."""
        return self.this.facts.get("bytes") == self.other.facts.get("bytes")

    @property
    def verdict(self) -> Verdict:
        """Faster or slower only where the whole interval says so."""
        if self.low <= 1.0 <= self.high:
            return Verdict.NO_DIFFERENCE
        return Verdict.FASTER if self.low > 1.0 else Verdict.SLOWER


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that two runs say of each other; no pairs where their work is not the same."""

    differences: tuple[Difference, ...]
    pairs: tuple[Pair, ...]
    unpaired: int  # cases that only one run measured, or of which one kept too few samples

    @property
    def apart(self) -> tuple[Difference, ...]:
        """What makes their work another, so that no case can be compared."""
        return tuple(one for one in self.differences if one.apart)

    def count(self, verdict: Verdict) -> int:
        """How many pairs came out so."""
        return sum(pair.verdict is verdict for pair in self.pairs)


def compare(this: Evidence, other: Evidence) -> Comparison:
    """This run against the other, both of one experiment."""
    unlike = tuple(differences(this, other))
    if any(one.apart for one in unlike):
        return Comparison(unlike, (), 0)
    mine, theirs = _by_place(this.cases), _by_place(other.cases)
    pairs = [_pair(mine[place], theirs[place]) for place in mine if place in theirs]
    in_all = {_place(case) for case in (*this.cases, *other.cases)}
    return Comparison(unlike, tuple(pairs), len(in_all) - len(pairs))


def _by_place(cases: Iterable[Case]) -> dict[Place, Case]:
    """The cases with samples to go by; the first of each place."""
    found: dict[Place, Case] = {}
    for case in cases:
        found.setdefault(_place(case), case)
    return {place: case for place, case in found.items() if _sampled(case.samples_us)}


def _place(case: Case) -> Place:
    """A case's variant and where it stands in a sweep."""
    return case.variant, canonical(case.at)


def _sampled(samples: Sequence[Any]) -> bool:
    return len(samples) >= FEWEST and all(
        isinstance(one, int | float) and isfinite(one) and one > 0 for one in samples
    )


def _pair(this: Case, other: Case) -> Pair:
    low, high = _interval(this.samples_us, other.samples_us)
    unsure = 1 + ROUNDING_US / median(this.samples_us) + ROUNDING_US / median(other.samples_us)
    return Pair(this, other, low / unsure, high * unsure)


def _interval(this: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """The interval of median(other) / median(this), drawn in one order whichever run is looked at.

    So the page of the one run never calls equal what the other's page calls faster.
    """
    if list(this) <= list(other):
        return ratio_interval(other, this)
    low, high = ratio_interval(this, other)
    return 1 / high, 1 / low
