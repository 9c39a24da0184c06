"""Findings as the JSON lines that `ridgepoint check SLUG --jsonl FILE` prints."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from app.domain.card import Card
from app.domain.checking.bounded import unread
from app.domain.checking.findings import Checker, Finding, Kind, State

VERDICTS = {
    State.FLAGGED: "commits",
    State.POSSIBLE: "possible",
    State.REJECTED: "rejects",
    State.NOT_FOUND: "silent",
}


def check_lines(lines: Iterable[str], card: Card, checker: Checker) -> Iterator[str]:
    """Check each `{"id", "text"}` line; yield one JSON line for each that isn't blank.

    A line that cannot be read yields `{"error", "line"}` with its number, from
    1, and the rest is still checked.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield json.dumps(_answered(line, number, card, checker), ensure_ascii=False)


def as_report(identity: str, answer: str, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """One answer's findings as a JSON object; evidence is verbatim from the answer.

    `unread` is there where the answer is too long, and counts the characters left out.
    """
    points = [f for f in findings if f.kind is Kind.KEY_POINT]
    pitfalls = [f for f in findings if f.kind is Kind.PITFALL]
    return {
        "id": identity,
        "key_points": {f.ref: f.state is State.COVERED for f in points},
        "pitfalls": {f.ref: VERDICTS[f.state] for f in pitfalls},
        "evidence": {f.ref: answer[f.start : f.end] for f in findings if f.start is not None},
        **({"unread": left} if (left := unread(answer)) else {}),
    }


def _answered(line: str, number: int, card: Card, checker: Checker) -> dict[str, Any]:
    try:
        identity, text = _parse(line)
    except ValueError as error:
        return {"error": f"line {number}: {error}", "line": number}
    return as_report(identity, text, checker(text, card))


def _parse(line: str) -> tuple[str, str]:
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError('is not JSON; write {"id": "a-1", "text": "the answer"}') from None
    if not isinstance(record, dict):
        raise ValueError('is no object; write {"id": "a-1", "text": "the answer"}')
    fields = cast(dict[str, Any], record)
    return _string(fields, "id"), _string(fields, "text")


def _string(record: dict[str, Any], key: str) -> str:
    if not isinstance(record.get(key), str):
        raise ValueError(f'has no text under "{key}"; write {{"id": "a-1", "text": "the answer"}}')
    return record[key]
