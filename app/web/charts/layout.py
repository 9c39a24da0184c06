"""Where labels go: inside their frame, clear of marks and of each other, or nowhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.web.charts.drawing import LINE, Anchor
from app.web.charts.geometry import Box, Segment, Spot, cross
from app.web.charts.text import width

RIGHT, LEFT, ABOVE, BELOW = (1, 0), (-1, 0), (0, -1), (0, 1)
AROUND = (RIGHT, LEFT, ABOVE, BELOW, (1, -1), (1, 1), (-1, -1), (-1, 1))
NEAR = (0.0,)
FAR = (0.0, 14.0, 30.0, 48.0)
"""How much further off than its gap a label may stand; from the second on a line leads to it."""
CROSSED = 6.0
"""What it costs a label to lie on a line: as much as to stand one and a half rings further off."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label that is to stand beside one of these spots, the first being the best.

    `crossing`: whether it may lie on a line, or be led to across one, if nothing else is left.
    """

    words: str
    spots: tuple[Spot, ...]
    kind: str = ""
    sides: tuple[tuple[int, int], ...] = AROUND
    rings: tuple[float, ...] = FAR
    gap: float = 7
    crossing: bool = True


@dataclass(frozen=True, slots=True)
class Placed:
    """A label in its place: its box, and the line that leads to it from its spot if it is far."""

    words: str
    kind: str
    box: Box
    anchor: Anchor
    lead: Segment | None = None


class Room:
    """A frame that fills with labels: no two overlap, none overlaps what was taken before.

    Lines may be covered, but a place that covers none is preferred.
    """

    def __init__(
        self, frame: Box, taken: Sequence[Box] = (), lines: Sequence[Segment] = ()
    ) -> None:
        self.frame = frame
        self.lines = lines
        self.occupied = list(taken)
        self.placed: list[Placed] = []

    def place(self, label: Wanted) -> bool:
        """Give the label the best place that is free; False where there is none."""
        best, least = None, float("inf")
        for cost, candidate in sorted(_candidates(label), key=lambda pair: pair[0]):
            if cost >= least:
                break
            if self._free(candidate):
                crossed = self._crossed(candidate)
                cost += CROSSED * crossed
                if cost < least and (label.crossing or not crossed):
                    best, least = candidate, cost
        if best:
            self.placed.append(best)
            self.occupied.append(best.box)
        return best is not None

    def _free(self, label: Placed) -> bool:
        """Whether nothing is in its way, nor a label in the way of the line that leads to it."""
        if not label.box.within(self.frame) or any(map(label.box.meets, self.occupied)):
            return False
        leads = [other.lead for other in self.placed if other.lead]
        lead = label.lead
        return not any(map(label.box.crossed_by, leads)) and not (
            lead and any(other.box.crossed_by(lead) for other in self.placed)
        )

    def _crossed(self, label: Placed) -> int:
        """How many lines it covers, or the line that leads to it crosses."""
        lead, box = label.lead, label.box
        covered = sum(map(box.crossed_by, self.lines))
        return covered + sum(cross(lead, other) for other in self.lines) if lead else covered


def _candidates(label: Wanted) -> Iterator[tuple[float, Placed]]:
    """Every place that could be, with what it costs before lines are looked at."""
    wide = width(label.words, label.kind)
    for far, ring in enumerate(label.rings):
        for nth, spot in enumerate(label.spots):
            for turn, side in enumerate(label.sides):
                box = _beside(spot, side, label.gap + ring, wide)
                lead = (spot, _nearest(box, spot)) if far else None
                cost = 4.0 * far + 0.5 * turn + nth
                yield cost, Placed(label.words, label.kind, box, _anchor(side), lead)


def _beside(spot: Spot, side: tuple[int, int], gap: float, wide: float) -> Box:
    across, down = side
    if across and down:
        gap *= 0.75
    left = spot[0] + across * (gap + wide / 2) - wide / 2
    top = spot[1] + down * (gap + LINE / 2) - LINE / 2
    return Box(left, top, left + wide, top + LINE)


def _anchor(side: tuple[int, int]) -> Anchor:
    """Which end of the text stays put if the reader's font is narrower than was guessed."""
    if side[0] == 0:
        return "middle"
    return "start" if side[0] > 0 else "end"


def _nearest(box: Box, spot: Spot) -> Spot:
    """The point of the box's edge that is nearest to the spot."""
    return min(max(spot[0], box.left), box.right), min(max(spot[1], box.top), box.bottom)
