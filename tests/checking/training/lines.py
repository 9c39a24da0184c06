"""The seen answers, as segments to learn from.

The marked-up ones say which words carry each label; the JSON lines say it only
for the pitfalls that are committed, and leave the rest of the words open.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.checking.markup import AXES, POINTS, Marked, Segment, load
from tests.checking.scoring import HERE, written

ANSWERS = HERE / "answers"
_LATER = frozenset("lmnopq")  # the first letters of the later answers' ids


@dataclass(frozen=True, slots=True)
class Line:
    """A seen answer; `open` labels are undecided, `unplaced` ones true without their words."""

    segments: tuple[Segment, ...]
    open: frozenset[str] = frozenset()
    unplaced: frozenset[str] = frozenset()


def seen_lines() -> tuple[Line, ...]:
    """Every seen answer to learn from: the marked-up ones and the seen part of the written ones."""
    marked = [Line(answer.segments) for answer in _marked() if not is_kept_back(answer)]
    return tuple(marked + [of_record(record) for record in written(seen=True)])


def kept_back() -> tuple[Marked, ...]:
    """The seen answers that nothing is learned from; the checker's bars are chosen by them."""
    return tuple(answer for answer in _marked() if is_kept_back(answer))


def is_kept_back(answer: Marked) -> bool:
    """A seventh of the later files; the network of the earlier days has learned from the others."""
    later = answer.id[0] in _LATER
    return later and int(sha256(answer.text.encode()).hexdigest(), 16) // 11 % 7 == 0


def _marked() -> list[Marked]:
    return [answer for path in sorted(ANSWERS.glob("seen*.txt")) for answer in load(path)]


def of_record(record: dict[str, Any]) -> Line:
    """A labelled JSON line as segments cut at its evidence."""
    truth = {mark: record["key_points"][name] for mark, name in POINTS.items()}
    for axis, (pitfall, _) in AXES.items():
        verdict = record["pitfalls"][pitfall]
        truth[axis + "+"] = None if verdict is None else verdict == "commits"
        truth[axis + "-"] = None if verdict is None else verdict == "rejects"
    segments = _segments(record)
    placed = frozenset().union(*(s.labels for s in segments))
    true = frozenset(label for label, value in truth.items() if value)
    undecided = frozenset(label for label, value in truth.items() if value is None)
    return Line(segments, undecided, true - placed)


def _segments(record: dict[str, Any]) -> tuple[Segment, ...]:
    text = record["text"]
    marks = {pitfall: axis + "+" for axis, (pitfall, _) in AXES.items()}
    spans = sorted(
        (text.find(words), text.find(words) + len(words), marks[ref])
        for ref, words in record["evidence"].items()
    )
    segments: list[Segment] = []
    at = 0
    for start, end, label in spans:
        if start < at:  # overlaps the one before, or does not occur
            continue
        segments += [Segment(text[at:start]), Segment(text[start:end], frozenset({label}))]
        at = end
    segments.append(Segment(text[at:]))
    return tuple(segment for segment in segments if segment.text)
