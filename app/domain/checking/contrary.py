"""Whether the words that seem to make a key point say its opposite.

The network knows what words speak of better than which way they turn it: 'adds
launches' is near 'fewer launches'. Which way a point goes, its own sentences show
(sides.py); words that go another way, or lack the numbers that all of its sentences
have, don't make it.
"""

import re
from functools import lru_cache

from app.domain.checking import frames
from app.domain.checking.amounts import grows, is_count
from app.domain.checking.sides import AXES, Sides, sides
from app.domain.checking.stance import sentence_around
from app.domain.checking.words import BREAK, PAUSE, Text, read

_SHORT = 3  # words of a clause before the words' own that still belong to it: 'fused or not, …'
_CLAUSE = 24  # words on either side that can be of the same clause, in speech without stops
_NEAR = 12  # words on either side that are looked at for numbers: 'Before: seven. After: three.'
# Where things are as they were before, 'more' and 'still' say what is saved.
_AS_BEFORE = re.compile(
    r"(?<!\S)(?:unfused|separate\w*|otherwise|without|naive\w*|by (?:itself|themselves)) "
)


def is_contrary(statements: tuple[str, ...], text: Text, first: int, last: int) -> bool:
    """Whether the words [first, last) turn what the statements say, or lack its numbers."""
    if _are_counts(statements):
        near = _joined(text, max(0, first - _NEAR), last + _NEAR)
        return grows(_joined(text, *sentence_around(text, first, last, _NEAR))) or not is_count(
            near
        )
    words = _joined(text, *_clause(text, first, last))
    return _is_turned(_sides_of(statements), sides(words), _AS_BEFORE.search(words) is not None)


def _is_turned(claim: Sides, said: Sides, as_before: bool) -> bool:
    """Whether what is said takes another side than the claim on one axis, and its side on none."""
    against = False
    for axis, sided in claim.items():
        if said[axis] & sided:
            return False
        against |= bool(said[axis] - {"same"}) and not as_before
    return against


@lru_cache(maxsize=256)
def _sides_of(statements: tuple[str, ...]) -> Sides:
    """The axes on which most of the statements take a side, and the sides they take."""
    each = [sides(read(statement).joined) for statement in statements]
    return {
        axis: frozenset().union(*(taken[axis] for taken in each))
        for axis in AXES
        if 2 * sum(bool(taken[axis]) for taken in each) > len(each)
    }


@lru_cache(maxsize=256)
def _are_counts(statements: tuple[str, ...]) -> bool:
    return bool(statements) and all(is_count(read(statement).joined) for statement in statements)


def _clause(text: Text, first: int, last: int) -> tuple[int, int]:
    """The words [first, last) with the rest of their clauses, and a short one before them."""
    most = min(len(text.words), last + _CLAUSE)
    while last < most and not _ends(text, last):
        last += 1
    first = _clause_start(text, first)
    before = _clause_start(text, first - 1) if first and text.words[first - 1].text == PAUSE else 0
    return (before if 0 < first - 1 - before <= _SHORT else first), last


def _clause_start(text: Text, first: int) -> int:
    least = max(0, first - _CLAUSE)
    while first > least and not _ends(text, first - 1):
        first -= 1
    return first


def _ends(text: Text, at: int) -> bool:
    word = text.words[at].text
    return word in (BREAK, PAUSE) or word in frames.CLAUSE_ENDS


def _joined(text: Text, first: int, last: int) -> str:
    return "".join(word.text + " " for word in text.words[first:last])
