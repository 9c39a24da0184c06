"""The size experiment's pictures and table: times and gains over the volume."""

from collections.abc import Sequence

from kernels.lab.evidence import Case, Evidence
from kernels.lab.gains import Bounds, Gain
from kernels.lab.measures import us
from kernels.lab.pictures import Axis, Mark, Plot, Point, Region, Role, Series, Table

NAMES: dict[str, tuple[str, Role]] = {
    "eager": ("PyTorch, eager", "other"),
    "separate": ("Separate, one by one", "many"),
    "separate_graph": ("Separate, in a graph", "many"),
    "fused": ("One pass, one by one", "one"),
    "fused_graph": ("One pass, in a graph", "one"),
}
_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def words(volume: float) -> str:
    """A volume in two or three digits: 12 kB, 1.5 MB, 10 GB."""
    fitting = (pair for pair in _UNITS if volume >= 0.9995 * pair[0])
    scale, unit = next(fitting, _UNITS[-1])
    shown = volume / scale
    return f"{shown:,.0f} {unit}" if shown >= 9.95 else f"{shown:.1f} {unit}".replace(".0 ", " ")


def pictures(
    evidence: Evidence, gains: Sequence[Gain], graphed: Sequence[Gain], bounds: Bounds
) -> tuple[Plot, ...]:
    """Time over volume, with what binds calls made one by one; gain, with what binds a graph."""
    volume = Axis("volume: x, residual and y", "B", log=True)
    lines = [_times(evidence, name) for name in NAMES if evidence.has(name)]
    times = Plot(
        "Time of a call",
        volume,
        Axis("time", "µs", log=True),
        (*lines, _least(evidence, gains)),
        _regions(bounds.launches.hidden, bounds),
        caption="Median; the thin lines span p10 to p90. The regions are those of calls made one "
        "by one.",
    )
    hidden = (bounds.in_graph or bounds.launches).hidden
    series = [_gains("One by one", gains, "one")]
    if graphed:
        series.append(_gains("In a graph", graphed, "other"))
    by_bytes = gains[-1].by_bytes
    ratios = Plot(
        "How many times faster one pass is",
        volume,
        Axis("separate ÷ one pass", "×"),
        tuple(series),
        _regions(hidden, bounds),
        (Mark(by_bytes, f"by bytes {by_bytes:.2f}×"),),
        "Ratio of medians; the thin lines span 95 % of resamplings. The line is of large volumes: "
        "of the smallest, weights are a part of the bytes, so the table has each volume's own."
        + (" The regions are those of calls within a graph." if graphed else ""),
    )
    return times, ratios


def _times(evidence: Evidence, name: str) -> Series:
    title, role = NAMES[name]
    points = (
        Point(x, case.median_us, case.p10_us, case.p90_us)
        for x, case in evidence.along("volume", name)
    )
    return Series(title, tuple(points), role)


def _least(evidence: Evidence, gains: Sequence[Gain]) -> Series:
    rate = evidence.limit["add_gb_per_s"] * 1e3
    points = tuple(Point(gain.volume, gain.volume / rate) for gain in gains)
    return Series("One pass at the machine's limit", points, "limit")


def _gains(name: str, gains: Sequence[Gain], role: Role) -> Series:
    return Series(name, tuple(Point(g.volume, g.ratio, g.low, g.high) for g in gains), role)


def _regions(hidden: float, bounds: Bounds) -> tuple[Region, ...]:
    """Launch-bound, cache-resident, partly cached, memory-bound; those that there are."""
    ends = (
        ("launch-bound", hidden),
        ("cache-resident", bounds.cache),
        ("partly cached", bounds.memory),
    )
    regions, start = [], None
    for label, end in ends:
        if start is None or end > start:
            regions.append(Region(label, start, end))
            start = end
    return (*regions, Region("memory-bound", start, None))


def table(evidence: Evidence, gains: Sequence[Gain], graphed: Sequence[Gain]) -> Table:
    """Each volume: every variant's time, the gains, and whether bytes predict the first."""
    names = [name for name in NAMES if evidence.has(name)]
    columns = ["Volume", *(f"{NAMES[name][0]}, µs" for name in names), "By bytes", "Gain"]
    columns += ["Gain in a graph"] if graphed else []
    in_graph = {gain.volume: gain for gain in graphed}
    rows = []
    for gain in gains:
        times = (_time(evidence.of(name, volume=gain.volume)) for name in names)
        row = [words(gain.volume), *times, f"{gain.by_bytes:.2f}×", _gain(gain)]
        rows.append((*row, _gain(in_graph[gain.volume])) if graphed else tuple(row))
    note = (
        "✓: as the bytes say, within 10 %; ✗: not; ?: this run cannot say, since 95 % of "
        "resamplings reach across that edge."
    )
    return Table("Each volume", tuple(columns), tuple(rows), note)


def _time(cases: Sequence[Case]) -> str:
    return us(cases[0].median_us) if cases else "–"


def _gain(gain: Gain) -> str:
    mark = {True: "✓", False: "✗", None: "?"}[gain.near]
    return f"{gain.ratio:.2f}× {mark}"
