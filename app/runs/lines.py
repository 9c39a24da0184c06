"""The lines that a benchmark prints, checked one by one as events of the protocol."""

import json
from datetime import datetime
from typing import NoReturn

from app.runs.result_lines import see_result, see_summary
from app.runs.values import (
    BadLine,
    Event,
    is_name,
    is_number,
    see_that_it_can_be_kept,
    see_that_it_can_be_shown,
)
from kernels.bench.protocol import check_event

__all__ = ["BadLine", "Event", "parse"]

LONGEST_KIND = 100
"""Characters; a run's row holds twice as many."""


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
    if not isinstance(event["passed"], bool) or not is_number(event["cap"]):
        raise BadLine("a check does not say what passes")


def _limit(event: Event) -> None:
    if not all(is_number(event[n]) and event[n] > 0 for n in ("copy_gb_per_s", "add_gb_per_s")):
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


def _nothing_more(_event: Event) -> None:
    pass


_CHECKS = {
    "device": _device,
    "check": _check,
    "limit": _limit,
    "error": _error,
    "progress": _progress,
    "result": see_result,
    "summary": see_summary,
}
