"""From the scores of an answer's pieces for one claim to the span of words that makes it.

A score is a logit. The surest few pieces say how probable it is that the claim is
made; the span is the surest piece and those beside it, within one sentence.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.domain.checking.bounded import SENTENCE_END
from app.domain.checking.session import Floats
from app.domain.checking.sighting import Sighting
from app.domain.checking.wordpiece import Piece

GLIMPSE = -3.0  # logit from which on a sentence may make a claim
_SUREST = 3  # pieces whose mean is the answer's score
_EVIDENCE = 0.35  # probability down to which neighbours of the surest piece belong to it
_BRIDGE = 3  # less probable pieces in a row that don't end the evidence


def sentences(answer: str, pieces: list[Piece]) -> list[slice]:
    """The pieces of each sentence that has any, in order."""
    ends = [match.end() for match in SENTENCE_END.finditer(answer)]
    of = np.searchsorted(ends, [piece.start for piece in pieces], side="right")
    edges = [0, *(np.flatnonzero(np.diff(of)) + 1).tolist(), len(pieces)]
    return [slice(start, stop) for start, stop in pairwise(edges) if start < stop]


def sighting(scores: Floats, closer: Floats, pieces: list[Piece], own: list[slice]) -> Sighting:
    """Where a claim is made, by its logits [pieces], and by closer ones in each of the sentences.

    ValueError if there are no pieces.
    """
    glimpsed = [part for part in own if closer[part].max() >= GLIMPSE]
    each = [_in_sentence(closer[part], pieces[part]) for part in glimpsed]
    peak = int(scores.argmax())
    place = next(part for part in own if peak < part.stop)
    whole = _in_sentence(scores[place], pieces[place])
    surest_first = tuple(sorted(each, key=lambda one: (-one.probability, one.start)))
    return Sighting(_probability(float(surest(scores))), whole.start, whole.end, surest_first)


def _in_sentence(scores: Floats, pieces: list[Piece]) -> Sighting:
    """The surest piece of a sentence and those beside it."""
    first, last = _around(_chance(scores), int(scores.argmax()))
    return Sighting(_probability(float(surest(scores))), pieces[first].start, pieces[last].end)


def surest(scores: Floats) -> Floats:
    """The logits of a text from those of its pieces [pieces, ...]: the mean of the highest few."""
    return np.sort(scores, axis=0)[-_SUREST:].mean(axis=0)


def _probability(logit: float) -> float:
    return round(float(_chance(np.array([logit], dtype=np.float32))[0]), 4)


def _chance(logits: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)


def _around(chances: Floats, peak: int) -> tuple[int, int]:
    """The pieces around the peak that belong to it: the first and the last."""
    floor = min(_EVIDENCE, float(chances[peak]) / 2)
    first = peak - _reach(chances[:peak][::-1] >= floor)
    return first, peak + _reach(chances[peak + 1 :] >= floor)


def _reach(belongs: NDArray[np.bool_]) -> int:
    """How far the true values go, gaps of at most `_BRIDGE` included."""
    reach = 0
    for step, belonging in enumerate(belongs.tolist(), start=1):
        if belonging:
            reach = step
        elif step - reach > _BRIDGE:
            break
    return reach
