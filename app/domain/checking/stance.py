"""Whose claim it is and with which sign: said, denied, quoted, hedged, taken back.

Works on the words around a found claim, by general English only: no word of
any card stands here.
"""

from enum import StrEnum

from app.domain.checking import frames
from app.domain.checking.matching import Hit
from app.domain.checking.words import BREAK, PAUSE, Text

_BEFORE = 10  # words before a claim in which a negation can govern it
_LIST = 40  # words on either side of a claim that are looked at for a mere list of terms
_AFTER = 14  # words after a claim in which it can be taken back
_FRAME = 24  # words before a claim in which its speaker can be named


class Stance(StrEnum):
    """How the answer stands to the words of a claim."""

    SAYS = "says"
    DENIES = "denies"
    UNSURE = "unsure"  # quoted without a verdict, or only supposed


def stance(text: Text, hit: Hit) -> Stance:
    """How the answer stands to the claim found at `hit`."""
    after = _after(text, hit.last)
    if is_struck(text, hit.first, hit.last):
        return Stance.DENIES
    if frames.TAKEN_BACK.match(after):
        return Stance.DENIES
    denied = _negations(text, hit) % 2 == 1
    frame = _frame(text, hit.parts[-1][0])
    if frames.REFUSED_FRAME.search(frame):
        return Stance.DENIES
    if frames.QUOTED.search(frame) and not denied:
        return _quoted(after)
    if not denied and frames.SUPPOSED.search(_clause_before(text, hit.first)):
        return Stance.UNSURE
    return Stance.DENIES if denied else Stance.SAYS


def is_struck(text: Text, first: int, last: int) -> bool:
    """Whether the words [first, last) are crossed out, taken back or to be corrected."""
    before, after = _frame(text, first), _after(text, last)
    return bool(frames.STRUCK_BEFORE.search(before) or frames.STRUCK_AFTER.match(after))


def is_of_another_case(text: Text, first: int, last: int) -> bool:
    """Whether the sentence of the words [first, last) tells of a case that isn't asked about."""
    start, end = sentence_around(text, first, last, _LIST)
    return frames.OTHER_CASE.match(_joined(text, start, end)) is not None


def is_elliptic(text: Text, first: int, last: int) -> bool:
    """Whether the words [first, last) say no more than that words before them are true of them."""
    return frames.ELLIPSIS.match(_joined(text, first, last)) is not None


def is_hedged(text: Text, hit: Hit) -> bool:
    """Whether the claim comes with 'might', 'maybe' or their like."""
    first = max(0, hit.first - _BEFORE // 2)
    return any(word.text in frames.HEDGED for word in text.words[first : hit.last])


def is_word_list(text: Text, hit: Hit) -> bool:
    """Whether the sentence only strings terms together: 'roofline, FLOPs, fusion, Amdahl'."""
    first, last = sentence_around(text, hit.first, hit.last, _LIST)
    words = [word.text for word in text.words[first:last]]
    pauses = words.count(PAUSE)
    return pauses >= 3 and 3 * pauses > len(words) - pauses and not frames.GLUE.intersection(words)


def sentence_around(text: Text, first: int, last: int, most: int) -> tuple[int, int]:
    """The words [first, last) and at most `most` on either side of the same sentence."""
    start, end = first, last
    while start > 0 and text.words[start - 1].text != BREAK and first - start < most:
        start -= 1
    while end < len(text.words) and text.words[end].text != BREAK and end - last < most:
        end += 1
    return start, end


def _quoted(after: str) -> Stance:
    if frames.AGREED_LATER.match(after):
        return Stance.SAYS
    return Stance.DENIES if frames.REJECTED_LATER.match(after) else Stance.UNSURE


def _negations(text: Text, hit: Hit) -> int:
    """How many negating words govern the claim: in its clause before it, and in its gaps."""
    inside = _last_clause([text.words[i].text for i in hit.gaps()])
    return _count(inside) + _count(_clause_before(text, hit.first).split())


def _last_clause(words: list[str]) -> list[str]:
    ends = [i for i, word in enumerate(words) if _ends_clause(word)]
    return words[ends[-1] + 1 :] if ends else words


def _count(words: list[str]) -> int:
    joined = frames.NOT_NEGATING.sub("", "".join(word + " " for word in words))
    return sum(word in frames.NEGATORS for word in joined.split())


def _clause_before(text: Text, first: int) -> str:
    """The words of the same clause before the claim, at most `_BEFORE`."""
    start = first
    while start > max(0, first - _BEFORE) and not _ends_clause(text.words[start - 1].text):
        start -= 1
    return "".join(word.text + " " for word in text.words[start:first])


def _ends_clause(word: str) -> bool:
    return word in (BREAK, PAUSE) or word in frames.CLAUSE_ENDS


def _frame(text: Text, first: int) -> str:
    """The words of the same sentence before the claim, after a last 'but'."""
    start = first
    while start > max(0, first - _FRAME) and text.words[start - 1].text not in (BREAK, "but"):
        start -= 1
    return "".join(word.text + " " for word in text.words[start:first])


def _after(text: Text, last: int) -> str:
    return _joined(text, last, last + _AFTER)


def _joined(text: Text, first: int, last: int) -> str:
    return "".join(word.text + " " for word in text.words[first:last])
