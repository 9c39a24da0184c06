"""Bars from zero, each with its interval, its value and its note; a mark across them all."""

from collections.abc import Sequence
from typing import NamedTuple

from app.web.charts.drawing import LINE, RISE, Drawing, Path, Size, Text, box, line, spread
from app.web.charts.numbers import said
from app.web.charts.scales import drawable
from app.web.charts.text import cut, width, wrapped
from kernels.lab.pictures import Bar, Bars

BAR = 16
GAP = 9
"""Between a bar and the next one's name, and between a bar and its value."""
CLEAR = 3
"""Between a mark's line and words beside it."""
STRONG = "value strong"


class Unit(NamedTuple):
    """How long the longest value is drawn, and what it is."""

    room: float
    longest: float

    def of(self, value: float) -> float:
        """The length of a value, from zero."""
        return self.room * max(0.0, value / self.longest)


def draw_bars(bars: Bars, size: Size) -> Drawing:
    """The bars at this width."""
    values = [_shown(bar, bars.unit) for bar in bars.bars]
    room = size.width - GAP - max((width(value, STRONG) for value in values), default=0.0)
    unit = Unit(room, _longest(bars))
    paths: list[Path] = []
    texts: list[Text] = []
    top = 0.0
    for bar, value in zip(bars.bars, values, strict=True):
        top = _head(bar, size, top, texts)
        _body(bar, value, top, unit, paths, texts)
        top += BAR + GAP
    if bars.mark and drawable(bars.mark.value) and bars.mark.value >= 0:
        top += _mark(bars, size, top, unit, paths, texts)
    return Drawing(size.name, size.width, top, tuple(paths), tuple(texts))


def _longest(bars: Bars) -> float:
    """What the whole width stands for: the largest value, end of an interval, or mark."""
    ends = [end for bar in bars.bars for end in (bar.value, bar.high) if drawable(end)]
    ends += [bars.mark.value] if bars.mark and drawable(bars.mark.value) else []
    return max((end for end in ends if end is not None and end > 0), default=1.0)


def _shown(bar: Bar, unit: str) -> str:
    return said(bar.value, unit)


def _head(bar: Bar, size: Size, top: float, texts: list[Text]) -> float:
    """The bar's name, and its note on the same line or where there is no room below it."""
    beside = bar.note and width(bar.label) + width(bar.note) + 2 * GAP <= size.width
    if beside:
        texts.append(Text(size.width, top + RISE, bar.note, "quiet", "end"))
    lines = [(words, "name") for words in wrapped(bar.label, size.width)]
    lines += [(words, "quiet") for words in wrapped("" if beside else bar.note, size.width)]
    texts += [Text(0, top + RISE + LINE * i, *both) for i, both in enumerate(lines)]
    return top + LINE * len(lines) + 4


def _body(
    bar: Bar, value: str, top: float, unit: Unit, paths: list[Path], texts: list[Text]
) -> None:
    length = _length(bar.value, unit)
    middle = top + BAR / 2
    paths.append(Path(box(0, top, max(length, 0.5), BAR), f"bar {bar.role}"))
    end = length
    if drawable(bar.low) and drawable(bar.high):
        low, high = _length(bar.low, unit), _length(bar.high, unit)
        paths.append(Path(spread(low, middle, high, middle), "spread"))
        end = max(end, high)
    texts.append(Text(end + GAP, middle + 4.5, value, STRONG))


def _length(value: float | None, unit: Unit) -> float:
    return unit.of(value) if value is not None and drawable(value) else 0.0


def _mark(
    bars: Bars, size: Size, top: float, unit: Unit, paths: list[Path], texts: list[Text]
) -> float:
    """A dashed line down to its label, broken at words; how much it adds to the height."""
    assert bars.mark
    x = unit.of(bars.mark.value)
    words = cut(bars.mark.label, size.width)
    paths.append(Path(_clear_of(texts, x, top), "mark"))
    left = min(max(0.0, x - width(words) / 2), size.width - width(words))
    texts.append(Text(left, top + RISE, words, "quiet"))
    return LINE + 2


def _clear_of(texts: Sequence[Text], x: float, foot: float) -> str:
    """A path down to the foot that leaves free every line of words in its way."""
    ends = [0.0]
    for text in sorted(texts, key=lambda one: one.y):
        left = text.x - (width(text.words, text.kind) if text.anchor == "end" else 0)
        if left - CLEAR < x < left + width(text.words, text.kind) + CLEAR:
            ends += [text.y - RISE, text.y - RISE + LINE]
    pieces = zip(ends[::2], [*ends[1::2], foot], strict=True)
    return "".join(line(x, start, x, end) for start, end in pieces if end > start)
