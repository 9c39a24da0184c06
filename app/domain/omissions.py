"""What an answer has no word on although its length asks for it.

An omission is a finding of its own kind: nothing was said wrongly, so there
are no words to mark. It hangs on the tier, so it is worked out, not stored.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.card import Card
from app.domain.checking.bounded import unread
from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute, counts
from app.domain.rubric import KeyPoint

SPOKEN_OF = "You spoke of it; the point was not found"
NOT_IN_PART = "Not found in the part of your answer that was read"

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ENDING = re.compile(r"(?:es?|(?<!s)s)$")
_PASSING = (
    "no word a an the this that what why where how much many of on in to and or is are it its "
    "out up back go going happens nothing stays gain work count before after"
)
"""Words that stand in any sentence and name no subject."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the check concluded on one point or pitfall, and what the learner says to it."""

    kind: Kind
    ref: str
    state: State
    dispute: Dispute | None = None


@dataclass(frozen=True, slots=True)
class Omission:
    """A key point that was owed and left out, and the sentence that says so."""

    ref: str
    says: str


def omissions(
    findings: Iterable[Spoken], card: Card, tier_id: str, answer: str = ""
) -> tuple[Omission, ...]:
    """The points that this tier asks for and the answer is silent on, in the card's order.

    Where a word of the point's subject stands in the `answer`, or not all of that
    was read, it isn't said to have none.
    A point of which the answer says the opposite is not left out: the pitfall
    that it opposes is what to look at. Nor is one that the learner meant.
    """
    by_place = _by_place(findings)
    asks, said, part = card.tier(tier_id).asks, _words(answer), unread(answer) > 0
    return tuple(
        Omission(point.id, NOT_IN_PART if part else _says(point, card, said))
        for point in card.key_points
        if point.id in asks
        if _is_silent(by_place.get((Kind.KEY_POINT, point.id)))
        if not _is_spoken_of(by_place.get((Kind.PITFALL, point.opposes or "")))
    )


def meant(findings: Iterable[Spoken], card: Card) -> frozenset[str]:
    """The points that the learner meant, by 'I meant the opposite' of the pitfalls they oppose."""
    by_place = _by_place(findings)
    pitfalls = {
        point.id: by_place.get((Kind.PITFALL, point.opposes or "")) for point in card.key_points
    }
    return frozenset(ref for ref, pitfall in pitfalls.items() if _is_meant_otherwise(pitfall))


def _by_place(findings: Iterable[Spoken]) -> dict[tuple[Kind, str], Spoken]:
    return {(finding.kind, finding.ref): finding for finding in findings}


def _is_silent(point: Spoken | None) -> bool:
    if point is None or point.dispute is Dispute.OPPOSITE:
        return False
    return not counts(point.kind, point.state, point.dispute)


def _is_spoken_of(pitfall: Spoken | None) -> bool:
    if pitfall is None:
        return False
    seen = pitfall.state is State.POSSIBLE and pitfall.dispute is None
    tripped = seen or counts(pitfall.kind, pitfall.state, pitfall.dispute)
    return tripped or _is_meant_otherwise(pitfall)


def _is_meant_otherwise(pitfall: Spoken | None) -> bool:
    return pitfall is not None and pitfall.dispute is Dispute.OPPOSITE


def _subject(point: KeyPoint, card: Card) -> frozenset[str]:
    """What the point is about: the words of its omission that the question itself doesn't say."""
    named = (point.left_out or "").partition(",")[0]
    return _words(named) - _words(f"{card.prompt.text} {_PASSING}")


def _words(text: str) -> frozenset[str]:
    """The words of a text, one and many alike (`launch`, `launches`; `cache`, `caches`)."""
    return frozenset(_ENDING.sub("", word.lower()) for word in _WORD.findall(text))


def _says(point: KeyPoint, card: Card, said: frozenset[str]) -> str:
    if _subject(point, card) & said:
        return SPOKEN_OF
    return point.left_out or f"No word on this: {point.point.rstrip('.')}"
