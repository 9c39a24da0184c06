"""A plot at one width: axes, regions, marks, series, and a place for each label."""

from collections.abc import Sequence
from itertools import pairwise

from app.web.charts import marks, regions
from app.web.charts.axes import Axes, between, furniture, sides, visible
from app.web.charts.drawing import LINE, RISE, Drawing, Path, Size, Text, line, spread, through
from app.web.charts.labels import labelled
from app.web.charts.layout import Segment, Spot
from app.web.charts.scales import drawable
from kernels.lab.pictures import Plot, Series

Runs = tuple[tuple[Spot, ...], ...]


def draw_plot(plot: Plot, size: Size) -> Drawing:
    """The plot; a sentence where no point of it can be drawn."""
    series = visible(plot)
    if not series:
        nothing = Text(0, RISE, "There is no point to draw.", "quiet")
        return Drawing(size.name, size.width, LINE + 2, (), (nothing,))
    axes, paths, texts = _ground(plot, series, size)
    furnished, ticks, height = furniture(axes, size)
    looks = marks.looks(series)
    runs = [_runs(plot, one, axes) for one in plot.series if _seen(plot, one)]
    level = _marks(plot, axes)
    paths += furnished + [Path(line(*a, *b), "mark") for a, b in level]
    for one, look, drawn in zip(series, looks, runs, strict=True):
        paths += _series(one, look, drawn, axes)
    lines = [*level, *(pair for drawn in runs for run in drawn for pair in pairwise(run))]
    leads, names, keys = labelled(plot, series, looks, axes, lines)
    return Drawing(
        size.name, size.width, height, (*paths, *leads), (*texts, *ticks, *names), tuple(keys)
    )


def _ground(
    plot: Plot, series: Sequence[Series], size: Size
) -> tuple[Axes, list[Path], list[Text]]:
    """The axes with the room that the regions' names take, and the regions."""
    x, y = sides(plot, series, size)
    stretched = regions.stretches(plot.regions, x, between(x, y, size, 0))
    placed = regions.names(stretched, size.width)
    axes = Axes(x, y, between(x, y, size, regions.room(placed)))
    return axes, *regions.draw_regions(stretched, placed, axes, size)


def _marks(plot: Plot, axes: Axes) -> list[Segment]:
    heights = [axes.up(m.value) for m in plot.marks if drawable(m.value, plot.y.log)]
    return [((axes.area.left, y), (axes.area.right, y)) for y in heights]


def _seen(plot: Plot, one: Series) -> bool:
    return any(_spot_seen(plot, p.x, p.y) for p in one.points)


def _spot_seen(plot: Plot, x: float, y: float) -> bool:
    return drawable(x, plot.x.log) and drawable(y, plot.y.log)


def _runs(plot: Plot, one: Series, axes: Axes) -> Runs:
    """The stretches of a joined series: a point that can't be drawn breaks its line."""
    if not one.joined:
        return ()
    found: list[list[Spot]] = [[]]
    for point in one.points:
        if _spot_seen(plot, point.x, point.y):
            found[-1].append(axes.spot(point.x, point.y))
        elif found[-1]:
            found.append([])
    return tuple(tuple(run) for run in found if len(run) > 1)


def _series(one: Series, look: marks.Look, runs: Runs, axes: Axes) -> list[Path]:
    spots = [axes.spot(point.x, point.y) for point in one.points]
    paths: list[Path] = []
    if runs:
        paths.append(Path("".join(through(list(run)) for run in runs), f"line {look.kind}"))
    intervals = "".join(
        spread(axes.across(p.x), axes.up(p.low), axes.across(p.x), axes.up(p.high), cap=3)
        for p in one.points
        if p.low is not None and p.high is not None and drawable(p.high, axes.y.scale.log)
    )
    if intervals:
        paths.append(Path(intervals, f"spread {one.role}"))
    return [*paths, *marks.points(one, look, spots)]
