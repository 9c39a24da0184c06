"""The lines that a benchmark prints, checked one by one as events of the protocol."""

import json
from datetime import datetime
from statistics import median
from typing import Any, NoReturn, cast

from app.runs.values import BadLine, is_name, see_that_it_can_be_kept, see_that_it_can_be_shown
from kernels.bench.protocol import check_event

__all__ = ["BadLine", "Event", "parse"]

Event = dict[str, Any]

TIMES = ("p10_us", "median_us", "p90_us")
COUNTED = ("bytes", "flops", "gb_per_s", "share_of_limit")
LONGEST_KIND = 100
"""Characters; a run's row holds twice as many."""

ROUNDING_US = 0.01
"""Samples are printed with two places."""

MOST_SAMPLES = 10_000
"""As many as the benchmark takes at most: what is concluded of them takes seconds."""


def parse(line: bytes) -> Event:
    """One line as an event: a JSON object with the fields of its kind and finite numbers only."""
    try:
        event = json.loads(line, parse_constant=_refuse)
        check_event(event)
    except BadLine:
        raise
    except (ValueError, RecursionError) as fault:
        raise BadLine(f"a line is no event ({fault})") from None
    see_that_it_can_be_kept(event)
    if event["event"] != "error":  # an error's words are whatever went wrong with
        see_that_it_can_be_shown(event)
    if not is_name(event.get("variant", "")):
        raise BadLine("it names no variant")
    _CHECKS.get(event["event"], _nothing_more)(event)
    return event


def _refuse(name: str) -> NoReturn:
    raise BadLine(f"it holds the number {name}")


def _device(event: Event) -> None:
    if not all(is_name(event[name]) for name in ("kind", "id", "name")):
        raise BadLine("the device line does not name the device")
    if not isinstance(event.get("experiment", ""), str):
        raise BadLine("the device line does not name the experiment")
    if not all(isinstance(event.get(name, {}), dict) for name in ("parameters", "versions")):
        raise BadLine("the device line does not say what was run")
    try:
        made = datetime.fromisoformat(event.get("at", "2000-01-01T00:00Z"))
    except (TypeError, ValueError):
        made = None
    if made is None or made.tzinfo is None:
        raise BadLine("the device line's time is no ISO time with a zone")


def _check(event: Event) -> None:
    if not isinstance(event["passed"], bool) or not _is_number(event["cap"]):
        raise BadLine("a check does not say what passes")


def _limit(event: Event) -> None:
    if not all(_is_number(event[n]) and event[n] > 0 for n in ("copy_gb_per_s", "add_gb_per_s")):
        raise BadLine("the machine's limit lacks a rate above zero")


def _error(event: Event) -> None:
    if not all(isinstance(event[name], str) and event[name] for name in ("kind", "message")):
        raise BadLine("an error says neither its kind nor what happened")
    if len(event["kind"]) > LONGEST_KIND:
        raise BadLine("an error's kind is no word but a text")


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
    if not isinstance(event.get("at", {}), dict):
        raise BadLine(f"the result of {name} does not say where it stands")
    _samples(name, event.get("samples_us"), event["median_us"])
    counts = [event[field] for field in COUNTED if event.get(field) is not None]
    if not all(_is_number(count) and count >= 0 for count in counts):
        raise BadLine(f"the result of {name} has a count or a rate that is none")


def _samples(name: str, samples: Any, middle: float) -> None:
    """Every conclusion is drawn from these."""
    if not isinstance(samples, list) or not samples:
        raise BadLine(f"the result of {name} has no samples")
    taken = cast(list[Any], samples)
    if len(taken) > MOST_SAMPLES:
        raise BadLine(f"the result of {name} has more than {MOST_SAMPLES:,} samples")
    if not all(_is_number(sample) and sample > 0 for sample in taken):
        raise BadLine(f"a sample of {name} is no time above zero")
    if not abs(median(taken) - middle) <= ROUNDING_US:
        raise BadLine(f"the median of {name} is not that of its samples")


def _summary(event: Event) -> None:
    if not isinstance(event["method"], dict):
        raise BadLine("the summary does not say how it was measured")
    if not _are_states(event.get("state")):
        raise BadLine("the summary does not say the device's state")
    for name in ("notes", "suspect"):
        said = event.get(name, [])
        if not isinstance(said, list) or not all(isinstance(s, str) for s in cast(list[Any], said)):
            raise BadLine(f"the summary's {name} are no sentences")


def _are_states(states: Any) -> bool:
    if states is None:
        return True
    if not isinstance(states, dict):
        return False
    return all(state is None or isinstance(state, dict) for state in cast(Event, states).values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _nothing_more(_event: Event) -> None:
    pass


_CHECKS = {
    "device": _device,
    "check": _check,
    "limit": _limit,
    "error": _error,
    "progress": _progress,
    "result": _result,
    "summary": _summary,
}
