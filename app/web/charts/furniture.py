"""What a plot's axes are drawn with: the grid, the labels that find room, the titles."""

from itertools import pairwise

from app.web.charts.axes import APART, ROOM, Axes, Side
from app.web.charts.drawing import LINE, RISE, Path, Size, Text, line
from app.web.charts.geometry import Box
from app.web.charts.text import width


def furniture(axes: Axes, size: Size) -> tuple[list[Path], list[Text], float]:
    """Grid, labels and titles, and how high it all is."""
    area = axes.area
    paths = [Path(_grid(axes), "grid"), Path(_lines(area), "axis")]
    texts = [Text(0, RISE + LINE * i, words, "title") for i, words in enumerate(axes.y.title)]
    texts += [
        Text(area.left - APART, axes.up(float(tick)) + 4.5, words, "tick", "end")
        for tick, words in zip(axes.y.scale.ticks, axes.y.labels, strict=True)
    ]
    base = area.bottom + ROOM + RISE
    texts += [
        Text(x, base, words, "tick", "middle")
        for x, words in x_labels(axes.x, area.left, area.right)
    ]
    texts += [
        Text(area.right, base + LINE * (i + 1), words, "title", "end")
        for i, words in enumerate(axes.x.title)
    ]
    return paths, texts, base + LINE * len(axes.x.title) + APART


def x_labels(side: Side, left: float, right: float) -> list[tuple[float, str]]:
    """The labels along the x axis that stand clear of each other: all, or every nth."""
    places = [left + side.scale.share(float(tick)) * (right - left) for tick in side.scale.ticks]
    every = list(zip(places, side.labels, strict=True))
    for nth in range(1, len(every)):
        chosen = every[::nth]
        if all(
            b - a >= (width(first) + width(second)) / 2 + APART
            for (a, first), (b, second) in pairwise(chosen)
        ):
            return chosen
    return every[:1]


def _grid(axes: Axes) -> str:
    area = axes.area
    level = [axes.up(float(tick)) for tick in axes.y.scale.ticks]
    upright = [axes.across(float(tick)) for tick in axes.x.scale.ticks] if axes.x.scale.log else []
    return "".join(line(area.left, y, area.right, y) for y in level) + "".join(
        line(x, area.top, x, area.bottom) for x in upright
    )


def _lines(area: Box) -> str:
    return line(area.left, area.bottom, area.right, area.bottom)
