"""What an answer makes of a key point: covered by which words, or not found.

The network has to be fairly sure of a sentence, or less sure with a cue that agrees;
words that turn the point, or that are about something else, don't make it.
"""

import re
from collections.abc import Iterator

from app.domain.checking.contrary import is_contrary
from app.domain.checking.findings import Finding, Kind, State
from app.domain.checking.looked import Looked, found, opposite
from app.domain.checking.sighting import NOWHERE, Sighting
from app.domain.checking.stance import Stance, sentence_around
from app.domain.checking.weighing import GRAMMAR, NETWORK
from app.domain.rubric import KeyPoint

# A word, or two numbers set against each other.
_STATES = re.compile(r"[^\W\d_]{2,}|\d\w*\s*(?:[→⇒÷/:|]|[-=]>|vs)\s*\d")
_COVERED, _WITH_GRAMMAR = 0.5, 0.2  # probabilities from which the network's word counts
_FEW, _OF_FEW = 5, 0.6  # words to show; of fewer, the network must be surer
_UNNAMED = 0.72  # how sure it must be where the words don't name what the point is about
_FEWEST_WORDS = 3  # to show, where the sentence has as many

Span = tuple[int, int]


def key_point_in(point: KeyPoint, looked: Looked) -> Finding:
    """The finding on a key point: covered with the words that show it, or not found."""
    shown = next(_ways(point, looked), None)
    if shown is None:
        return Finding(Kind.KEY_POINT, point.id, State.NOT_FOUND)
    signs, span = shown
    return found(point.id, State.COVERED, signs, _wide_enough(span, looked))


def _ways(point: KeyPoint, looked: Looked) -> Iterator[tuple[tuple[str, ...], Span]]:
    """The ways in which the answer makes the point: what sees it, and the words."""
    said = list(_said(point, looked))
    name = opposite(point.opposes) if point.opposes else point.id
    if name not in looked.seen:  # a card whose subject the network doesn't know
        yield from (((GRAMMAR,), span) for span in said)
        return
    seen = looked.seen[name]
    signs = (NETWORK, GRAMMAR) if said else (NETWORK,)
    closer = () if _is_contested(point, looked) else seen.sentences
    for one in (seen, *closer):
        if one.probability >= _COVERED and _makes(point, one, looked, cued=bool(said)):
            yield signs, (one.start, one.end)
    if max(one.probability for one in (seen, *seen.sentences)) >= _WITH_GRAMMAR:
        yield from (((GRAMMAR, NETWORK), span) for span in said)


def _is_contested(point: KeyPoint, looked: Looked) -> bool:
    """Whether the whole answer seems to say the opposite, which no sentence alone outweighs."""
    return looked.seen.get(point.opposes or "", NOWHERE).probability >= _COVERED


def _said(point: KeyPoint, looked: Looked) -> Iterator[Span]:
    """Where cues find the point made, in order."""
    text = looked.reading.text
    for mention in sorted(looked.reading.key_points[point.id], key=lambda m: (m.first, m.last)):
        turned = is_contrary(point.asserts, text, mention.first, mention.last)
        if mention.stance is Stance.SAYS and not turned:
            yield text.span(mention.first, mention.last)


def _makes(point: KeyPoint, seen: Sighting, looked: Looked, *, cued: bool) -> bool:
    """Whether the words that the network saw can say the point, and don't turn it."""
    text = looked.reading.text
    if is_contrary(point.asserts, text, *text.words_of(seen.start, seen.end)):
        return False
    if cued:
        return True
    words = looked.answer[seen.start : seen.end]
    says = _STATES.search(words) and (len(words.split()) >= _FEW or seen.probability >= _OF_FEW)
    return bool(says) and _names(point, seen, looked)


def _names(point: KeyPoint, seen: Sighting, looked: Looked) -> bool:
    """Whether the words, or those near, name what a point against a pitfall is about."""
    if not point.opposes or seen.probability >= _UNNAMED:
        return True
    return looked.reading.is_about(point.opposes, seen.start, seen.end)


def _wide_enough(span: Span, looked: Looked) -> Span:
    """The span, or three words around it of the same sentence where it has less."""
    text = looked.reading.text
    first, last = text.words_of(*span)
    short = _FEWEST_WORDS - len(looked.answer[span[0] : span[1]].split())
    if short <= 0:
        return span
    start, end = text.span(*sentence_around(text, first, last, short))
    return min(span[0], start), max(span[1], end)
