"""Whether words that seem to fall into a pitfall are the answer's own claim.

They aren't where they are quoted, struck out, refused by a 'No.' of its own, or say no
more than 'so do the others'; or where numbers or another case make them a different claim.
"""

import re

from app.domain.checking.amounts import belies
from app.domain.checking.looked import Looked
from app.domain.checking.sighting import Sighting
from app.domain.checking.stance import is_elliptic
from app.domain.rubric import Pitfall

_REFUSED_WITHIN = 300  # characters after the words
# A sentence that throws out what stands before it in its paragraph, or asks itself; one that
# answers a question asked after the words does not.
_REFUSAL = re.compile(
    r"[^?\n]*?(?:^|[.!…;]['\"”)]*|^[^.!?\n]*\?|\n)\s*"
    r"(?:no|nope|nah|wrong|nonsense|rubbish|not at all|of course not|not so|not quite|all wrong"
    r"|none of (?:that|this|it|those|these))(?: is (?:true|so|right|the case)| happens| holds)?"
    r"[.!;](?:\s|$)",
    re.IGNORECASE,
)


def is_disowned(says: Sighting, looked: Looked) -> bool:
    """Whether the words are somebody else's, thrown out, or hang on others."""
    text = looked.reading.text
    return (
        looked.reading.is_struck(says.start, says.end)
        or is_elliptic(text, *text.words_of(says.start, says.end))
        or _is_quoted(looked.answer, says)
        or _is_refused(looked.answer, says)
    )


def is_beside(pitfall: Pitfall, says: Sighting, looked: Looked) -> bool:
    """Whether numbers in the words, or the case that they are of, make them another claim."""
    numbers = belies(pitfall.says, looked.answer[says.start : says.end])
    return numbers or looked.reading.lacks(pitfall.id, says.start, says.end)


def _is_quoted(answer: str, sighting: Sighting) -> bool:
    """Whether the words are somebody's, in quotation marks, or hold such a quotation."""
    before = answer[: sighting.start]
    opened = before.count("“") > before.count("”") or before.count('"') % 2 == 1
    return opened or any(mark in answer[sighting.start : sighting.end] for mark in '"“')


def _is_refused(answer: str, sighting: Sighting) -> bool:
    """Whether a 'No.' of its own follows, with at most a list between."""
    after = answer[sighting.end : sighting.end + _REFUSED_WITHIN]
    return _REFUSAL.match(after) is not None
