"""What a template needs to draw a picture: paths, texts and a key, in units of the drawing."""

from dataclasses import dataclass
from typing import Literal

Anchor = Literal["start", "middle", "end"]

SIZE = 13
"""The height of letters, in units; the style sheet sets the same."""
LINE = 16
"""From one line of text to the next."""
RISE = 12
"""From the top of a line of text to its baseline."""


@dataclass(frozen=True, slots=True)
class Size:
    """How wide a picture is drawn, and how high the plot in it is.

    A picture is drawn once for each of the widths below and the style sheet shows the one that
    fits, so that letters stay between 11 and 17 pixels high whatever the window.
    """

    name: str
    width: float
    height: float


NARROW = Size("narrow", 330, 260)
WIDE = Size("wide", 680, 330)
SIZES = (WIDE, NARROW)


@dataclass(frozen=True, slots=True)
class Path:
    """A line or a shape; `kind` is its class, which decides on colour and dash."""

    d: str
    kind: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; y is its baseline."""

    x: float
    y: float
    words: str
    kind: str = ""
    anchor: Anchor = "start"


@dataclass(frozen=True, slots=True)
class Key:
    """A line of the key below a picture: how a series looks, or the letter that stands for it."""

    words: str
    paths: tuple[Path, ...] = ()
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture at one width."""

    name: str
    width: float
    height: float
    paths: tuple[Path, ...]
    texts: tuple[Text, ...]
    keys: tuple[Key, ...] = ()


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A path from one point to another."""
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"


def box(left: float, top: float, width: float, height: float) -> str:
    """A path around a rectangle."""
    return f"M{left:.1f} {top:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"


def through(points: list[tuple[float, float]]) -> str:
    """A path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def spread(x1: float, y1: float, x2: float, y2: float, cap: float = 4) -> str:
    """A level or upright line with a short one across each end: an interval."""
    across, down = (0.0, cap) if y1 == y2 else (cap, 0.0)
    ends = [line(x - across, y - down, x + across, y + down) for x, y in ((x1, y1), (x2, y2))]
    return line(x1, y1, x2, y2) + "".join(ends)
