"""Boxes and segments of a drawing; y grows downwards."""

from typing import NamedTuple

Spot = tuple[float, float]
Segment = tuple[Spot, Spot]


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether they share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, frame: "Box") -> bool:
        """Whether no part of it is outside of the frame."""
        return (
            self.left >= frame.left
            and self.right <= frame.right
            and self.top >= frame.top
            and self.bottom <= frame.bottom
        )

    def crossed_by(self, segment: Segment) -> bool:
        """Whether any part of the segment lies in it."""
        (x1, y1), (x2, y2) = segment
        if max(x1, x2) < self.left or min(x1, x2) > self.right:
            return False
        if max(y1, y2) < self.top or min(y1, y2) > self.bottom:
            return False
        enter, leave = 0.0, 1.0
        for start, delta, low, high in (
            (x1, x2 - x1, self.left, self.right),
            (y1, y2 - y1, self.top, self.bottom),
        ):
            if delta:
                near, far = sorted(((low - start) / delta, (high - start) / delta))
                enter, leave = max(enter, near), min(leave, far)
        return enter <= leave


def cross(a: Segment, b: Segment) -> bool:
    """Whether two segments cross; one that only begins on the other does not."""
    return _side(a, b[0]) * _side(a, b[1]) < -1e-3 and _side(b, a[0]) * _side(b, a[1]) < -1e-3


def _side(line: Segment, spot: Spot) -> float:
    """On which side of a line a spot lies, as a sign; near zero on the line."""
    (x1, y1), (x2, y2) = line
    return (x2 - x1) * (spot[1] - y1) - (y2 - y1) * (spot[0] - x1)
