"""What a benchmark prints is read line by line and believed only when it is whole."""

import json
from typing import Any

import pytest

from app.runs.transcript import BadLine, Transcript, parse
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY

WHOLE = (DEVICE, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY)


def a_transcript(*events: dict[str, Any]) -> Transcript:
    transcript = Transcript()
    for event in events:
        transcript.add(json.dumps(event).encode())
    return transcript


def test_a_whole_measurement_has_no_trouble():
    assert a_transcript(*WHOLE).verdict(0) is None


@pytest.mark.parametrize("left_out", range(len(WHOLE)))
def test_a_measurement_that_lacks_any_of_its_lines_is_none(left_out: int):
    events = [event for place, event in enumerate(WHOLE) if place != left_out]
    trouble = a_transcript(*events).verdict(0)
    assert trouble is not None
    assert trouble.kind == "bad_output"


def test_no_output_at_all_is_no_measurement():
    trouble = Transcript().verdict(0)
    assert trouble is not None
    assert "no device line" in trouble.words


def test_an_exit_code_other_than_0_spoils_what_was_printed():
    trouble = a_transcript(*WHOLE).verdict(137)
    assert trouble is not None
    assert "signal 9" in trouble.words


def test_the_benchmarks_own_word_for_an_error_is_kept():
    said = {"event": "error", "kind": "out_of_memory", "message": "Take a smaller shape."}
    trouble = a_transcript(DEVICE, said).verdict(1)
    assert trouble is not None
    assert (trouble.kind, trouble.words) == ("out_of_memory", "Take a smaller shape.")


def test_a_variant_that_computes_wrong_numbers_has_no_time():
    wrong = a_transcript(*WHOLE, CHECK | {"passed": False}).verdict(0)
    assert wrong is not None
    assert "wrong numbers" in wrong.words


def test_a_speed_up_that_its_own_medians_deny_is_not_believed():
    denied = a_transcript(*WHOLE[:-1], SUMMARY | {"speedup": 2.9}).verdict(0)
    assert denied is not None
    assert "2.90×" in denied.words
    assert "2.20×" in denied.words


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "no event"),
        (b"Traceback (most recent call last):", "no event"),
        (b"[]", "no event"),
        (b"[" * 100_000, "no event"),
        (b'{"event": "gossip"}', "no event"),
        (json.dumps(FUSED | {"median_us": float("nan")}).encode(), "NaN"),
        (json.dumps(FUSED | {"p90_us": float("inf")}).encode(), "Infinity"),
        (json.dumps(FUSED).replace("100.0", "1e999").encode(), "too large"),
        (json.dumps(FUSED | {"p10_us": 0, "median_us": 0}).encode(), "above zero"),
        (json.dumps(FUSED | {"median_us": "fast"}).encode(), "above zero"),
        (json.dumps(FUSED | {"p90_us": 1.0}).encode(), "order"),
        (json.dumps(FUSED | {"n": 0}).encode(), "no times"),
        (json.dumps(FUSED | {"bytes": 0}).encode(), "count or a rate"),
        (json.dumps(SUMMARY | {"comparisons": []}).encode(), "does not compare"),
        (json.dumps(SUMMARY | {"card_speedup": None}).encode(), "speed-up above zero"),
        (json.dumps(FUSED | {"bytes": 10**400}).encode(), "too large"),
        (json.dumps(FUSED | {"variant": ["fused"]}).encode(), "names no variant"),
        (json.dumps(DEVICE | {"name": "H200\0"}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"name": "\ud800"}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"a\0key": 1}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"parameters": []}).encode(), "what was run"),
        (json.dumps(DEVICE | {"at": "yesterday"}).encode(), "time with a zone"),
        (json.dumps(DEVICE | {"at": "2026-01-01T00:00:00"}).encode(), "time with a zone"),
        (json.dumps(DEVICE | {"at": 7}).encode(), "time with a zone"),
        (b'{"event": "progress", "done": 4, "of": 3}', "how much"),
        (b'{"event": "error", "kind": "no_gpu", "message": ""}', "neither"),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_a_reason(line: bytes, why: str):
    with pytest.raises(BadLine, match=why):
        parse(line)
