"""A series of a plot: the line through its points, their intervals, the points themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from app.web.charts import marks
from app.web.charts.axes import Axes, visible
from app.web.charts.drawing import Path, spread, through
from app.web.charts.geometry import Segment, Spot
from app.web.charts.scales import drawable
from kernels.lab.pictures import Plot, Series


@dataclass(frozen=True, slots=True)
class Shown:
    """A series with its look, the stretches of its line, and the intervals of its points."""

    series: Series
    look: marks.Look
    runs: tuple[tuple[Spot, ...], ...]
    intervals: tuple[Segment, ...]

    @property
    def segments(self) -> Iterator[Segment]:
        """All lines of it, which labels had better leave free."""
        yield from (pair for run in self.runs for pair in pairwise(run))
        yield from self.intervals


def shown(plot: Plot, axes: Axes) -> tuple[Shown, ...]:
    """Every series of which the axes can hold a point; limits first, so that they lie below."""
    whole = [one for one in plot.series if any(_is_seen(plot, p.x, p.y) for p in one.points)]
    seen = visible(plot)
    found = [
        Shown(part, look, _runs(plot, one, axes), _intervals(part, axes))
        for one, part, look in zip(whole, seen, marks.looks(seen), strict=True)
    ]
    return tuple(sorted(found, key=lambda each: each.series.role != "limit"))


def draw_series(one: Shown, axes: Axes) -> list[Path]:
    """Its paths, the points on top."""
    spots = [axes.spot(point.x, point.y) for point in one.series.points]
    line = "".join(through(list(run)) for run in one.runs)
    intervals = "".join(spread(*a, *b, cap=3) for a, b in one.intervals)
    paths = [Path(line, f"line {one.look.kind}")] if line else []
    if intervals:
        paths.append(Path(intervals, f"spread {one.series.role}"))
    return [*paths, *marks.points(one.look, spots)]


def _is_seen(plot: Plot, x: float, y: float) -> bool:
    return drawable(x, plot.x.log) and drawable(y, plot.y.log)


def _runs(plot: Plot, one: Series, axes: Axes) -> tuple[tuple[Spot, ...], ...]:
    """The stretches of a joined series: a point that can't be drawn breaks its line."""
    found: list[list[Spot]] = [[]]
    for point in one.points if one.joined else ():
        if _is_seen(plot, point.x, point.y):
            found[-1].append(axes.unbounded(point.x, point.y))
        elif found[-1]:
            found.append([])
    runs = (_above(run, axes.area.bottom) for run in found if len(run) > 1)
    return tuple(run for run in runs if len(run) > 1)


def _above(run: list[Spot], foot: float) -> tuple[Spot, ...]:
    """What of a line is not below the foot of the plot: a limit may begin there."""
    spots: dict[Spot, None] = {}  # each once: a pair begins where the one before ended
    for (x1, y1), (x2, y2) in pairwise(run):
        out = foot + 0.01
        if y1 <= out:
            spots[x1, y1] = None
        if (y1 > out) != (y2 > out):
            spots[x1 + (x2 - x1) * (foot - y1) / (y2 - y1), foot] = None
        if y2 <= out:
            spots[x2, y2] = None
    return tuple(spots)


def _intervals(one: Series, axes: Axes) -> tuple[Segment, ...]:
    return tuple(
        (axes.spot(p.x, p.low), axes.spot(p.x, p.high))
        for p in one.points
        if p.low is not None and p.high is not None and drawable(p.high, axes.y.scale.log)
    )
