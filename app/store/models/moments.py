"""What an attempt's moments say: whether it is open, and how long its answer took."""

from datetime import datetime

from app.store.models.practice import Attempt


def is_open(attempt: Attempt) -> bool:
    """Whether the attempt still takes an answer."""
    return attempt.handed_in_at is None and attempt.abandoned_at is None


def answer_seconds(attempt: Attempt, now: datetime) -> float:
    """Seconds spent answering: up to the first reveal, the hand-in, or now.

    Never below 0, even where the server's clock was set back meanwhile.
    """
    ended = attempt.clock_stopped_at or attempt.handed_in_at or attempt.abandoned_at or now
    return max(0.0, (ended - attempt.started_at).total_seconds())


def study_seconds(attempt: Attempt, now: datetime) -> float:
    """Seconds spent with the ladder open before the attempt ended; 0 where nothing was opened."""
    if attempt.clock_stopped_at is None:
        return 0.0
    ended = attempt.handed_in_at or attempt.abandoned_at or now
    return max(0.0, (ended - attempt.clock_stopped_at).total_seconds())
