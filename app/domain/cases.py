"""What learners dispute, as labelled examples for the next round of the checker.

Only what somebody said is a label: a finding that nobody spoke to is left
out, for it would teach the checker its own opinion. Who said it is left out too.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute

STYLE = "disputed"
_POINT = {Dispute.SAID: True, Dispute.OPPOSITE: False, Dispute.NOT_SAID: False}
_PITFALL = {Dispute.SAID: "commits", Dispute.OPPOSITE: "rejects", Dispute.NOT_SAID: "silent"}


@dataclass(frozen=True, slots=True)
class Disputed:
    """A finding that a learner spoke to; `answer[start:end]` are the words it pointed at."""

    kind: Kind
    ref: str
    state: State
    start: int | None
    end: int | None
    said: Dispute


@dataclass(frozen=True, slots=True)
class Case:
    """A checked answer with what was said to its check."""

    card: str
    content_hash: str
    checked_by: str
    answer: str
    disputed: tuple[Disputed, ...]


def case_lines(cases: Iterable[Case]) -> list[str]:
    """One line of JSON for each case, in an order that hangs on the lines alone, none twice."""
    return sorted({json.dumps(_labelled(case), ensure_ascii=False) for case in cases})


def _labelled(case: Case) -> dict[str, Any]:
    """The case in the form of tests/checking/answers-dev.jsonl, with what was disputed."""
    said = sorted(case.disputed, key=lambda one: (one.kind, one.ref))
    points = [one for one in said if one.kind is Kind.KEY_POINT]
    pitfalls = [one for one in said if one.kind is Kind.PITFALL]
    labels: dict[str, Any] = {
        "style": STYLE,
        "text": case.answer,
        "key_points": {one.ref: _POINT[one.said] for one in points},
        "pitfalls": {one.ref: _PITFALL[one.said] for one in pitfalls},
        "evidence": _evidence(pitfalls, case.answer),
        "disputed": {f"{one.kind}:{one.ref}": _told(one, case.answer) for one in said},
        "card": case.card,
        "content_hash": case.content_hash,
        "checked_by": case.checked_by,
    }
    return {"id": _id(labels), **labels}


def _evidence(pitfalls: Sequence[Disputed], answer: str) -> dict[str, str]:
    shown = [one for one in pitfalls if one.said is Dispute.SAID and one.start is not None]
    return {one.ref: answer[one.start : one.end] for one in shown}


def _told(one: Disputed, answer: str) -> dict[str, str | None]:
    words = None if one.start is None else answer[one.start : one.end]
    return {"found": one.state.value, "words": words, "said": one.said.value}


def _id(labels: dict[str, Any]) -> str:
    """The same for the same case, on every machine and at every export."""
    told = json.dumps(labels, ensure_ascii=True, sort_keys=True)
    return f"d-{hashlib.sha256(told.encode()).hexdigest()[:12]}"
