"""An answer cut into pieces, so that a page can mark the words that a check points at."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.domain.checking.findings import State

STRONGEST_FIRST = (State.FLAGGED, State.POSSIBLE, State.COVERED, State.REJECTED)


@dataclass(frozen=True, slots=True)
class Span:
    """Words of an answer, `answer[start:end]`, with a name for what they are."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Words to mark: `answer[start:end]`, what they show, and a number to refer to them by."""

    start: int
    end: int
    state: State
    number: int = 0  # 0: none


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters under the same marks; `begins` holds those that begin here."""

    text: str
    under: tuple[Mark, ...]
    begins: tuple[Mark, ...]

    @property
    def state(self) -> State | None:
        """The state by which the piece looks: the strongest of its marks."""
        return self.under[0].state if self.under else None


def pieces(answer: str, marks: Sequence[Mark]) -> tuple[Piece, ...]:
    """Cut `answer` where a mark begins or ends; joined again, the pieces are the answer.

    Marks may overlap; the strongest come first. One that does not lie within
    the answer is left out: it can only come from another text.
    """
    kept = [mark for mark in marks if 0 <= mark.start < mark.end <= len(answer)]
    kept.sort(key=lambda mark: (STRONGEST_FIRST.index(mark.state), mark.number))
    cuts = sorted({0, len(answer), *(m.start for m in kept), *(m.end for m in kept)})
    return tuple(_piece(answer, kept, start, end) for start, end in pairwise(cuts))


def _piece(answer: str, marks: Sequence[Mark], start: int, end: int) -> Piece:
    over = [mark for mark in marks if mark.start <= start and end <= mark.end]
    begins = tuple(mark for mark in over if mark.start == start)
    return Piece(answer[start:end], tuple(over), begins)
