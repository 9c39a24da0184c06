"""Answers on other subjects, with their own claims in the places of the card's sixteen.

The network that only ever saw one card's claims would know those by heart. Here
the claims, and the sentences that stand for them, are drawn anew for each batch.
"""

import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.checking.markup import LABELS, Segment
from tests.checking.training.compose import Composed
from tests.checking.training.voices import VOICES, dress

STATEMENTS = 2  # that stand for a claim; the answers use others
_PAIRS = [(label, label[0] + "-") for label in LABELS if label.endswith("+")]
_SINGLES = [label for label in LABELS if label[-1] not in "+-"]

Wrappers = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Subject:
    """A claim of some subject: sentences that say it, and that say the opposite."""

    says: tuple[str, ...]
    denies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a claim in one batch: what stands for it, and what answers use."""

    label: str | None  # None for a side that nothing is asked about
    opposite: str | None
    stand_for: tuple[str, ...]
    used: tuple[str, ...]


def load_subjects(path: Path) -> tuple[Subject, ...]:
    """Read the file of other subjects: '@name', then '+ says' and '- denies' lines."""
    subjects: list[Subject] = []
    for block in path.read_text().split("\n@")[1:]:
        lines = block.splitlines()[1:]
        says = tuple(line[2:] for line in lines if line.startswith("+ "))
        denies = tuple(line[2:] for line in lines if line.startswith("- "))
        subjects.append(Subject(says, denies))
    return tuple(subjects)


def batch_of(
    subjects: tuple[Subject, ...], wrappers: Wrappers, size: int, rng: random.Random
) -> tuple[list[Composed], list[str]]:
    """Answers on drawn claims, and the sentences that stand for each label, label by label."""
    drawn = rng.sample(subjects, len(_PAIRS) + len(_SINGLES))
    sides = [
        side
        for subject, labels in zip(drawn, _PAIRS, strict=False)
        for side in _sides(subject, *labels, rng)
    ]
    for subject, label in zip(drawn[len(_PAIRS) :], _SINGLES, strict=True):
        turned = subject if rng.random() < 0.5 else Subject(subject.denies, subject.says)
        sides += _sides(turned, label, None, rng)
    by_label = {side.label: side.stand_for for side in sides if side.label}
    compose = partial(_answer, sides, wrappers)
    return [compose(rng) for _ in range(size)], [s for label in LABELS for s in by_label[label]]


def _sides(subject: Subject, says: str, denies: str | None, rng: random.Random) -> list[Side]:
    for_says = rng.sample(subject.says, len(subject.says))
    for_denies = rng.sample(subject.denies, len(subject.denies))
    return [
        Side(says, denies, tuple(for_says[:STATEMENTS]), tuple(for_says[STATEMENTS:])),
        Side(denies, says, tuple(for_denies[:STATEMENTS]), tuple(for_denies[STATEMENTS:])),
    ]


def _answer(sides: list[Side], wrappers: Wrappers, rng: random.Random) -> Composed:
    chosen = rng.sample(sides, rng.choice((1, 1, 2, 2, 3, 4)))
    groups = [[_said(side, wrappers, rng)] for side in chosen]
    return Composed(dress(groups, rng.choice(VOICES), rng), frozenset())


def _said(side: Side, wrappers: Wrappers, rng: random.Random) -> Segment:
    words, draw = rng.choice(side.used), rng.random()
    if draw < 0.2:
        return Segment(_wrapped("flip", words, wrappers, rng), _only(side.opposite))
    if draw < 0.35:
        return Segment(_wrapped("keep", words, wrappers, rng), _only(side.label))
    return Segment(words, _only(side.label))


def _wrapped(kind: str, words: str, wrappers: Wrappers, rng: random.Random) -> str:
    return rng.choice(wrappers[kind]).replace("{c}", words.removesuffix("."))


def _only(label: str | None) -> frozenset[str]:
    return frozenset({label}) if label else frozenset()
