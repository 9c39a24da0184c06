"""Endless labelled answers, put together from hand-written claims and dressed in voices.

A claim may be said, quoted and refused, or taken back: the wrapper decides what
the claim's words count for. Every answer comes as segments with labels, so that
the labels stay with the words through every change of voice.
"""

import random
import re
from dataclasses import dataclass
from pathlib import Path

from tests.checking.markup import AXES, LABELS, POINTS, Segment
from tests.checking.training.augment import may_be_cut, mixed
from tests.checking.training.lines import Line
from tests.checking.training.voices import VOICES, dress

# Labels that a fragment written for the key may carry too: neither true nor false there.
MAYBE = {
    "rt": {"ra", "oc", "bw"},
    "ra": {"rt"},
    "bw": {"rt", "D-"},
    "rd": {"oc"},
    "la": {"rt"},
    "oc": {"rt", "rd"},
    "F+": {"ra", "rt"},
    "F-": {"ra", "rt", "bw"},
    "M+": {"oc", "bw"},
    "M-": {"S-"},
    "D+": set(),
    "D-": {"bw"},
    "B+": {"rt"},
    "B-": {"ra", "rt"},
    "S+": {"ra"},
    "S-": {"ra", "M-"},
}

_TRAFFIC = re.compile(r"traffic|byte|transfer|trip|memory|read|move|dram|hbm|chain|pass")
BORROWED = 0.65  # share of answers that were written whole by hand
_MIXED = 0.35  # share of those that are sentences of several


@dataclass(frozen=True, slots=True)
class Claim:
    """One hand-written fragment; `clause` when it can stand behind 'people say that'."""

    text: str
    label: str
    clause: bool


@dataclass(frozen=True, slots=True)
class Pool:
    """All that answers are put together from."""

    claims: dict[str, tuple[Claim, ...]]
    neutral: tuple[str, ...]
    wrappers: dict[str, tuple[str, ...]]
    answers: tuple[Line, ...]
    loose: tuple[Line, ...]  # those of which the sentences can stand apart


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer to learn from.

    `maybe` are labels that must not be learned from it; `unplaced` are true of
    it, but nobody marked the words.
    """

    segments: tuple[Segment, ...]
    maybe: frozenset[str]
    unplaced: frozenset[str] = frozenset()


def load_pool(fragments: Path, answers: tuple[Line, ...]) -> Pool:
    """Read the fragments' folder: one file for each claim and sign."""
    claims = {label: _claims(fragments / name, label) for label, name in _files().items()}
    wrappers: dict[str, list[str]] = {"flip": [], "keep": [], "void": []}
    for line in _lines(fragments / "wrappers.txt"):
        kind, _, pattern = line.partition("\t")
        wrappers[kind].append(pattern)
    loose = tuple(line for line in answers if may_be_cut(line))
    frozen = {kind: tuple(patterns) for kind, patterns in wrappers.items()}
    return Pool(claims, tuple(_lines(fragments / "neutral.txt")), frozen, answers, loose)


def compose(pool: Pool, rng: random.Random) -> Composed:
    """One made answer."""
    voice = rng.choice(VOICES)
    if pool.answers and rng.random() < BORROWED:
        return _borrowed(_answer(pool, rng), voice, rng)
    groups = _groups(pool, rng)
    rng.shuffle(groups)
    segments = [segment for group in groups for segment in group]
    present = frozenset().union(*(segment.labels for segment in segments))
    maybe = frozenset().union(*(_maybe(segment) for segment in segments)) - present
    return Composed(dress(groups, voice, rng), maybe)


def _maybe(segment: Segment) -> frozenset[str]:
    """What the segment may say besides; nothing of traffic where it has no word of it."""
    maybe = frozenset().union(*(MAYBE[label] for label in segment.labels))
    if segment.labels & {"F+", "F-", "S+"} and not _TRAFFIC.search(segment.text.lower()):
        return maybe - {"ra", "rt"}
    return maybe


def _answer(pool: Pool, rng: random.Random) -> Line:
    if len(pool.loose) > 3 and rng.random() < _MIXED:
        return mixed(rng.sample(pool.loose, rng.choice((1, 2, 2, 3))), rng)
    return rng.choice(pool.answers)


def _borrowed(line: Line, voice: str, rng: random.Random) -> Composed:
    """A hand-written answer, whole, half of the time in another voice."""
    segments = line.segments
    if rng.random() < 0.5:
        segments = dress([list(segments)], voice, rng, join=False)
    return Composed(segments, line.open, line.unplaced)


def _groups(pool: Pool, rng: random.Random) -> list[list[Segment]]:
    rate = rng.choice((0.12, 0.25, 0.4))
    groups = [_axis(pool, axis, rng) for axis in AXES if rng.random() < rate * 1.6]
    groups += [_point(pool, point, rng) for point in POINTS if rng.random() < rate]
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        groups.append([Segment(rng.choice(pool.neutral))])
    return groups or [[Segment(rng.choice(pool.neutral))]]


def _axis(pool: Pool, axis: str, rng: random.Random) -> list[Segment]:
    sign, other = rng.sample(("+", "-"), 2)
    claim = rng.choice(pool.claims[axis + sign])
    draw = rng.random()
    if draw < 0.14:
        return _taken_back(pool, claim, axis + other, rng)
    if claim.clause and draw < 0.34:
        return [_wrapped(pool, "flip", claim, frozenset({axis + other}), rng)]
    if claim.clause and draw < 0.5:
        return [_wrapped(pool, "keep", claim, frozenset({axis + sign}), rng)]
    if claim.clause and draw < 0.54:
        return [_wrapped(pool, "void", claim, frozenset(), rng)]
    return [Segment(claim.text, frozenset({claim.label}))]


def _point(pool: Pool, point: str, rng: random.Random) -> list[Segment]:
    claim = rng.choice(pool.claims[point])
    draw = rng.random()
    if claim.clause and draw < 0.08:
        return [_wrapped(pool, "flip", claim, frozenset(), rng)]
    if claim.clause and draw < 0.25:
        return [_wrapped(pool, "keep", claim, frozenset({point}), rng)]
    return [Segment(claim.text, frozenset({point}))]


def _wrapped(
    pool: Pool, kind: str, claim: Claim, labels: frozenset[str], rng: random.Random
) -> Segment:
    return Segment(rng.choice(pool.wrappers[kind]).replace("{c}", claim.text), labels)


_TURNS = (
    ", no wait, ", ", actually no, ", ". Hmm, no: ", ", sorry, ", ". Scratch that, ",
    ", or rather ",
    ". On second thoughts, ", ", well, in truth ", ". Correction: ", ", no no, ", ", I mean, no, ",
)  # fmt: skip
_QUOTES = (
    ("people say ", ", but "), ("many think ", "; in fact "), ("some claim ", ". But "),
    ("you'd think ", ", yet "), ("I once believed ", ". Now I know that "),
    ("the blog says ", ", but "),
    ("it looks as if ", ", however "), ("my first thought was ", " but "), ("rather than ", ", "),
)  # fmt: skip


def _taken_back(pool: Pool, claim: Claim, label: str, rng: random.Random) -> list[Segment]:
    """The claim, then its opposite: only the last word counts."""
    last = Segment(rng.choice(pool.claims[label]).text, frozenset({label}))
    if claim.clause and rng.random() < 0.5:
        before, between = rng.choice(_QUOTES)
        return [Segment(before + claim.text + between), last]
    return [Segment(claim.text + rng.choice(_TURNS)), last]


def _files() -> dict[str, str]:
    signs = {"+": "says", "-": "rejects"}
    axes = {a + s: f"{AXES[a][0]}.{name}.txt" for a in AXES for s, name in signs.items()}
    return axes | {point: f"{name}.txt" for point, name in POINTS.items()}


def _claims(path: Path, label: str) -> tuple[Claim, ...]:
    lines = _lines(path)
    return tuple(Claim(line.removeprefix("~"), label, not line.startswith("~")) for line in lines)


def _lines(path: Path) -> list[str]:
    lines = path.read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


assert set(MAYBE) == set(LABELS)
