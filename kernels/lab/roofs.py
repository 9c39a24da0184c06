"""A roofline: measured ceilings, the points under them, its picture and its table."""

from collections.abc import Callable

from kernels.lab.evidence import Case, Evidence
from kernels.lab.pictures import Axis, Plot, Point, Region, Series, Table

STAGES = ("norm", "activation", "multiply", "relu", "add")
CHAIN = (*STAGES, "fused")
DENSE = ("ffn_up", "ffn_down", "projection")
NAMES = {
    "norm": "Norm",
    "activation": "GELU",
    "multiply": "Multiply",
    "relu": "ReLU",
    "add": "Add",
    "fused": "Fused chain",
    "ffn_up": "Feed-forward, up",
    "ffn_down": "Feed-forward, down",
    "projection": "Projection",
    "scores": "QKᵀ",
}
ROOFS = {"memory": "memory", "matrix": "matrix units", "fp32": "float32 arithmetic"}


def intensity(case: Case) -> float:
    """FLOPs for each byte."""
    return case.fact("flops") / case.fact("bytes")


def rate(case: Case) -> float:
    """FLOPs a second, at the median."""
    return case.fact("flops") / case.median_us * 1e6


class Roofs:
    """The ceilings of a run: memory in bytes a second, arithmetic in FLOPs a second.

    `fp32` is None on a processor, whose products and other arithmetic share their units.
    """

    def __init__(self, evidence: Evidence) -> None:
        add = evidence.case("peak_add")
        self.memory = add.fact("bytes") / add.median_us * 1e6
        self.matrix = rate(evidence.case("peak_matmul"))
        self.fp32 = rate(evidence.case("peak_fma")) if evidence.has("peak_fma") else None

    @property
    def ridge(self) -> float:
        """FLOPs a byte from which the matrix units bind and not memory."""
        return self.matrix / self.memory

    def over(self, case: Case) -> tuple[str, float]:
        """(name, FLOPs a second) of the lowest roof above this case."""
        name, arithmetic = "matrix", self.matrix
        if case.variant in CHAIN and self.fp32:
            name, arithmetic = "fp32", self.fp32
        memory = self.memory * intensity(case)
        return ("memory", memory) if memory < arithmetic else (name, arithmetic)


def plot(evidence: Evidence, roofs: Roofs) -> Plot:
    """Both axes logarithmic: roofs as lines, the cases as points."""
    unit, scale = _unit(evidence)
    shown = [case for name in NAMES for case in evidence.of(name)]
    ends = [intensity(case) for case in shown] + [roofs.ridge]
    left, right = min(ends) / 2, max(ends) * 2
    lines = [_line("Memory, then matrix units", roofs.memory, roofs.matrix, (left, right), scale)]
    if roofs.fp32:
        lines.append(_line("Float32 arithmetic", roofs.memory, roofs.fp32, (left, right), scale))
    kinds = (
        ("Chain, stage by stage", STAGES, "many"), ("Fused chain", ("fused",), "one"),
        ("Matrix products", (*DENSE, "scores"), "other"),
    )  # fmt: skip
    points = [
        Series(title, tuple(_point(c, scale) for c in shown if c.variant in names), role, False)
        for title, names, role in kinds
    ]
    return Plot(
        "Roofline", Axis("FLOPs a byte", "FLOP/B", log=True), Axis("rate", unit, log=True),
        (*lines, *(one for one in points if one.points)),
        (Region("memory binds", None, roofs.ridge), Region("matrix units bind", roofs.ridge, None)),
        caption="Lines: the least of what memory and arithmetic allow, both as measured in this "
        "run. Points: medians; the thin lines span p10 to p90.",
    )  # fmt: skip


def _unit(evidence: Evidence) -> tuple[str, float]:
    return ("TFLOP/s", 1e12) if evidence.on_gpu else ("GFLOP/s", 1e9)


def _line(
    name: str, memory: float, arithmetic: float, span: tuple[float, float], scale: float
) -> Series:
    corner = arithmetic / memory
    xs = sorted({span[0], max(corner, span[0]), span[1]})
    points = tuple(Point(x, min(memory * x, arithmetic) / scale) for x in xs)
    return Series(name, points, "limit")


def _point(case: Case, scale: float) -> Point:
    done = case.fact("flops") * 1e6 / scale
    low, high = done / case.p90_us, done / case.p10_us
    return Point(intensity(case), done / case.median_us, low, high, NAMES[case.variant])


def table(evidence: Evidence, roofs: Roofs, binds: Callable[[Case], str]) -> Table:
    """Each point with the roof above it and what binds it."""
    unit, scale = _unit(evidence)
    columns = (
        "", "FLOP/B", "Median, µs", "GB/s", unit, "Side of the ridge", "Roof above",
        "Share of it", "What binds",
    )  # fmt: skip
    shown = [case for name in NAMES for case in evidence.of(name)]
    rows = tuple(_row(roofs, case, binds(case), scale) for case in shown)
    return Table("Each point", columns, rows)


def _row(roofs: Roofs, case: Case, bound: str, scale: float) -> tuple[str, ...]:
    roof, height = roofs.over(case)
    return (
        NAMES[case.variant], f"{intensity(case):,.1f}", f"{case.median_us:,.1f}",
        f"{case.gb_per_s:,.0f}", f"{rate(case) / scale:,.2f}",
        "left" if intensity(case) < roofs.ridge else "right", ROOFS[roof],
        f"{rate(case) / height:.0%}", bound,
    )  # fmt: skip
