"""What a benchmark printed, checked line by line, and whether it makes a measurement.

Used for live runs and for recordings alike: neither is believed unread.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NoReturn, cast

from app.runs import troubles
from app.runs.result import Verdict
from app.runs.troubles import Trouble
from kernels.bench.protocol import check_event

Event = dict[str, Any]

NEEDED = ("device", "check", "limit", "summary")
COMPARED = ("separate", "fused")
"""The variants without which there is nothing to say."""

TIMES = ("p10_us", "median_us", "p90_us")
COUNTED = ("bytes", "flops", "gb_per_s", "share_of_limit")
VERDICTS = tuple(Verdict)
LARGEST = 1e300
"""More than any count or rate can be, and small enough to reckon with."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
ROUNDING = 0.01
"""How far a printed speed-up may be from the ratio of the printed medians."""


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
        why = self._missing() or self._inconsistent()
        return troubles.bad_output(why) if why else None

    def _missing(self) -> str | None:
        kinds = {event["event"] for event in self._events}
        names = {event["variant"] for event in self._of("result")}
        lacking = [f"{kind} line" for kind in NEEDED if kind not in kinds]
        lacking += [f"result for {name}" for name in COMPARED if name not in names]
        if not any("parameters" in event for event in self._of("device")):
            lacking.append("word of what was run")
        return f"it has no {' and no '.join(lacking)}" if lacking else None

    def _inconsistent(self) -> str | None:
        failed = [event["variant"] for event in self._of("check") if not event["passed"]]
        if failed:
            return f"{failed[0]} gave wrong numbers, so its time means nothing"
        medians = {event["variant"]: event["median_us"] for event in self._of("result")}
        ratio = medians["separate"] / medians["fused"]
        said = next(self._of("summary"))["speedup"]
        if abs(said / ratio - 1) > ROUNDING:
            return f"it says {said:.2f}× where its own medians make {ratio:.2f}×"
        return None

    def _of(self, kind: str) -> Iterator[Event]:
        return (event for event in self._events if event["event"] == kind)


def parse(line: bytes) -> Event:
    """One line as an event: a JSON object with the fields of its kind and finite numbers only."""
    try:
        event = json.loads(line, parse_constant=_refuse)
        check_event(event)
    except BadLine:
        raise
    except (ValueError, RecursionError) as fault:
        raise BadLine(f"a line is no event ({fault})") from None
    _see_that_it_can_be_kept(event)
    if not isinstance(event.get("variant", ""), str):
        raise BadLine("it names no variant")
    _CHECKS.get(event["event"], _nothing_more)(event)
    return event


def _refuse(name: str) -> NoReturn:
    raise BadLine(f"it holds the number {name}")


def _see_that_it_can_be_kept(value: Any) -> None:
    """BadLine for numbers that are none, and for characters that no database holds."""
    if isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise BadLine("it holds a number too large to be one")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise BadLine("it holds a character that can't be stored")
    if isinstance(value, dict):
        value = [part for pair in cast(Event, value).items() for part in pair]
    if isinstance(value, list):
        for part in cast(list[Any], value):
            _see_that_it_can_be_kept(part)


def _device(event: Event) -> None:
    if not isinstance(event.get("parameters", {}), dict):
        raise BadLine("the device line does not say what was run")
    try:
        made = datetime.fromisoformat(event.get("at", "2000-01-01T00:00Z"))
    except (TypeError, ValueError):
        made = None
    if made is None or made.tzinfo is None:
        raise BadLine("the device line's time is no ISO time with a zone")


def _error(event: Event) -> None:
    if not all(isinstance(event[name], str) and event[name] for name in ("kind", "message")):
        raise BadLine("an error says neither its kind nor what happened")


def _progress(event: Event) -> None:
    done, of = event["done"], event["of"]
    if not (isinstance(done, int) and isinstance(of, int) and 0 <= done <= of and of > 0):
        raise BadLine("a progress line does not say how much of how much")


def _result(event: Event) -> None:
    name, times = event["variant"], [event[name] for name in TIMES]
    if not all(_is_number(time) and time > 0 for time in times):
        raise BadLine(f"the result of {name} lacks a time above zero")
    if times != sorted(times):
        raise BadLine(f"the times of {name} are not in the order p10, median, p90")
    if not (isinstance(event["n"], int) and event["n"] > 0):
        raise BadLine(f"the result of {name} was measured no times")
    if not all(_is_number(event[field]) and event[field] > 0 for field in COUNTED):
        raise BadLine(f"the result of {name} lacks a count or a rate above zero")


def _summary(event: Event) -> None:
    numbers = [event[name] for name in ("speedup", "predicted_speedup", "card_speedup")]
    if not all(_is_number(number) and number > 0 for number in numbers):
        raise BadLine("the summary lacks a speed-up above zero")
    if not any(_compares(one, "separate", "fused") for one in event["comparisons"]):
        raise BadLine("the summary does not compare fused with separate")


def _compares(comparison: Any, baseline: str, candidate: str) -> bool:
    one = cast(Event, comparison) if isinstance(comparison, dict) else {}
    return (
        (one.get("baseline"), one.get("candidate")) == (baseline, candidate)
        and one.get("verdict") in VERDICTS
        and _is_number(one.get("low"))
        and _is_number(one.get("high"))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _nothing_more(_event: Event) -> None:
    pass


_CHECKS = {
    "device": _device,
    "error": _error,
    "progress": _progress,
    "result": _result,
    "summary": _summary,
}
