"""What the verifier learns from: a claim in words, a stretch of an answer, and what it says of it.

The answers are those that the network learns from (compose.py), cut to windows
as the checker cuts them. A claim is told in the card's words or in other ones, so
that the verifier compares meanings.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.checking.wordpiece import END, START
from tests.checking.first_card import load
from tests.checking.markup import AXES, LABELS, POINTS, Segment
from tests.checking.training.compose import Composed, Pool, compose
from tests.checking.training.packed import Cutter, hidden, reworded_sometimes
from tests.checking.training.subjects import Subject, batch_of

SAYS, DENIES, NEITHER = range(3)
WINDOW = 96  # pieces of an answer that are read together with a claim
CLAIM = 40  # pieces of a claim
_SHORTEST = 40  # windows in training are of any length from here
_OTHERS = 0.15  # share of the answers that are on other subjects
_CARD = 0.5  # share of the claims that are told as the card tells them
_TURNED = 0.12  # share of the axes that are asked about by their opposite
_POINTS = 0.1  # share of the questions that are about a key point
_ALL = 0.4  # share of the short answers that are read whole
_WHOLE = 0.7  # least share of a marked stretch that a window holds, if it holds any

Claims = Mapping[str, Sequence[str]]  # a label -> sentences that say it
Labels = set[str | None]
Cut = tuple[list[int], list[frozenset[str]]]  # an answer's pieces and the labels of each


@dataclass(frozen=True, slots=True)
class Pair:
    """Ids of '[start] claim [end] words [end]', how many stand before the words, the verdict."""

    ids: list[int]
    before: int
    verdict: int


def pairs(
    pool: Pool, others: tuple[Subject, ...], cutter: Cutter, rng: random.Random
) -> Iterator[Pair]:
    """Pairs without end."""
    claims = {label: [c.text for c in pool.claims[label]] for label in LABELS}
    card = card_claims()
    while True:
        if rng.random() < _OTHERS / 8:
            answers, told = batch_of(others, pool.wrappers, 8, rng)
            each = len(told) // len(LABELS)
            theirs = {label: told[i * each :][:each] for i, label in enumerate(LABELS)}
            made = [pair(answer, theirs, {}, cutter, rng) for answer in answers]
        else:
            answer = reworded_sometimes(compose(pool, rng), rng)
            made = [pair(answer, claims, card, cutter, rng)]
        yield from (one for one in made if one is not None)


def card_claims() -> dict[str, str]:
    """What the first card says of each pitfall, by its label: what the checker asks about."""
    card = load()
    return {axis + "+": card.pitfall(ref).says for axis, (ref, _) in AXES.items()}


def joined(claim: list[int], words: list[int], verdict: int = NEITHER) -> Pair:
    """A claim's pieces and an answer's as the verifier reads them."""
    head = [START, *claim, END]
    return Pair([*head, *words, END], len(head), verdict)


def pair(
    made: Composed, claims: Claims, card: Mapping[str, str], cutter: Cutter, rng: random.Random
) -> Pair | None:
    """One question about an answer; None where its words can't tell."""
    label = _asked(made, rng)
    if label is None:
        return None
    opposite = label[0] + "-" if label.endswith("+") else None
    ids, marks = _cut(made.segments, cutter)
    window = _window(marks, made.unplaced, {label, opposite}, rng)
    if window is None:
        return None
    inside = frozenset().union(*(marks[i] for i in window)) | made.unplaced
    verdict = SAYS if label in inside else DENIES if opposite in inside else NEITHER
    text = card[label] if label in card and rng.random() < _CARD else rng.choice(claims[label])
    if opposite and rng.random() < _TURNED:
        verdict = {SAYS: DENIES, DENIES: SAYS}.get(verdict, verdict)
        text = rng.choice(claims[opposite])
    words = hidden([ids[i] for i in window], cutter, rng)
    return joined(cutter.ids(text)[:CLAIM], words, verdict)


def _asked(made: Composed, rng: random.Random) -> str | None:
    """The label to ask about, rather one that the answer speaks of."""
    labels = frozenset().union(*(s.labels for s in made.segments)) | made.unplaced
    open_ones = made.maybe
    if rng.random() < _POINTS:
        choice = [p for p in POINTS if p not in open_ones]
        return rng.choice(choice) if choice else None
    axes = [a for a in AXES if not {a + "+", a + "-"} & open_ones]
    weights = [4 if {a + "+", a + "-"} & labels else 1 for a in axes]
    return rng.choices(axes, weights)[0] + "+" if axes else None


def _cut(segments: tuple[Segment, ...], cutter: Cutter) -> Cut:
    ids: list[int] = []
    marks: list[frozenset[str]] = []
    for segment in segments:
        pieces = cutter.ids(segment.text)
        ids += pieces
        marks += [segment.labels] * len(pieces)
    return ids, marks


def _window(
    marks: list[frozenset[str]], unplaced: frozenset[str], relevant: Labels, rng: random.Random
) -> range | None:
    """The pieces to read; None where they would cut what matters, or nobody knows."""
    places = [i for i, on in enumerate(marks) if on & relevant]
    if unplaced & relevant:
        return range(len(marks)) if 0 < len(marks) <= WINDOW else None
    window = _around(places, len(marks), rng)
    missed = places and not any(marks[i] & relevant for i in window)
    return None if missed or not window or _torn(marks, window, relevant) else window


def _around(places: list[int], length: int, rng: random.Random) -> range:
    """All of a short answer, or some of it around one of the places."""
    if length <= WINDOW and rng.random() < _ALL:
        return range(length)
    size = rng.randint(_SHORTEST, WINDOW)
    middle = rng.choice(places) if places else rng.randrange(max(1, length))
    start = max(0, min(middle - size // 2 + rng.randint(-size // 4, size // 4), length - size))
    return range(start, min(length, start + size))


def _torn(marks: list[frozenset[str]], window: range, relevant: Labels) -> bool:
    """Whether an edge goes through a stretch that matters, and leaves much of it outside."""
    edges = ((window[0], 1), (window[-1], -1))
    return any(_share(marks, edge, step, relevant) < _WHOLE for edge, step in edges)


def _share(marks: list[frozenset[str]], edge: int, step: int, relevant: Labels) -> float:
    """Of the stretch at an edge, the share that lies inside; 1 where none matters."""
    inside = _run(marks, edge, step, relevant)
    outside = _run(marks, edge - step, -step, relevant)
    return inside / (inside + outside) if inside else 1.0


def _run(marks: list[frozenset[str]], at: int, step: int, relevant: Labels) -> int:
    length = 0
    while 0 <= at < len(marks) and marks[at] & relevant:
        length, at = length + 1, at + step
    return length
