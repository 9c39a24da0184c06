"""Rules of a rehearsal: its clock, its tones, and what counts after a dispute."""

from enum import StrEnum
from typing import Literal

Tone = Literal["in time", "over", "far over"]

FAR_OVER = 1.5  # times the target: the timer turns from amber to red


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


def tone(seconds: float, target_seconds: int) -> Tone:
    """How `seconds` stand against the target; the clock never cuts an answer off."""
    if seconds < target_seconds:
        return "in time"
    return "over" if seconds < FAR_OVER * target_seconds else "far over"


def clock(seconds: float) -> str:
    """Seconds as a person reads a stopwatch: `0:07`, `12:30`; parts of a second are dropped."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
