"""What a benchmark printed, checked line by line, and whether it makes a measurement.

Used for live runs and for recordings alike: neither is believed unread.
"""

import json
import math
from typing import Any, NoReturn

from app.runs import troubles
from app.runs.troubles import Trouble

Event = dict[str, Any]

KNOWN = ("device", "limit", "check", "progress", "result", "summary", "error")
COMPARED = ("fused", "separate")
"""The variants without which there is nothing to say."""

TIMES = ("p10_us", "median_us", "p90_us")


class BadLine(ValueError):
    """A line that is no event of the protocol; the text says why."""


class Transcript:
    """The events so far, in order."""

    def __init__(self) -> None:
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
        """None for a whole measurement, else what is wrong with it."""
        for event in self._events:
            if event["event"] == "error":
                return troubles.reported(event["kind"], event["message"])
        if exit_code != 0:
            return troubles.died(exit_code)
        missing = self._missing()
        return troubles.bad_output(f"it has no {missing}") if missing else None

    def _missing(self) -> str | None:
        kinds = {event["event"] for event in self._events}
        for kind in ("device", "check", "summary"):
            if kind not in kinds:
                return f"{kind} line"
        measured = {event["variant"] for event in self._events if event["event"] == "result"}
        return next((f"result for {name}" for name in COMPARED if name not in measured), None)


def parse(line: bytes) -> Event:
    """One line as an event: a JSON object of a known kind with finite numbers only."""
    try:
        event = json.loads(line, parse_constant=_refuse)
    except ValueError as fault:
        raise BadLine(f"a line is not JSON ({fault})") from None
    if not isinstance(event, dict) or event.get("event") not in KNOWN:
        raise BadLine("a line is no event that this version knows")
    _see_that_it_is_finite(event)
    _RULES.get(event["event"], _nothing_more)(event)
    return event


def _refuse(name: str) -> NoReturn:
    raise BadLine(f"it holds the number {name}")


def _see_that_it_is_finite(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadLine("it holds a number too large to be one")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _see_that_it_is_finite(part)


def _error(event: Event) -> None:
    if not all(isinstance(event.get(name), str) and event[name] for name in ("kind", "message")):
        raise BadLine("an error says neither its kind nor what happened")


def _progress(event: Event) -> None:
    done, of = event.get("done"), event.get("of")
    if not (isinstance(done, int) and isinstance(of, int) and 0 <= done <= of and of > 0):
        raise BadLine("a progress line does not say how much of how much")


def _result(event: Event) -> None:
    if not isinstance(event.get("variant"), str):
        raise BadLine("a result does not say of which variant it is")
    times = [event.get(name) for name in TIMES]
    if not all(isinstance(time, int | float) and time > 0 for time in times):
        raise BadLine(f"the result of {event['variant']} lacks a time above zero")
    if times != sorted(times):
        raise BadLine(f"the times of {event['variant']} are not in the order p10, median, p90")
    if not (isinstance(event.get("n"), int) and event["n"] > 0):
        raise BadLine(f"the result of {event['variant']} was measured no times")


def _nothing_more(_event: Event) -> None:
    pass


_RULES = {"error": _error, "progress": _progress, "result": _result}
