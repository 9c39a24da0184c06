"""Whether what was concluded can be shown: numbers that are some, words that are words.

Conclusions are drawn of whatever a run printed. Python would carry a text or an
infinity from there right into a picture, which can draw neither.
"""

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any, cast

from kernels.lab.conclusion import Conclusion
from kernels.lab.pictures import Axis, Plot

LARGEST = 1e300


def is_sound(conclusion: Conclusion) -> bool:
    """Whether every number in it is finite, every word a text, every log axis above zero."""
    drawn = [picture for picture in conclusion.pictures if isinstance(picture, Plot)]
    return _holds(conclusion, None) and all(map(_fits_its_axes, drawn))


def _holds(value: Any, kind: Any) -> bool:
    if is_dataclass(value):
        return all(_holds(getattr(value, one.name), one.type) for one in fields(value))
    if isinstance(value, tuple):
        return all(_holds(part, None) for part in cast(tuple[Any, ...], value))
    if kind is float or (kind == float | None and value is not None):
        return _is_number(value)
    return isinstance(value, str) if kind is str else True


def _is_number(value: Any) -> bool:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return fits and isfinite(value) and abs(value) < LARGEST


def _fits_its_axes(plot: Plot) -> bool:
    points = [point for series in plot.series for point in series.points]
    across = [point.x for point in points] + [
        end for region in plot.regions for end in (region.start, region.end) if end is not None
    ]
    up = [y for p in points for y in (p.y, p.low, p.high) if y is not None]
    up += [mark.value for mark in plot.marks]
    return _on(plot.x, across) and _on(plot.y, up)


def _on(axis: Axis, values: list[float]) -> bool:
    return not axis.log or all(value > 0 for value in values)
