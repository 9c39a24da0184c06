"""Sentences in place of cues: a claim without cues is found by the words of its statements.

A stretch of the answer is like a statement when it has most of its telling
words. A word tells more the fewer of the card's claims use it. With as many
negations, more or less an even number, it says the same; else the opposite.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checking.frames import NEGATORS
from app.domain.checking.stance import Stance
from app.domain.checking.words import BREAK, PAUSE, Text, read

_STRETCH, _STEP = 26, 9  # words compared at once in long sentences, and from one to the next
_ENOUGH = 0.45  # share of a statement's telling words
_STEM = 5  # letters by which two words count as one: 'approximate', 'approximation'
_PLAIN = frozenset(
    """a an and are as at be because been but by can do for from get had has have he how i if in is
    it its just like more of on one or our out so than that the their them then there they this to
    up was we were what when where which while who will with would you your 1""".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Likeness:
    """A stretch of the answer [first, last) that says a claim or denies it."""

    stance: Stance
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim's sentence as telling stems and the parity of its negations."""

    stems: frozenset[str]
    negated: bool


def weights(card: Card) -> dict[str, float]:
    """How much each stem tells: one over the number of the card's claims that use it."""
    claims = [p.asserts for p in card.key_points] + [p.asserts + p.rejects for p in card.pitfalls]
    used: Counter[str] = Counter()
    for statements in claims:
        used.update({stem for text in statements for stem in _statement(text).stems})
    return {stem: 1 / times for stem, times in used.items()}


def alike(text: Text, statements: tuple[str, ...], tells: dict[str, float]) -> list[Likeness]:
    """The stretches of the answer that are like one of the statements, in order."""
    sentences = [_statement(statement) for statement in statements]
    found = [
        _compared(text, stretch, sentence, tells)
        for stretch in _stretches(text)
        for sentence in sentences
    ]
    return [likeness for likeness in found if likeness is not None]


def _compared(
    text: Text, stretch: range, statement: Statement, tells: dict[str, float]
) -> Likeness | None:
    words = [text.words[i].text for i in stretch]
    shared = statement.stems & _stems(words)
    whole = sum(tells.get(stem, 1.0) for stem in statement.stems)
    if len(shared) < 2 or sum(tells.get(stem, 1.0) for stem in shared) < _ENOUGH * whole:
        return None
    same = _negated(words) == statement.negated
    return Likeness(Stance.SAYS if same else Stance.DENIES, stretch.start, stretch.stop)


def _statement(text: str) -> Statement:
    words = [word.text for word in read(text).words]
    return Statement(_stems(words), _negated(words))


def _stems(words: list[str]) -> frozenset[str]:
    plain = _PLAIN | NEGATORS | {BREAK, PAUSE}
    return frozenset(word[:_STEM] for word in words if word not in plain)


def _negated(words: list[str]) -> bool:
    return sum(word in NEGATORS for word in words) % 2 == 1


def _stretches(text: Text) -> Iterator[range]:
    """Each sentence, long ones in overlapping parts."""
    start = 0
    for end in [i for i, word in enumerate(text.words) if word.text == BREAK] + [len(text.words)]:
        for at in range(start, max(start + 1, end - _STRETCH + _STEP), _STEP):
            if at < min(at + _STRETCH, end):
                yield range(at, min(at + _STRETCH, end))
        start = end + 1
