"""A broken benchmark's results beside those of its honest twin."""

from collections.abc import Callable
from dataclasses import dataclass

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import interval
from kernels.lab.sins import SINS, Sin

WRONG = 1.05
"""A report is wrong where it is surely more than this factor off the honest one."""


@dataclass(frozen=True, slots=True)
class Off:
    """Reported ÷ honest, with its 95 % bootstrap interval."""

    factor: float
    low: float
    high: float

    @property
    def wrong(self) -> bool | None:
        """Whether it is off; None where this run cannot tell."""
        if self.low > WRONG or self.high < 1 / WRONG:
            return True
        return False if self.low >= 1 / WRONG and self.high <= WRONG else None

    @property
    def shown(self) -> str:
        """The factor in figures."""
        return f"{self.factor:.2f}" if self.factor >= 0.1 else f"{self.factor:.1g}"

    @property
    def words(self) -> str:
        """What is to be said of it."""
        if self.wrong is None:
            return "which this run cannot tell apart for sure"
        return f"{self.shown} times it" if self.wrong else "no difference that matters here"


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken benchmark beside its honest twin: separate and fused of each.

    `speedup` and `rate` say how far off its speed-up and its rate of one pass are.
    """

    name: str
    separate: Case
    fused: Case
    honest_separate: Case
    honest_fused: Case
    speedup: Off
    rate: Off

    @property
    def sin(self) -> Sin:
        """What it did."""
        return SINS[self.name]

    @property
    def reported(self) -> float:
        """The speed-up that whoever made this benchmark would report."""
        return self.separate.median_us / self.fused.median_us

    @property
    def honest(self) -> float:
        """The speed-up that its twin measures."""
        return self.honest_separate.median_us / self.honest_fused.median_us


def pair(evidence: Evidence, run: str) -> tuple[Case, Case]:
    """(separate, fused) of one benchmark; Incomplete where either is not there."""
    return evidence.case("separate", run=run), evidence.case("fused", run=run)


def finding_of(evidence: Evidence, name: str) -> Finding:
    """The mistake of this name and its honest twin, from the four cases' samples."""
    broken, twin = pair(evidence, name), pair(evidence, SINS[name].twin)
    bytes_by = broken[1].fact("bytes") / twin[1].fact("bytes")

    def rates(fused: float, honest_fused: float) -> float:
        return bytes_by * honest_fused / fused

    speedup, rate = _off(_ratios, *broken, *twin), _off(rates, broken[1], twin[1])
    return Finding(name, *broken, *twin, speedup, rate)


def _ratios(separate: float, fused: float, honest_separate: float, honest_fused: float) -> float:
    return (separate / fused) / (honest_separate / honest_fused)


def _off(of: Callable[..., float], *cases: Case) -> Off:
    factor = of(*(case.median_us for case in cases))
    return Off(factor, *interval(of, *(case.samples_us for case in cases)))


def time(case: Case) -> str:
    """The median as shown."""
    microseconds = case.median_us
    return f"{microseconds:,.1f} µs" if microseconds < 1e4 else f"{microseconds / 1e3:,.0f} ms"


def rate(case: Case) -> str:
    """Bytes a second as shown, by the bytes that the benchmark believes are moved."""
    return f"{case.gb_per_s:,.0f} GB/s" if case.gb_per_s >= 10 else f"{case.gb_per_s:.1f} GB/s"
