"""What the tests of whole pictures share: one with many labels, and how drawings are looked at."""

from collections.abc import Iterator
from itertools import pairwise

from app.web.charts.drawing import LINE, RISE, Path, Text
from app.web.charts.geometry import Box, Segment
from app.web.charts.text import width
from app.web.templating import templates
from kernels.lab.pictures import Axis, Plot, Point, Series

ROOFS = (
    Series("memory, 4 TB/s", (Point(0.1, 4e11), Point(200, 8e14)), "limit"),
    Series("matrix units, 800 TFLOP/s", (Point(200, 8e14), Point(3000, 8e14)), "limit"),
)
KERNELS = Series(
    "kernels",
    tuple(Point(1 + i / 20, 3e12 + 1e11 * i, label=f"kernel number {i}") for i in range(12)),
    "many",
    joined=False,
)
ROOFLINE = Plot(
    "A roofline",
    Axis("intensity", "FLOP/B", log=True),
    Axis("speed", "FLOP/s", log=True),
    (*ROOFS, KERNELS, Series("one pass", (Point(2, 7e12, label="one pass"),), "one", joined=False)),
)


def box_of(text: Text) -> Box:
    """Where this text lies in its drawing."""
    long = width(text.words, text.kind)
    left = text.x - {"start": 0, "middle": long / 2, "end": long}[text.anchor]
    return Box(left, text.y - RISE, left + long, text.y - RISE + LINE)


def segments_of(path: Path) -> Iterator[Segment]:
    """The straight lines of a path of M and L alone."""
    for run in path.d.split("M")[1:]:
        spots = [tuple(map(float, spot.split())) for spot in run.split("L")]
        yield from pairwise(spots)


def rendered(source: str, **values) -> str:
    """The markup of a template that has the macros of the pictures."""
    imported = '{% from "_charts.html" import picture, expectation %}'
    return templates().from_string(imported + source).render(**values)
