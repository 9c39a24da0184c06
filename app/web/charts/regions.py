"""Named stretches of the x axis: washed alternately, their names over the plot, row over row."""

from collections.abc import Sequence

from app.web.charts.axes import Axes, Side
from app.web.charts.drawing import LINE, RISE, Path, Size, Text, box, line
from app.web.charts.geometry import Box
from app.web.charts.scales import drawable
from app.web.charts.text import cut, width
from kernels.lab.pictures import Region

ROW = LINE + 7
CLEAR = 8


def room(placed: Sequence[tuple[int, Box]]) -> float:
    """What the names take above the plot."""
    return ROW * (max(row for row, _ in placed) + 1) if placed else 0.0


def stretches(regions: Sequence[Region], x: Side, area: Box) -> list[tuple[str, float, float]]:
    """(name, left, right) of each region of which a part is seen, in units."""
    found: list[tuple[str, float, float]] = []
    for region in regions:
        left, right = (
            end if at is None or not drawable(at, x.scale.log)
            else area.left + x.scale.share(at) * (area.right - area.left)
            for at, end in ((region.start, area.left), (region.end, area.right))
        )  # fmt: skip
        if right - left > 1:
            found.append((region.label, left, right))
    return found


def names(stretched: Sequence[tuple[str, float, float]], wide: float) -> list[tuple[int, Box]]:
    """The row of each name, 0 being next to the plot, and its box with the row's own top at 0."""
    placed: list[tuple[int, Box]] = []
    for label, left, right in stretched:
        long = width(cut(label, wide))
        start = min(max(0.0, (left + right - long) / 2), wide - long)
        bracket = Box(min(left, start - CLEAR), 0, max(right, start + long + CLEAR), LINE)
        row = next(r for r in range(len(stretched)) if not _taken(bracket, r, placed, stretched))
        placed.append((row, Box(start, 0, start + long, LINE)))
    return placed


def draw_regions(
    stretched: Sequence[tuple[str, float, float]],
    placed: Sequence[tuple[int, Box]],
    axes: Axes,
    size: Size,
) -> tuple[list[Path], list[Text]]:
    """Washes and their edges, a bracket under each name."""
    area = axes.area
    paths: list[Path] = []
    texts: list[Text] = []
    for nth, ((label, left, right), (row, name)) in enumerate(zip(stretched, placed, strict=True)):
        foot = area.top - 7 - ROW * row
        if nth % 2:
            paths.append(Path(box(left, area.top, right - left, area.bottom - area.top), "wash"))
        paths.append(Path(line(left + 1, foot, right - 1, foot), "bracket"))
        if left > area.left + 1:
            paths.append(Path(line(left, foot, left, area.bottom), "edge"))
        middle, words = (name.left + name.right) / 2, cut(label, size.width)
        texts.append(Text(middle, foot - LINE + RISE - 1, words, "region", "middle"))
    return paths, texts


def _taken(
    bracket: Box,
    row: int,
    placed: Sequence[tuple[int, Box]],
    stretched: Sequence[tuple[str, float, float]],
) -> bool:
    """Whether a name or a bracket of this row is in the way."""
    return any(
        there == row
        and bracket.left < max(right, box.right)
        and min(left, box.left) < bracket.right
        for (there, box), (_, left, right) in zip(placed, stretched, strict=False)
    )
