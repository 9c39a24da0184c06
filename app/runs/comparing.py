"""Two runs of one experiment, case by case: what differs between them, and which was faster.

A verdict comes from the samples of both, by a bootstrap interval of the ratio of
their medians, and never from the medians alone. Runs that did other work (another
shape, another number format) have no case to compare, whatever their cases are called.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from statistics import median
from typing import Any, cast

from app.runs.canonical import canonical
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import NO_DIFFERENCE, ratio_interval

Facts = Mapping[str, Any]
Place = tuple[str, bytes]

SAME_WORK = frozenset({"mode", "device"})
"""Parameters that set how long and where it is measured, not what is done."""

SHAPE = ("rows", "features")
FEWEST = 5
"""Samples below which a resampling of them says nothing of their spread."""


class Verdict(StrEnum):
    """What can be said of this run's case against the other's."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in both runs; `apart` where it means that the work is not.

    `name` is a parameter's, a version's or a fact's own; a value is None where a run lacks it.
    """

    kind: str  # "parameter", "device", "version", "clock", "method"
    name: str
    this: Any
    other: Any
    apart: bool = False


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
    differences = tuple(_differences(this, other))
    if any(one.apart for one in differences):
        return Comparison(differences, (), 0)
    mine, theirs = _by_place(this.cases), _by_place(other.cases)
    pairs = [_pair(mine[place], theirs[place]) for place in mine if place in theirs]
    in_all = {_place(case) for case in (*this.cases, *other.cases)}
    return Comparison(differences, tuple(pairs), len(in_all) - len(pairs))


def same_work(this: Facts, other: Facts) -> bool:
    """Whether runs of these parameters do the same work, wherever and however long."""
    names = {**this, **other}.keys() - SAME_WORK
    return all(this.get(name) == other.get(name) for name in names)


def _differences(this: Evidence, other: Evidence) -> Iterable[Difference]:
    kinds = this.device["kind"], other.device["kind"]
    if kinds[0] != kinds[1]:
        yield Difference("device", "kind", *kinds, apart=True)
    named = this.parameters.get("preset") != other.parameters.get("preset")
    for one in _unlike("parameter", this.parameters, other.parameters):
        if one.name != "device" and not (named and one.name in SHAPE):
            yield replace(one, apart=one.name not in SAME_WORK)
    for kind, facts in _FACTS.items():
        yield from _unlike(kind, facts(this), facts(other))


def _unlike(kind: str, this: Facts, other: Facts) -> Iterable[Difference]:
    for name in {**this, **other}:
        if this.get(name) != other.get(name):
            yield Difference(kind, name, this.get(name), other.get(name))


def _device(run: Evidence) -> Facts:
    """What names the device; its id tells it from another of the same name."""
    return {name: run.device.get(name) for name in ("name", "id", "driver", "cuda", "threads")}


def _versions(run: Evidence) -> Facts:
    return _facts(run.device, "versions")


def _clocks(run: Evidence) -> Facts:
    """The clocks that the device ran at when its run began, where they could be read."""
    before = _facts(_facts(run.summary, "state"), "before")
    return {name: before.get(name) for name in ("sm_mhz", "memory_mhz")}


def _method(run: Evidence) -> Facts:
    return _facts(run.summary, "method")


_FACTS: dict[str, Callable[[Evidence], Facts]] = {
    "device": _device,
    "version": _versions,
    "clock": _clocks,
    "method": _method,
}


def _facts(event: Facts, name: str) -> Facts:
    """The facts under this name; none where there are none."""
    found = event.get(name)
    return cast(Facts, found) if isinstance(found, Mapping) else {}


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
    return Pair(this, other, *_interval(this.samples_us, other.samples_us))


def _interval(this: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """The interval of median(other) / median(this), drawn in one order whichever run is looked at.

    So the page of the one run never calls equal what the other's page calls faster.
    """
    if list(this) <= list(other):
        return ratio_interval(other, this)
    low, high = ratio_interval(this, other)
    return 1 / high, 1 / low
