"""The axes of a plot: its scales, and the room that their labels take."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.web.charts.drawing import LINE, Size
from app.web.charts.geometry import Box, Spot
from app.web.charts.numbers import labels
from app.web.charts.scales import Scale, binary, drawable, linear, logarithmic
from app.web.charts.text import width, wrapped
from kernels.lab.pictures import Axis, Plot, Point, Series

APART = 7
"""Between a label and its axis, and between two labels."""
ROOM = 10
"""Above and below the area, so that the labels at the ends of the y axis touch no others."""


@dataclass(frozen=True, slots=True)
class Side:
    """One axis: its scale, a label for each tick, its title in lines."""

    scale: Scale
    labels: tuple[str, ...]
    title: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """Both axes and the area between them."""

    x: Side
    y: Side
    area: Box

    def spot(self, x: float, y: float) -> Spot:
        """Where a point stands in the drawing."""
        return self.across(x), self.up(y)

    def unbounded(self, x: float, y: float) -> Spot:
        """Where a point would stand, though that be below the area."""
        return self.across(x), self.area.bottom - self.y.scale.place(y) * self._height

    @property
    def _height(self) -> float:
        return self.area.bottom - self.area.top

    def across(self, x: float) -> float:
        """Where a value of the x axis stands."""
        return self.area.left + self.x.scale.share(x) * (self.area.right - self.area.left)

    def up(self, y: float) -> float:
        """Where a value of the y axis stands."""
        return self.area.bottom - self.y.scale.share(y) * self._height


def visible(plot: Plot) -> tuple[Series, ...]:
    """The series with only those points that the axes can hold."""
    kept = (
        Series(
            one.name,
            tuple(p for p in one.points if drawable(p.x, plot.x.log) and drawable(p.y, plot.y.log)),
            one.role,
            one.joined,
        )
        for one in plot.series
    )
    return tuple(one for one in kept if one.points)


def sides(plot: Plot, series: Sequence[Series], size: Size) -> tuple[Side, Side]:
    """The x and the y axis that hold these series, which must have a point, and the marks."""
    across = [point.x for one in series for point in one.points]
    whole = binary(across) if plot.x.log and not plot.x.unit else None
    return (
        _side(plot.x, whole or _scale(plot.x, across, zero=False), size),
        _side(plot.y, _scale(plot.y, _heights(plot, series), zero=True), size),
    )


def between(x: Side, y: Side, size: Size, above: float) -> Box:
    """The area that the labels leave, `above` being the room wanted over it and its y title."""
    left = max(max(map(width, y.labels)) + APART, width(x.labels[0]) / 2)
    right = size.width - max(width(x.labels[-1]) / 2, APART)
    top = LINE * len(y.title) + ROOM + above
    return Box(left, top, right, top + size.height)


def _heights(plot: Plot, series: Sequence[Series]) -> list[float]:
    """All that the y axis has to hold: of a limit only what is not below everything else."""
    wanted = [(one.role == "limit", end) for one in series for p in one.points for end in _ends(p)]
    wanted += [(False, mark.value) for mark in plot.marks]
    shown = [(limit, end) for limit, end in wanted if drawable(end, plot.y.log)]
    floor = min((end for limit, end in shown if not limit), default=float("-inf"))
    return [end for _, end in shown if end >= floor]


def _ends(point: Point) -> tuple[float, ...]:
    return tuple(end for end in (point.y, point.low, point.high) if end is not None)


def _side(axis: Axis, scale: Scale, size: Size) -> Side:
    said, unit = labels(scale, axis.unit)
    title = f"{axis.label}, {unit}" if unit else axis.label
    return Side(scale, said, wrapped(title, size.width))


def _scale(axis: Axis, values: Sequence[float], zero: bool) -> Scale:
    return logarithmic(values) if axis.log else linear(values, zero=zero, whole=axis.whole)
