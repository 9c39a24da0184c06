"""What becomes of an open attempt: its draft, its answer, or giving it up."""

from dataclasses import dataclass
from datetime import datetime

from app.store.models import Attempt, is_open


class AlreadyEnded(Exception):
    """The attempt takes no answer any more; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class DraftSaved:
    """A kept draft: when, and the text from elsewhere that it took the place of."""

    at: datetime
    replaced: str | None


def save_draft(attempt: Attempt, text: str, seen: str, now: datetime) -> DraftSaved:
    """Keep what was typed; the newest text wins, and what it took the place of is told.

    `seen` is the version (`draft_version`) that the page last knew. Raises
    AlreadyEnded when the attempt takes no answer any more.
    """
    _must_be_open(attempt)
    replaced = attempt.draft if _would_be_lost(attempt, text, seen) else None
    attempt.draft = text
    attempt.draft_saved_at = now
    return DraftSaved(now, replaced)


def draft_version(attempt: Attempt) -> str:
    """What names the draft as it is kept now; empty while none was."""
    return attempt.draft_saved_at.isoformat() if attempt.draft_saved_at else ""


def hand_in(attempt: Attempt, answer: str, seen: str, now: datetime) -> None:
    """Make `answer` the attempt's answer; nothing is checked here.

    A draft that the page had not seen (`seen` is the version that it knew) stays
    beside the answer, so that text typed elsewhere is not lost. Raises
    AlreadyEnded when the attempt takes no answer any more.
    """
    _must_be_open(attempt)
    if not _would_be_lost(attempt, answer, seen):
        attempt.draft = answer
    attempt.answer = answer
    attempt.handed_in_at = now


def keep_beside(attempt: Attempt, text: str) -> None:
    """Keep a text that came after the attempt's end beside it, with any other kept there."""
    if not text.strip() or text == attempt.answer or text in attempt.draft:
        return
    others = [kept for kept in (attempt.draft, text) if kept.strip() and kept != attempt.answer]
    attempt.draft = "\n\n".join(others)


def abandon(attempt: Attempt, now: datetime) -> None:
    """Give the attempt up; one that has already ended is left as it is."""
    if is_open(attempt):
        attempt.abandoned_at = now


def _would_be_lost(attempt: Attempt, text: str, seen: str) -> bool:
    """Whether the draft holds what neither `text` does nor the page knew of.

    A page hands in before it hears that its own last draft was saved: the answer goes on from it.
    """
    return seen != draft_version(attempt) and attempt.draft.strip() not in text


def _must_be_open(attempt: Attempt) -> None:
    if attempt.handed_in_at is not None:
        raise AlreadyEnded("This attempt was handed in already, so nothing of it was changed.")
    if attempt.abandoned_at is not None:
        raise AlreadyEnded("This attempt was given up, so nothing of it was changed.")
