"""What a check says: one finding for every key point and every pitfall of the card.

    check(answer, card) -> tuple[Finding, ...]

is the whole interface of a checker. It is pure: the same answer and card give
the same findings, always.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from app.domain.card import Card


class Kind(StrEnum):
    """What the finding is about."""

    KEY_POINT = "key_point"
    PITFALL = "pitfall"


class State(StrEnum):
    """What the check concluded.

    A key point is COVERED or NOT_FOUND. A pitfall is FLAGGED (two independent
    signs), POSSIBLE (one sign: the learner judges), REJECTED (the answer says
    the opposite) or NOT_FOUND (silent).
    """

    COVERED = "covered"
    FLAGGED = "flagged"
    POSSIBLE = "possible"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Finding:
    """One conclusion; `start` and `end` index the answer's characters.

    `answer[start:end]` are the very words that show it; both are None where
    nothing was found. `signs` name the independent reasons, for a reader.
    """

    kind: Kind
    ref: str
    state: State
    start: int | None = None
    end: int | None = None
    signs: tuple[str, ...] = ()


Checker = Callable[[str, Card], tuple[Finding, ...]]
