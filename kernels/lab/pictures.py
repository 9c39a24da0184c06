"""Pictures and tables as plain values; what draws them decides on pixels and colours.

`role` says what a mark stands for, so that one colour means one thing on all pages:
"one" (one pass), "many" (separate passes), "other", "limit" (what the device can do),
"theory" (what was predicted).
"""

from dataclasses import dataclass
from typing import Literal

Role = Literal["one", "many", "other", "limit", "theory"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its p10 and p90 (or None), in the unit of its picture."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    role: Role = "other"


@dataclass(frozen=True, slots=True)
class Mark:
    """A dashed line across bars or a plot, at this value of its axis."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from zero; `caption` says what the lines at their ends span."""

    title: str
    unit: str
    bars: tuple[Bar, ...]
    mark: Mark | None = None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis; a log axis holds positive values only. `unit` may be empty.

    On a `whole` one things are counted: it has no ticks between them.
    """

    label: str
    unit: str = ""
    log: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One point, with the interval of its y and a label where one is to be drawn beside it.

    `name` is what its row in the table is called where no label is drawn.
    """

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    label: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind; `joined` draws a line through them in the order given."""

    name: str
    points: tuple[Point, ...]
    role: Role = "other"
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Region:
    """A named stretch of the x axis; None reaches to the edge."""

    label: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines and points over two axes; a roofline is one with both axes log."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    regions: tuple[Region, ...] = ()
    marks: tuple[Mark, ...] = ()  # at values of the y axis
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as shown; the first of each row is its header."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
