"""Rules of a rehearsal: its clock, its steps, and what counts after a dispute."""

import re
from datetime import datetime
from enum import StrEnum
from typing import Literal

from app.domain.checking.findings import Kind, State

Tone = Literal["in time", "over", "far over"]

_LINE_END = re.compile("\r\n?")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

FAR_OVER = 1.5  # times the target: the timer turns from amber to red


class Step(StrEnum):
    """Where a rehearsal stands; each step has its own panel on the card's page."""

    CHOOSE = "choose"
    ANSWER = "answer"
    OWN_VIEW = "own view"
    CHECKED = "checked"
    UNCHECKED = "unchecked"


class Dispute(StrEnum):
    """What a learner says to a finding; a disputed finding counts no more."""

    SAID = "said"
    OPPOSITE = "opposite"
    NOT_SAID = "not_said"


class Sureness(StrEnum):
    """How sure a learner is of an answer, said before the check is shown."""

    SURE = "sure"
    FAIRLY = "fairly"
    GUESSING = "guessing"


def step(handed_in: datetime | None, reviewed: datetime | None, checked: datetime | None) -> Step:
    """The step of an attempt with these moments; the learner's own view comes before the check."""
    if handed_in is None:
        return Step.ANSWER
    if reviewed is None:
        return Step.OWN_VIEW
    return Step.UNCHECKED if checked is None else Step.CHECKED


def tone(seconds: float, target_seconds: int) -> Tone:
    """How `seconds` stand against the target; the clock never cuts an answer off."""
    if seconds < target_seconds:
        return "in time"
    return "over" if seconds < FAR_OVER * target_seconds else "far over"


def clock(seconds: float) -> str:
    """Seconds as a person reads a stopwatch: `0:07`, `12:30`; parts of a second are dropped."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def as_kept(text: str) -> str:
    """An answer or draft in the one form that is stored, checked and shown.

    Line ends become `\\n`, so that a finding's span means the same everywhere;
    characters that no database text holds become U+FFFD, visibly.
    """
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", _LINE_END.sub("\n", text))


def counts(kind: Kind, state: State, dispute: Dispute | None) -> bool:
    """Whether a finding counts: a point as covered, a pitfall as tripped.

    The learner has the last word. 'I said that' makes it count whatever the
    check found; the other two answers take it out.
    """
    if dispute is not None:
        return dispute is Dispute.SAID
    return state is (State.COVERED if kind is Kind.KEY_POINT else State.FLAGGED)
