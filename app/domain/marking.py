"""An answer cut into pieces, so that a page can mark the words that a check points at."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Span:
    """Words to mark: `answer[start:end]`, with the name of what they show."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters with the same marks; `begins` names the spans that begin here."""

    text: str
    names: tuple[str, ...]
    begins: tuple[str, ...]


def pieces(answer: str, spans: Sequence[Span]) -> tuple[Piece, ...]:
    """Cut `answer` where a span begins or ends; joined again, the pieces are the answer.

    Spans may overlap. One that does not lie within the answer is left out: it
    can only come from another text.
    """
    kept = [span for span in spans if 0 <= span.start < span.end <= len(answer)]
    cuts = sorted({0, len(answer), *(s.start for s in kept), *(s.end for s in kept)})
    return tuple(_piece(answer, kept, a, b) for a, b in pairwise(cuts))


def _piece(answer: str, spans: Sequence[Span], start: int, end: int) -> Piece:
    over = [span for span in spans if span.start <= start and end <= span.end]
    return Piece(
        answer[start:end],
        tuple(span.name for span in over),
        tuple(span.name for span in over if span.start == start),
    )
