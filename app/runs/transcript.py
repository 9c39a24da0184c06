"""What a benchmark printed, and whether it makes a measurement.

Used for live runs and for recordings alike: neither is believed unread.
"""

from collections.abc import Iterable, Iterator

from app.runs import troubles
from app.runs.conclusions import NoConclusion, draw
from app.runs.lines import BadLine, Event, parse
from app.runs.troubles import Trouble

__all__ = ["BadLine", "Event", "Transcript", "experiment_of"]

FIRST = "chain"
NEEDED = ("device", "check", "result", "summary")


def experiment_of(events: Iterable[Event]) -> str:
    """The experiment that was run; the first recordings, all of the chain, do not say it."""
    said = (event.get("experiment") for event in events if event["event"] == "device")
    return next((name for name in said if name), FIRST)


class Transcript:
    """The events of one run so far, in order."""

    def __init__(self, asked: str | None = None) -> None:
        """`asked` is the experiment that was started; None for a file, which says it itself."""
        self._asked = asked
        self._events: list[Event] = []

    def __len__(self) -> int:
        return len(self._events)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events added."""
        return tuple(self._events)

    def add(self, line: bytes) -> Event:
        """Check and keep one line; BadLine if it is no event."""
        event = parse(line)
        self._events.append(event)
        return event

    def verdict(self, exit_code: int) -> Trouble | None:
        """None for a whole measurement, of which the experiment can conclude something."""
        for event in self._events:
            if event["event"] == "error":
                return troubles.reported(event["kind"], event["message"])
        if exit_code != 0:
            return troubles.died(exit_code)
        why = self._missing() or self._wrong() or self._inconclusive()
        return troubles.bad_output(why) if why else None

    def _missing(self) -> str | None:
        kinds = {event["event"] for event in self._events}
        lacking = [f"{kind} line" for kind in NEEDED if kind not in kinds]
        if not any("parameters" in event for event in self._of("device")):
            lacking.append("word of what was run")
        return f"it has no {' and no '.join(lacking)}" if lacking else None

    def _wrong(self) -> str | None:
        if self._asked and experiment_of(self._events) != self._asked:
            return f"it is not of the experiment that was started, {self._asked}"
        failed = [event["variant"] for event in self._of("check") if not event["passed"]]
        return f"{failed[0]} gave wrong numbers, so its time means nothing" if failed else None

    def _inconclusive(self) -> str | None:
        try:
            draw(self._asked or experiment_of(self._events), self._events)
        except NoConclusion as why:
            return str(why)
        return None

    def _of(self, kind: str) -> Iterator[Event]:
        return (event for event in self._events if event["event"] == kind)
