"""Guess, theory and measurement of one number, each on a row of its own over one axis."""

from dataclasses import dataclass

from app.web.charts.axes import APART, Side, x_labels
from app.web.charts.drawing import LINE, RISE, Drawing, Path, Size, Text, box, line, spread
from app.web.charts.marks import shape
from app.web.charts.numbers import digits, joined, labels
from app.web.charts.scales import drawable, linear, logarithmic
from app.web.charts.text import cut, width
from kernels.lab.conclusion import Answer

TRACK = 18
"""The height in which a row's mark lies, below its words."""
STRONG = "value over strong"
ROW = LINE + TRACK + 4


@dataclass(frozen=True, slots=True)
class Row:
    """One of the numbers: its name, the stretch or spot it takes, as what it is drawn."""

    name: str
    kind: str
    at: float
    low: float
    high: float

    def said(self, unit: str) -> str:
        """The number in words; an interval behind a measurement, a range where that is all."""
        tell = _as_said if self.kind == "guess" else _to_a_digit if unit == "%" else digits
        low, at, high = (tell(value).replace("-", "−") for value in (self.low, self.at, self.high))
        if low == high:
            return joined(at, unit)
        both = joined(f"{low} to {high}" if "−" in low else f"{low}–{high}", unit)
        return both if self.kind == "guess" else f"{joined(at, unit)} ({both})"


def rows_of(answer: Answer, low: float | None, high: float | None, log: bool) -> list[Row]:
    """What there is to show, in the order in which it became known; [] without a measurement."""
    if not drawable(answer.measured, log):
        return []
    theory = f"Predicted by {answer.predicted_by}" if answer.predicted_by else "Predicted"
    found = (
        _row("You said", "guess", low, low, high, log),
        _row(theory, "theory", answer.predicted, None, None, log),
        _row("Measured", "measured", answer.measured, answer.low, answer.high, log),
    )
    return [row for row in found if row]


def draw_expectation(
    answer: Answer, low: float | None, high: float | None, unit: str, size: Size
) -> Drawing | None:
    """The picture; None where no number was measured. Factors ("×") stand on a log axis.

    [low, high] is what was expected, None where nothing was said.
    """
    log = unit == "×"
    rows = rows_of(answer, low, high, log)
    if not rows:
        return None
    values = [value for row in rows for value in (row.low, row.at, row.high)]
    scale = logarithmic([*values, 1.0]) if log else linear(values)
    side = Side(scale, tuple(joined(words, unit) for words in labels(scale, "")[0]), ())
    inset = max(width(side.labels[0]), width(side.labels[-1])) / 2
    right, foot = size.width - inset, ROW * len(rows)
    paths, texts = _axis(side, inset, right, foot)
    for nth, row in enumerate(rows):
        top = ROW * nth
        texts += _words(row, unit, top + RISE, size.width)
        places = [inset + scale.share(v) * (right - inset) for v in (row.low, row.at, row.high)]
        paths = _marked(row, places, top + LINE, foot, paths)
    height = foot + APART + LINE + 2
    return Drawing(size.name, size.width, height, tuple(paths), tuple(texts))


def _as_said(value: float) -> str:
    return f"{value:g}"


def _to_a_digit(value: float) -> str:
    return f"{value:.1f}"


def _row(
    name: str, kind: str, at: float | None, low: float | None, high: float | None, log: bool
) -> Row | None:
    if at is None or not drawable(at, log):
        return None
    ends = [end for end in (low, high) if end is not None and drawable(end, log)]
    return Row(name, kind, at, min(ends, default=at), max(ends, default=at))


def _words(row: Row, unit: str, base: float, wide: float) -> list[Text]:
    """The row's name and number; where both are too long, the table still has them whole."""
    value = cut(row.said(unit), wide * 0.65, STRONG)
    name = cut(row.name, wide - width(value, STRONG) - APART)
    return [Text(0, base, name, "name over"), Text(wide, base, value, STRONG, "end")]


def _axis(side: Side, left: float, right: float, foot: float) -> tuple[list[Path], list[Text]]:
    ticks = [left + side.scale.share(float(t)) * (right - left) for t in side.scale.ticks]
    paths = [Path(line(left, foot, right, foot), "axis")]
    paths += [Path("".join(line(x, foot, x, foot + 5) for x in ticks), "axis")]
    base = foot + APART + RISE
    return paths, [
        Text(x, base, words, "tick", "middle") for x, words in x_labels(side, left, right)
    ]


def _marked(
    row: Row, places: list[float], top: float, foot: float, paths: list[Path]
) -> list[Path]:
    """The row's mark; a guess lies below all that is drawn, down to the axis."""
    low, at, high = places
    middle = top + TRACK / 2
    if row.kind == "guess":
        wide = max(high - low, 3.0)
        left = (low + high - wide) / 2
        band = Path(box(left, top + 2, wide, foot - top - 2), "guess")
        return [band, *paths, Path(box(left, top + 2, wide, 5), "guess edge")]
    if row.kind == "theory":
        dashes = "".join(line(at, y, at, y + TRACK) for y in (top, top + ROW) if y < foot)
        return [
            *paths,
            Path(dashes, "mark"),
            Path(shape("cross", at, middle), "point theory stroked"),
        ]
    interval = [Path(spread(low, middle, high, middle, cap=5), "spread")] if low < high else []
    return [*paths, *interval, Path(shape("disc", at, middle, 5), "point one")]
