"""The words within a plot: each beside what it names, or in the key below."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from string import ascii_lowercase

from app.web.charts import marks
from app.web.charts.axes import Axes
from app.web.charts.drawing import RISE, Key, Path, Text, line
from app.web.charts.geometry import Box, Segment, Spot
from app.web.charts.layout import ABOVE, BELOW, FAR, NEAR, Placed, Room, Wanted
from app.web.charts.scales import drawable
from app.web.charts.series import Shown
from app.web.charts.text import width
from kernels.lab.pictures import Mark, Plot

REACH = 5
"""Half the side of the square that a point takes."""
Labelled = tuple[str, Spot]

MOST = 40
"""So many labels of points are tried; more would not be read, and those stand in the table."""
ALONG = 8
"""How many places along a line its name is tried at."""


def labelled(
    plot: Plot, shown: Sequence[Shown], axes: Axes, lines: Sequence[Segment]
) -> tuple[list[Path], list[Text], list[Key]]:
    """Lines to labels that stand far off, the labels, and the key of what found no room."""
    taken = list(_taken(shown, axes))
    points = _points(shown, axes)
    lettered: list[Labelled] = []
    while True:
        room = Room(axes.area, taken, lines)
        for mark in plot.marks:
            if drawable(mark.value, plot.y.log):
                room.place(_mark(mark, axes))
        letters = _letter_points(lettered, room)
        keys = _name_series([s for s in shown if s.series.role == "limit"], axes, room)
        missing = _name_points([p for p in points if p not in lettered], room)
        if not missing:
            break
        lettered = [p for p in points if p in lettered or p in missing]
    keys += _name_series([s for s in shown if s.series.role != "limit"], axes, room)
    leads = [Path(line(*p.lead[0], *p.lead[1]), "lead") for p in room.placed if p.lead]
    return leads, [_text(p) for p in room.placed], [*keys, *letters]


def _taken(shown: Sequence[Shown], axes: Axes) -> Iterator[Box]:
    """The squares of all points that are drawn as such, and of the corners of bare lines."""
    for one in shown:
        points = one.series.points
        for point in points if one.look.shape != "none" else points[1:-1]:
            x, y = axes.spot(point.x, point.y)
            yield Box(x - REACH, y - REACH, x + REACH, y + REACH)


def _mark(mark: Mark, axes: Axes) -> Wanted:
    """A mark's label lies on its line, at the right, at the left or between."""
    area, y, half = axes.area, axes.up(mark.value), width(mark.label) / 2
    ends = (area.right - half - 1, area.left + half + 1, (area.left + area.right) / 2)
    spots = tuple((x, y) for x in ends)
    return Wanted(mark.label, spots, "of-mark", sides=(ABOVE, BELOW), rings=NEAR, gap=2)


def _points(shown: Sequence[Shown], axes: Axes) -> list[Labelled]:
    """Labels of points with their spots, in order."""
    points = [point for one in shown for point in one.series.points if point.label]
    return list(dict.fromkeys((p.label, axes.spot(p.x, p.y)) for p in points[:MOST]))


def _name_points(points: Sequence[Labelled], room: Room) -> list[Labelled]:
    """Place labels beside their points, on no line; those for which there is no room."""
    return [
        (w, at) for w, at in points if not room.place(Wanted(w, (at,), "of-point", crossing=False))
    ]


def _letter_points(points: Sequence[Labelled], room: Room) -> list[Key]:
    """A letter beside each point, and its line in the key; what has no room stands in the table."""
    keys: list[Key] = []
    for words, spot in points:
        letter = ascii_lowercase[len(keys) % 26]
        if room.place(Wanted(letter, (spot,), "letter strong", rings=(*FAR, 70.0))):
            keys.append(Key(words, letter=letter))
    return keys


def _name_series(shown: Sequence[Shown], axes: Axes, room: Room) -> list[Key]:
    """Names of lines beside them; in the key where no room is, and those of scattered points."""
    keys: list[Key] = []
    for one in shown:
        series = one.series
        kind = f"name {series.role}" + (" strong" if series.role in ("one", "many") else "")
        spots = tuple(_along(one, axes))
        wanted = Wanted(series.name, spots, kind, rings=FAR[:3], crossing=False)
        alone = len(series.points) == 1 and not any(point.label for point in series.points)
        if series.name and not ((one.runs or alone) and room.place(wanted)):
            keys.append(Key(series.name, marks.swatch(series, one.look)))
    return keys


def _along(one: Shown, axes: Axes) -> list[Spot]:
    """Where a name may stand: beside the last point, the first, or others on the way."""
    spots = [spot for run in one.runs for spot in run]
    spots = spots or [axes.spot(point.x, point.y) for point in one.series.points]
    if one.runs and len(spots) < 4:
        spots = [spot for pair in pairwise(spots) for spot in _quarters(*pair)]
    step = max(1, len(spots) // ALONG)
    return [spots[-1], spots[0], *spots[-1 - step : 0 : -step]]


def _quarters(a: Spot, b: Spot) -> list[Spot]:
    """Spots on the line between two points, both ends included."""
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    return [(a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s) for s in shares]


def _text(placed: Placed) -> Text:
    left, top, right, _ = placed.box
    x = {"start": left, "middle": (left + right) / 2, "end": right}[placed.anchor]
    return Text(x, top + RISE, placed.words, placed.kind, placed.anchor)
