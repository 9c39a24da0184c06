"""The flops experiment's ratios, picture and table."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent, ratio_interval, us
from kernels.lab.pictures import Bar, Bars, Mark, Table

DIRECTIONS = ("forward", "backward")
NAMES = {
    "separate": "Separate kernels",
    "eager": "PyTorch, eager",
    "compiled": "torch.compile (default mode)",
    "fused": "One pass",
}

SOURCES = ("flops_profiled", "flops_executed", "flops")


class Pair:
    """The fused kernel against the separate ones in one direction; every ratio is fused ÷ separate.

    `flops` is as a profiler counted them, else by the machine code, else by the formulas.
    """

    def __init__(self, evidence: Evidence, direction: str) -> None:
        self.direction = direction
        self.separate = evidence.case("separate", direction=direction)
        self.fused = evidence.case("fused", direction=direction)
        self.interval = ratio_interval(self.separate.samples_us, self.fused.samples_us)
        self.flops = self._ratio(next(filter(self.has, SOURCES), "flops"))
        self.bytes = self._ratio("bytes")
        self.time = self.fused.median_us / self.separate.median_us

    def has(self, fact: str) -> bool:
        """Whether this is known of both."""
        return all(case.facts.get(fact) is not None for case in (self.separate, self.fused))

    def _ratio(self, fact: str) -> float:
        return self.fused.fact(fact) / self.separate.fact(fact)


def bars(pairs: list[Pair]) -> Bars:
    """FLOPs, bytes and time of one pass, the separate kernels' being 1."""
    return Bars(
        "One pass, against the separate kernels",
        "×",
        tuple(bar for pair in pairs for bar in _bars(pair)),
        Mark(1.0, "separate kernels"),
        f"FLOPs and bytes are counted; time is measured, its line spanning {per_cent(0.95)} of "
        "resamplings.",
    )


def _bars(pair: Pair) -> tuple[Bar, ...]:
    low, high = (1 / edge for edge in reversed(pair.interval))
    way = pair.direction.capitalize()
    return (
        Bar(f"{way}: FLOPs", pair.flops, role="theory"),
        Bar(f"{way}: bytes", pair.bytes, role="theory"),
        Bar(f"{way}: time", pair.time, low, high, role="one"),
    )


COLUMNS = {
    "flops": "FLOPs, formulas",
    "flops_executed": "FLOPs, machine code",
    "flops_profiled": "FLOPs, profiled",
    "bytes": "Bytes",
    "bytes_profiled": "Bytes, profiled",
}


def table(evidence: Evidence) -> Table:
    """Every variant each way, for one element; what was counted of none has no column."""
    cases = [c for d in DIRECTIONS for name in NAMES for c in evidence.of(name, direction=d)]
    facts = [fact for fact in COLUMNS if any(case.facts.get(fact) is not None for case in cases)]
    return Table(
        "Each variant, for one element",
        ("Direction", "Variant", *(COLUMNS[fact] for fact in facts), "Median, µs"),
        tuple(_row(case, facts) for case in cases),
        "torch.compile's FLOPs by the formulas and its bytes are those of one pass, the least that "
        "it could do" + ("; profiled is what it did." if "bytes_profiled" in facts else "."),
    )


def _row(case: Case, facts: list[str]) -> tuple[str, ...]:
    elements = case.fact("elements")

    def each(fact: str) -> str:
        value = case.facts.get(fact)
        return "–" if value is None else f"{value / elements:.1f}"

    direction, name = case.at["direction"], NAMES[case.variant]
    return (direction, name, *map(each, facts), us(case.median_us))
