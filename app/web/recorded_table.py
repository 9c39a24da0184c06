"""The recorded runs as a table: a shape a row, a number format and direction a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from app.runs.listing import Line
from kernels.bench.protocol import DIRECTIONS, DTYPES, PRESETS

Column = tuple[str, str]  # number format, direction


@dataclass(frozen=True, slots=True)
class Row:
    """One shape: its title, and for each column the recorded run, or None."""

    title: str
    cells: tuple[Line | None, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded on one device."""

    device: str
    last: date | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def tables(lines: Sequence[Line]) -> list[Recorded]:
    """One table for each device, by its name."""
    by_device = sorted(lines, key=_device)
    return [_table(device, list(of_device)) for device, of_device in groupby(by_device, _device)]


def _device(line: Line) -> str:
    return line.device or "an unnamed device"


def _table(device: str, lines: Sequence[Line]) -> Recorded:
    found = {(_shape(line), *_column(line)): line for line in lines}
    there = {_column(line) for line in lines}
    columns = [(d, w) for d in DTYPES for w in DIRECTIONS if (d, w) in there]
    shapes = sorted({_shape(line) for line in lines}, key=_place)
    ended = [line.run.finished_at.date() for line in lines if line.run.finished_at]
    return Recorded(
        device,
        max(ended, default=None),
        tuple(columns),
        tuple(
            Row(PRESETS[shape].title, tuple(found.get((shape, *column)) for column in columns))
            for shape in shapes
            if shape in PRESETS
        ),
    )


def _shape(line: Line) -> str:
    return str(line.run.parameters.get("preset"))


def _column(line: Line) -> Column:
    return str(line.run.parameters.get("dtype")), str(line.run.parameters.get("direction"))


def _place(shape: str) -> int:
    order = list(PRESETS)
    return order.index(shape) if shape in PRESETS else len(order)
