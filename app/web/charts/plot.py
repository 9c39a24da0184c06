"""A plot at one width: axes, regions, marks, series, and a place for each label."""

from collections.abc import Sequence

from app.web.charts import regions
from app.web.charts.axes import Axes, between, sides, visible
from app.web.charts.drawing import LINE, RISE, Drawing, Path, Size, Text, line
from app.web.charts.furniture import furniture
from app.web.charts.geometry import Segment
from app.web.charts.labels import labelled
from app.web.charts.scales import drawable
from app.web.charts.series import draw_series, shown
from kernels.lab.pictures import Plot, Series


def draw_plot(plot: Plot, size: Size) -> Drawing:
    """The plot; a sentence where no point of it can be drawn."""
    series = visible(plot)
    if not series:
        nothing = Text(0, RISE, "There is no point to draw.", "quiet")
        return Drawing(size.name, size.width, LINE + 2, (), (nothing,))
    axes, paths, texts = _ground(plot, series, size)
    furnished, ticks, height = furniture(axes, size)
    level, drawn = _marks(plot, axes), shown(plot, axes)
    paths += furnished + [Path(line(*a, *b), "mark") for a, b in level]
    paths += [path for one in drawn for path in draw_series(one, axes)]
    lines = [*level, *(segment for one in drawn for segment in one.segments)]
    leads, names, keys = labelled(plot, drawn, axes, lines)
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
