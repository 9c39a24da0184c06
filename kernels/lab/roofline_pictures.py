"""The roofline's picture and table: roofs as lines, and under them what was timed."""

from collections.abc import Callable

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent, us
from kernels.lab.pictures import Axis, Plot, Point, Region, Series, Table
from kernels.lab.roofs import DENSE, NAMES, STAGES, TABLED, Roofs, intensity, rate, shown

ROOFS = {"memory": "memory", "matrix": "matrix units", "fp32": "float32 arithmetic"}
ROOFS_ON_CPU = ROOFS | {"matrix": "arithmetic"}


def picture(evidence: Evidence, roofs: Roofs) -> Plot:
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
        "Point", "FLOP/B", "Median, µs", "GB/s", unit, "Side of its ridge", "Roof above",
        "Share of it", "What binds",
    )  # fmt: skip
    cases = [case for name in TABLED for case in evidence.of(name)]
    rows = tuple(_row(evidence, roofs, case, binds(case)) for case in cases)
    square = evidence.has("peak_matmul")
    note = "The square product is timed for the roof alone and is no point of the picture."
    return Table("Each point", columns, rows, note if square else "")


def _row(evidence: Evidence, roofs: Roofs, case: Case, bound: str) -> tuple[str, ...]:
    roof, height = roofs.over(case)
    _, scale = _unit(evidence)
    return (
        TABLED[case.variant], shown(intensity(case)), us(case.median_us),
        shown(case.gb_per_s), shown(rate(case) / scale),
        roofs.side(case), _roofs(evidence)[roof],
        per_cent(rate(case) / height), bound,
    )  # fmt: skip
