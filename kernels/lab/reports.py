"""A broken benchmark's results beside those of its honest twin."""

from dataclasses import dataclass

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import interval
from kernels.lab.sins import SINS, Sin

WRONG = 1.05
"""A reported speed-up is wrong where it is surely more than this factor off the honest one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken benchmark beside its honest twin.

    `off` = reported ÷ honest speed-up, [low, high] its 95 % bootstrap interval.
    """

    name: str
    separate: Case
    fused: Case
    honest: float
    honest_fused: Case
    off: float
    low: float
    high: float

    @property
    def sin(self) -> Sin:
        """What it did."""
        return SINS[self.name]

    @property
    def reported(self) -> float:
        """The speed-up that whoever made this benchmark would report."""
        return self.separate.median_us / self.fused.median_us

    @property
    def wrong(self) -> bool | None:
        """Whether the report is off; None where this run cannot tell."""
        if self.low > WRONG or self.high < 1 / WRONG:
            return True
        return False if self.low >= 1 / WRONG and self.high <= WRONG else None


def pair(evidence: Evidence, run: str) -> tuple[Case, Case]:
    """(separate, fused) of one benchmark; Incomplete where either is not there."""
    return evidence.case("separate", run=run), evidence.case("fused", run=run)


def finding_of(evidence: Evidence, name: str) -> Finding:
    """The mistake of this name and its honest twin, from the four cases' samples."""
    broken, twin = pair(evidence, name), pair(evidence, SINS[name].twin)
    low, high = interval(_off, *(case.samples_us for case in (*broken, *twin)))
    off = _off(*(case.median_us for case in (*broken, *twin)))
    return Finding(name, *broken, twin[0].median_us / twin[1].median_us, twin[1], off, low, high)


def _off(separate: float, fused: float, honest_separate: float, honest_fused: float) -> float:
    return (separate / fused) / (honest_separate / honest_fused)


def time(case: Case) -> str:
    """The median as shown."""
    microseconds = case.median_us
    return f"{microseconds:,.1f} µs" if microseconds < 1e4 else f"{microseconds / 1e3:,.0f} ms"


def rate(case: Case) -> str:
    """Bytes a second as shown, by the bytes that the benchmark believes are moved."""
    return f"{case.gb_per_s:,.0f} GB/s" if case.gb_per_s >= 10 else f"{case.gb_per_s:.1f} GB/s"
