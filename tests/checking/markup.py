"""Labelled answers written with the labels in the text.

    @u-059 correct-concise
    [[bw Memory-bound]], so we [[rt stop writing intermediates out]]; [[F- same sums]].

A line `@id style` starts an answer. `[[labels words]]` marks words that say
something: `F+` commits the pitfall of an axis, `F-` rejects it (and so makes the
key point that opposes it); the others are key points.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AXES = {
    "F": ("fewer_flops", "same_arithmetic"),
    "M": ("faster_matmul", "not_matmul"),
    "D": ("higher_flop_device", None),
    "B": ("ignores_backward", "backward"),
    "S": ("whole_step_3x", "share_cap"),
}
POINTS = {
    "rt": "round_trips",
    "ra": "traffic_ratio",
    "bw": "bandwidth_bound",
    "rd": "reduction",
    "la": "launches_temporaries",
    "oc": "on_chip",
}
LABELS = tuple(axis + sign for axis in AXES for sign in "+-") + tuple(POINTS)

_MARK = re.compile(r"\[\[([A-Za-z+\-,]+) (.*?)\]\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of an answer and the labels that they carry."""

    text: str
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marked:
    """A labelled answer as segments; their texts, joined, are the answer."""

    id: str
    style: str
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The answer without its marks."""
        return "".join(segment.text for segment in self.segments)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that some segment carries."""
        return frozenset().union(*(segment.labels for segment in self.segments))

    def record(self) -> dict[str, Any]:
        """The answer as a line of a labelled JSON-lines file."""
        labels = self.labels
        points = {name: mark in labels for mark, name in POINTS.items()}
        points |= {point: axis + "-" in labels for axis, (_, point) in AXES.items() if point}
        pitfalls = {pitfall: _verdict(axis, labels) for axis, (pitfall, _) in AXES.items()}
        return {
            "id": self.id,
            "style": self.style,
            "text": self.text,
            "key_points": points,
            "pitfalls": pitfalls,
            "evidence": self._evidence(),
        }

    def _evidence(self) -> dict[str, str]:
        said = {axis + "+": pitfall for axis, (pitfall, _) in AXES.items()}
        return {said[m]: s.text for s in self.segments for m in s.labels if m in said}


def parse(text: str) -> list[Marked]:
    """Read marked-up answers; ValueError for a label that there isn't."""
    blocks = re.split(r"^@", text, flags=re.MULTILINE)[1:]
    return [_answer(block) for block in blocks]


def load(path: Path) -> list[Marked]:
    """The marked-up answers in a file."""
    return parse(path.read_text())


def _answer(block: str) -> Marked:
    head, _, body = block.partition("\n")
    identity, style = head.split()
    return Marked(identity, style, tuple(_segments(body.strip())))


def _segments(body: str) -> list[Segment]:
    segments: list[Segment] = []
    at = 0
    for mark in _MARK.finditer(body):
        segments.append(Segment(body[at : mark.start()]))
        segments.append(Segment(mark.group(2), _labels(mark.group(1))))
        at = mark.end()
    segments.append(Segment(body[at:]))
    return [segment for segment in segments if segment.text]


def _labels(names: str) -> frozenset[str]:
    labels = frozenset(names.split(","))
    if labels - set(LABELS):
        raise ValueError(f"no such label: {', '.join(sorted(labels - set(LABELS)))}")
    return labels


def _verdict(axis: str, labels: frozenset[str]) -> str:
    if axis + "+" in labels:
        return "commits"
    return "rejects" if axis + "-" in labels else "silent"
