"""The numbers of a picture as a table, and what it shows in words, for those who can't see it."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.web.charts.axes import visible
from app.web.charts.expected import rows_of
from app.web.charts.numbers import digits, joined, said
from kernels.lab.conclusion import Answer
from kernels.lab.pictures import Axis, Bars, Plot, Point, Series


@dataclass(frozen=True, slots=True)
class Data:
    """Cells as shown; the first of each row is its header."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def data_of_bars(bars: Bars) -> Data:
    """A row for each bar, and one for the mark."""
    columns = ["Name", _titled("Value", bars.unit)]
    spans = any(bar.low is not None for bar in bars.bars)
    notes = any(bar.note for bar in bars.bars)
    rows = [[bar.label, digits(bar.value), _span(bar.low, bar.high), bar.note] for bar in bars.bars]
    if bars.mark:
        rows.append([bars.mark.label, digits(bars.mark.value), "–", ""])
    columns += ["From–to", "Note"]
    kept = [0, 1, *([2] if spans else []), *([3] if notes else [])]
    return Data(tuple(columns[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows))


def data_of_plot(plot: Plot) -> Data:
    """Series side by side where they stand over the same values of x, else a row a point."""
    places = [tuple(p.x for p in one.points) for one in plot.series]
    lines = all(
        one.joined and len(set(at)) == len(at) for one, at in zip(plot.series, places, strict=True)
    )
    if lines and len(plot.series) > 1 and any(set(places[0]) & set(at) for at in places[1:]):
        return _side_by_side(plot)
    columns = ("Series", "Point", _title(plot.x), _title(plot.y), "From–to")
    rows = [
        (one.name, _named(p) or "–", _exact(p.x), digits(p.y), _span(p.low, p.high))
        for one in plot.series
        for p in one.points
    ]
    rows += [(mark.label, "–", "–", digits(mark.value), "–") for mark in plot.marks]
    if not any(_named(p) for one in plot.series for p in one.points):
        columns, rows = (_without_second(columns), [_without_second(row) for row in rows])
    return Data(columns, tuple(rows))


def _named(point: Point) -> str:
    return point.label or point.name


def _without_second(row: tuple[str, ...]) -> tuple[str, ...]:
    return (row[0], *row[2:])


def data_of_expectation(answer: Answer, low: float | None, high: float | None, unit: str) -> Data:
    """A row for each number."""
    rows = rows_of(answer, low, high, unit == "×")
    told = [(row.name, row.said(unit)) for row in rows]
    told += [("p10–p90 of the rounds", row.said_outer(unit)) for row in rows if row.outer]
    return Data(("What", "Value"), tuple(told))


def told_bars(bars: Bars) -> str:
    """The bars in a sentence each."""
    told = [f"{bar.label}: {said(bar.value, bars.unit)}" for bar in bars.bars]
    if bars.mark:
        told.append(bars.mark.label)
    return "Bars from zero. " + "; ".join(told) + "."


def told_plot(plot: Plot) -> str:
    """The axes, then from where to where each series goes."""
    told = [f"Across: {_axis(plot.x)}. Up: {_axis(plot.y)}."]
    told += [f"{one.name or 'A series'}: {_course(one, plot)}." for one in visible(plot)]
    told += [f"A level line: {mark.label}." for mark in plot.marks]
    return " ".join(told)


def _side_by_side(plot: Plot) -> Data:
    by_place = [{p.x: p for p in one.points} for one in plot.series]
    places = sorted({x for points in by_place for x in points})
    names = tuple(_titled(one.name, plot.y.unit) for one in plot.series)
    rows = tuple((_exact(x), *_cells(x, by_place)) for x in places)
    return Data((_title(plot.x), *names), rows)


def _cells(x: float, by_place: Iterable[dict[float, Point]]) -> tuple[str, ...]:
    return tuple(_cell(points[x]) if x in points else "–" for points in by_place)


def _cell(point: Point) -> str:
    if point.low is None or point.high is None:
        return digits(point.y)
    return f"{digits(point.y)} ({_span(point.low, point.high)})"


def _span(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{digits(low)}–{digits(high)}"


def _exact(x: float) -> str:
    """A place on the x axis: whole numbers in full."""
    return f"{x:,.0f}" if abs(x) < 1e15 and x == int(x) else digits(x)


def _title(axis: Axis) -> str:
    return _titled(axis.label, axis.unit)


def _titled(name: str, unit: str) -> str:
    return f"{name}, {unit}" if unit else name


def _axis(axis: Axis) -> str:
    return _title(axis) + (", logarithmic" if axis.log else "")


def _course(one: Series, plot: Plot) -> str:
    """Where a series begins and ends; scattered points one by one."""

    def at(point: Point) -> str:
        named = f"{_named(point)} " if _named(point) else ""
        across = joined(_exact(point.x), plot.x.unit)
        return f"{named}{said(point.y, plot.y.unit)} at {across}"

    if len(one.points) == 1 or not one.joined:
        return "; ".join(map(at, one.points[:20]))
    return f"{len(one.points)} points, from {at(one.points[0])} to {at(one.points[-1])}"
