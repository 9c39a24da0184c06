"""A roofline: measured ceilings, the points under them, its picture and its table."""

from collections.abc import Callable

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent
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
ROOFS_ON_CPU = ROOFS | {"matrix": "arithmetic"}


def intensity(case: Case) -> float:
    """FLOPs for each byte."""
    return case.fact("flops") / case.fact("bytes")


def rate(case: Case) -> float:
    """FLOPs a second, at the median."""
    return case.fact("flops") / case.median_us * 1e6


def shown(value: float) -> str:
    """An intensity or a rate, with as many digits as say something."""
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


class Roofs:
    """The ceilings of a run: memory in bytes a second, arithmetic in FLOPs a second.

    The matrix units' is the rate of the fastest product of all that were timed. `fp32` is
    None on a processor, whose products and other arithmetic share their units.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.add = evidence.case("peak_add")
        self.memory = self.add.fact("bytes") / self.add.median_us * 1e6
        products = [evidence.case(name) for name in ("peak_matmul", *DENSE)]
        self.product = max(products, key=rate)
        self.matrix = rate(self.product)
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
    cases = [case for name in NAMES for case in evidence.of(name)]
    ends = [intensity(case) for case in cases] + [roofs.ridge]
    left, right = min(ends) / 1.5, max(ends) * 1.5
    units = _roofs(evidence)["matrix"]
    lines = [_line(f"Memory, then {units}", roofs.memory, roofs.matrix, (left, right), scale)]
    if roofs.fp32:
        lines.append(_line("Float32 arithmetic", roofs.memory, roofs.fp32, (left, right), scale))
    kinds = (
        ("Chain, stage by stage", STAGES, "many"), ("Fused chain", ("fused",), "one"),
        ("Matrix products", (*DENSE, "scores"), "other"),
    )  # fmt: skip
    points = [
        Series(title, tuple(_point(c, scale) for c in cases if c.variant in names), role, False)
        for title, names, role in kinds
    ]
    return Plot(
        "Roofline", Axis("FLOPs a byte", "FLOP/B", log=True), Axis("rate", unit, log=True),
        (*lines, *(one for one in points if one.points)),
        (Region("left: memory", None, roofs.ridge), Region(f"right: {units}", roofs.ridge, None)),
        caption="Lines: the least of what memory and arithmetic allow, both as measured in this "
        "run. Points: medians; the thin lines span p10 to p90.",
    )  # fmt: skip


def _roofs(evidence: Evidence) -> dict[str, str]:
    return ROOFS if evidence.on_gpu else ROOFS_ON_CPU


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
    unit, _ = _unit(evidence)
    columns = (
        "Point", "FLOP/B", "Median, µs", "GB/s", unit, "Side of the ridge", "Roof above",
        "Share of it", "What binds",
    )  # fmt: skip
    cases = [case for name in NAMES for case in evidence.of(name)]
    return Table("Each point", columns, tuple(_row(evidence, roofs, c, binds(c)) for c in cases))


def _row(evidence: Evidence, roofs: Roofs, case: Case, bound: str) -> tuple[str, ...]:
    roof, height = roofs.over(case)
    _, scale = _unit(evidence)
    return (
        NAMES[case.variant], shown(intensity(case)), f"{case.median_us:,.1f}",
        shown(case.gb_per_s), shown(rate(case) / scale),
        "left" if intensity(case) < roofs.ridge else "right", _roofs(evidence)[roof],
        per_cent(rate(case) / height), bound,
    )  # fmt: skip
