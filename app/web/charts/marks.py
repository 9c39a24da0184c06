"""How a series looks: the shape of its points and the class of its line, by its role."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.web.charts.drawing import Path, box, line
from kernels.lab.pictures import Role, Series

SHAPES: dict[Role, tuple[str, ...]] = {
    "one": ("disc", "diamond", "plus"),
    "many": ("square", "triangle", "cross"),
    "other": ("triangle", "diamond", "plus", "square", "cross"),
    "limit": ("none",),
    "theory": ("cross", "plus"),
}
"""A role's first series, its second, … : told apart by shape and dash, for colour is the role's."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a series is drawn as."""

    shape: str
    kind: str


def looks(series: Sequence[Series]) -> tuple[Look, ...]:
    """A look for each series, no two the same while shapes last."""
    seen: Counter[Role] = Counter()
    found: list[Look] = []
    for one in series:
        nth = seen[one.role]
        seen[one.role] += 1
        shapes = SHAPES[one.role]
        found.append(Look(_shape(one, shapes[nth % len(shapes)]), f"{one.role} v{min(nth, 2)}"))
    return tuple(found)


def swatch(series: Series, look: Look) -> tuple[Path, ...]:
    """What stands before a series' name in a key: 28 × 16 units."""
    paths = [Path(line(1, 8, 27, 8), f"line {look.kind}")] if series.joined else []
    if look.shape != "none":
        paths.append(Path(shape(look.shape, 14, 8), _point(look)))
    return tuple(paths)


def points(look: Look, spots: Sequence[tuple[float, float]]) -> tuple[Path, ...]:
    """All points of a series in one path; none for a line that has no points of its own."""
    if look.shape == "none" or not spots:
        return ()
    return (Path("".join(shape(look.shape, x, y) for x, y in spots), _point(look)),)


def shape(name: str, x: float, y: float, r: float = 4) -> str:
    """The outline of a mark around a spot."""
    if name == "disc":
        return f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
    if name == "square":
        return box(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1)
    if name == "triangle":
        return f"M{x:.1f} {y - r:.1f}l{r} {2 * r - 1}h{-2 * r}z"
    if name == "diamond":
        r += 0.5
        return f"M{x:.1f} {y - r:.1f}l{r} {r}l{-r} {r}l{-r} {-r}z"
    if name == "plus":
        return line(x - r, y, x + r, y) + line(x, y - r, x, y + r)
    return line(x - r, y - r, x + r, y + r) + line(x - r, y + r, x + r, y - r)


def _point(look: Look) -> str:
    return f"point {look.kind}" + (" stroked" if look.shape in ("plus", "cross") else "")


def _shape(series: Series, usual: str) -> str:
    """A limit that is no line needs a shape too."""
    return "cross" if usual == "none" and not _is_line(series) else usual


def _is_line(series: Series) -> bool:
    return series.joined and len(series.points) > 1
