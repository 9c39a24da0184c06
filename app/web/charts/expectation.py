"""Guess, theory and measurement of one number, each on a row of its own over one axis."""

from app.web.charts.axes import APART, Side
from app.web.charts.drawing import LINE, RISE, Drawing, Path, Size, Text, box, line, spread
from app.web.charts.expected import Row, rows_of
from app.web.charts.furniture import x_labels
from app.web.charts.marks import shape
from app.web.charts.numbers import joined, labels
from app.web.charts.scales import linear, logarithmic
from app.web.charts.text import cut, width
from kernels.lab.conclusion import Answer

TRACK = 18
"""The height in which a row's mark lies, below its words."""
STRONG = "value over strong"
ROW = LINE + TRACK + 12
"""Further from a mark to the next row's words than to its own."""


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
    values = [value for row in rows for value in row.values]
    scale = logarithmic([*values, 1.0]) if log else linear(values)
    side = Side(scale, tuple(joined(words, unit) for words in labels(scale, "")[0]), ())
    inset = max(width(side.labels[0]), width(side.labels[-1])) / 2
    right, foot = size.width - inset, ROW * len(rows)
    paths, texts = _axis(side, inset, right, foot)
    for nth, row in enumerate(rows):
        top = ROW * nth
        texts += _words(row, unit, top + RISE, size.width)
        places = [inset + scale.share(v) * (right - inset) for v in row.values]
        paths = _marked(row, places, top + LINE, foot, paths)
    height = foot + APART + LINE + 2
    return Drawing(size.name, size.width, height, tuple(paths), tuple(texts))


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
    low, at, high, *outer = places
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
    known = [Path(line(low, middle, high, middle), "known")] if low < high else []
    rounds = [Path(spread(outer[0], middle, outer[1], middle, cap=5), "spread")] if outer else []
    return [*paths, *rounds, *known, Path(shape("disc", at, middle, 4), "point one")]
