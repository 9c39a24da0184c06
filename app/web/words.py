"""How moments, lengths of time and counts are told on a page, and how sentences meet."""

from datetime import datetime, timedelta

_STEPS = (
    (timedelta(minutes=1), timedelta(seconds=1), "second"),
    (timedelta(hours=1), timedelta(minutes=1), "minute"),
    (timedelta(days=1), timedelta(hours=1), "hour"),
    (timedelta(days=14), timedelta(days=1), "day"),
    (timedelta(days=60), timedelta(days=7), "week"),
    (timedelta(days=730), timedelta(days=30), "month"),
)


def ago(moment: datetime, now: datetime) -> str:
    """How long ago `moment` was, in the largest whole unit: `2 days ago`."""
    passed = now - moment
    if passed < timedelta(seconds=5):
        return "just now"
    for below, unit, name in _STEPS:
        if passed < below:
            return f"{several(passed // unit, name)} ago"
    return f"{several(passed // timedelta(days=365), 'year')} ago"


def several(count: int, name: str) -> str:
    """A count with its noun: `1 answer`, `2 answers`."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def going_on(text: str) -> str:
    """A text as it goes on after a colon: `the chain …`; one that begins with FLOPs or I stays."""
    first = text.partition(" ")[0]
    named = first[1:] != first[1:].lower() or first[:2] in ("I", "I'")
    return text if named else text[:1].lower() + text[1:]


def length_of_time(seconds: float) -> str:
    """A length of time in the form in which it is spoken: `50 s`, `3 min`, `1 min 12 s`."""
    whole = max(0, int(seconds))
    minutes, rest = divmod(whole, 60)
    if minutes == 0:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def against(seconds: float, target_seconds: int) -> str:
    """A time beside its target: `41 s of 50 s`, `1 min 12 s, 22 s over the 50 s`."""
    target, taken = length_of_time(target_seconds), length_of_time(seconds)
    over = int(seconds) - target_seconds
    if over <= 0:
        return f"{taken} of {target}"
    return f"{taken}, {length_of_time(over)} over the {target}"


def day(at: datetime) -> str:
    """A day: `1 Dec 2026`."""
    return f"{at.day} {at:%b %Y}"


def moment(at: datetime) -> str:
    """A moment for a record: `30 Nov 2026, 17:42 UTC`."""
    return f"{day(at)}, {at:%H:%M} UTC"
