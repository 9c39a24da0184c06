"""What the fused kernels must reach, as data, and the judging of what was measured.

A share is the fused chain's 3B over its time, as a part of the rate of
torch.add(x, r, out=y) on the same tensors in the same rounds; the backward's time
holds the sum of dweight and dbias. Nothing here touches a GPU.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from kernels.bench.cases import BARS_OF_THEIR_OWN, DIRECTIONS, MODES
from kernels.bench.protocol import Request

BARS = {
    # features: (bf16 forward, bf16 backward)
    1280: (0.95, 0.88),
    1024: (0.96, 0.90),
    512: (0.96, 0.90),
    768: (0.95, 0.88),
    4096: (0.95, 0.85),
    8192: (0.93, 0.80),
    16_384: (0.80, 0.65),
    32_768: (0.80, 0.65),
}
FP32_BARS = (0.97, 0.90)
MEDIANS = {
    # (direction, against): the least median over a dtype's shapes
    ("forward", "compiled"): 1.2,
    ("both", "compiled"): 1.5,
    ("forward", "eager"): 3.0,
    ("both", "eager"): 2.5,
}
MOST_UNEVEN = 1.4
"""The largest over the smallest rate across shapes of one volume."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One figure beside its bar."""

    name: str
    value: float
    bar: float
    at_least: bool = True

    @property
    def reached(self) -> bool:
        """Whether the figure is on the right side of its bar, or on it."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        missed = "" if self.reached else "  missed"
        return f"{self.name:<58}{self.value:8.3f}  {sign} {self.bar:<5g}{missed}"


@dataclass(frozen=True, slots=True)
class Measured:
    """Median microseconds of every variant, "add" (the limit) among them, and fused's error."""

    request: Request
    us: dict[str, float]
    error: float | None = None

    @property
    def share(self) -> float:
        """The fused chain's share of the limit; "both" moves 6B against add's 3B."""
        passes = 2 if self.request.direction == "both" else 1
        return passes * self.us["add"] / self.us["fused"]

    def faster_than(self, variant: str) -> float | None:
        """How many times faster the fused chain is; None where it was not measured."""
        names = MODES if variant == "compiled" else (variant,)
        found = [self.us[name] for name in names if name in self.us]
        return min(found) / self.us["fused"] if found else None


def bar_of(request: Request) -> float:
    """The least share that the case must reach; fp16's are bf16's."""
    bars = BARS[request.features]
    if request.dtype == "fp32" and request.features <= BARS_OF_THEIR_OWN:  # past it, as bf16
        bars = FP32_BARS
    return bars[request.direction == "backward"]


def case_name(request: Request) -> str:
    """The case in a few words; what is usual goes without saying."""
    r = request
    unusual = [word for word in (r.norm, r.activation) if word not in ("layer", "gelu")]
    return " ".join((f"{r.rows}×{r.features}", r.dtype, r.direction, *unusual))


def share_verdicts(measured: Iterable[Measured]) -> list[Verdict]:
    """The share of each case that goes one way, against its bar."""
    return [
        Verdict(case_name(m.request), m.share, bar_of(m.request))
        for m in measured
        if m.request.direction in DIRECTIONS
    ]


def peer_verdicts(measured: Sequence[Measured]) -> list[Verdict]:
    """Medians against compiled and eager, a dtype at a time, and the forward's worst case."""
    verdicts = []
    for dtype in dict.fromkeys(m.request.dtype for m in measured):
        for (direction, against), bar in MEDIANS.items():
            ratios = _ratios(measured, dtype, direction, against)
            if ratios:
                name = f"{dtype} {direction}: times {against}'s speed, median"
                verdicts.append(Verdict(name, median(ratios), bar))
        slowest = _ratios(measured, dtype, "forward", "compiled")
        if slowest:
            name = f"{dtype} forward: times compiled's speed, least"
            verdicts.append(Verdict(name, min(slowest), 1.0))
    return verdicts


def _ratios(measured: Sequence[Measured], dtype: str, direction: str, against: str) -> list[float]:
    kind = (dtype, direction)
    of_kind = (m for m in measured if (m.request.dtype, m.request.direction) == kind)
    ratios = (m.faster_than(against) for m in of_kind)
    return [ratio for ratio in ratios if ratio is not None]


def evenness_verdicts(measured: Sequence[Measured]) -> list[Verdict]:
    """The largest over the smallest rate of shapes of one volume, per dtype and direction."""
    verdicts = []
    for kind in dict.fromkeys((m.request.dtype, m.request.direction) for m in measured):
        of_kind = [m for m in measured if (m.request.dtype, m.request.direction) == kind]
        rates = {m.request.features: _elements_a_us(m) for m in of_kind}
        slow = min(rates, key=rates.__getitem__)
        name = f"{' '.join(kind)}: largest over smallest rate, slowest at {slow} features"
        verdicts.append(Verdict(name, max(rates.values()) / rates[slow], MOST_UNEVEN, False))
    return verdicts


def _elements_a_us(measured: Measured) -> float:
    return measured.request.rows * measured.request.features / measured.us["fused"]
