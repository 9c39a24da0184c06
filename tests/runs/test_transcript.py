"""What a benchmark prints is read line by line and believed only when it is whole."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runs.conclusions import NoConclusion, draw
from app.runs.lines import BadLine, parse
from app.runs.transcript import Transcript
from kernels.lab import EXPERIMENTS
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY

WHOLE = (DEVICE, CHECK, LIMIT, SEPARATE, FUSED, SUMMARY)


def a_transcript(*events: dict[str, Any], asked: str | None = None) -> Transcript:
    transcript = Transcript(asked)
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


def test_a_measurement_without_a_case_that_its_experiment_needs_says_which():
    trouble = a_transcript(DEVICE, CHECK, LIMIT, FUSED, SUMMARY).verdict(0)
    assert trouble is not None
    assert "it lacks the result of separate" in trouble.words


def test_a_file_of_an_experiment_that_there_is_not_says_so():
    trouble = a_transcript(DEVICE | {"experiment": "astrology"}, *WHOLE[1:]).verdict(0)
    assert trouble is not None
    assert "no experiment 'astrology'" in trouble.words


def test_lines_of_another_experiment_than_was_started_are_no_measurement_of_it():
    assert a_transcript(*WHOLE, asked="chain").verdict(0) is None
    trouble = a_transcript(DEVICE | {"experiment": "size"}, *WHOLE[1:], asked="chain").verdict(0)
    assert trouble is not None
    assert "not of the experiment that was started, chain" in trouble.words


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_a_chains_lines_under_another_name_are_refused_in_a_sentence(experiment: str):
    trouble = a_transcript(DEVICE | {"experiment": experiment}, *WHOLE[1:]).verdict(0)
    if experiment == "chain":
        assert trouble is None
    else:
        assert trouble is not None
        assert trouble.kind == "bad_output"


def odd(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=2) | st.dictionaries(st.text(max_size=4), values, max_size=2)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    odd,
    max_leaves=4,
)


@given(st.sampled_from(range(len(WHOLE))), st.data())
def test_whatever_stands_in_a_field_it_is_a_conclusion_or_a_reason(place: int, data: st.DataObject):
    """What is refused is refused by name; nothing falls through as another error."""
    event = dict(WHOLE[place])
    field = data.draw(st.sampled_from(sorted(event.keys() - {"event"})))
    changed = [*WHOLE[:place], event | {field: data.draw(ODD)}, *WHOLE[place + 1 :]]
    try:
        a_transcript(*changed).verdict(0)
    except BadLine:
        return
    for experiment in EXPERIMENTS:
        try:
            draw(experiment, changed)
        except NoConclusion as why:
            assert str(why)


def test_a_number_that_no_picture_can_show_allows_no_conclusion():
    huge = FUSED | {"share_of_limit": "most of it"}
    with pytest.raises(NoConclusion):
        draw("chain", [*WHOLE[:4], huge, SUMMARY])


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
        (json.dumps(FUSED | {"bytes": -1}).encode(), "count or a rate"),
        (json.dumps(FUSED | {"bytes": "many"}).encode(), "count or a rate"),
        (json.dumps(FUSED | {"samples_us": []}).encode(), "no samples"),
        (json.dumps(FUSED | {"samples_us": [100.0, 0]}).encode(), "no time above zero"),
        (json.dumps(FUSED | {"samples_us": [1.0, 2.0]}).encode(), "not that of its samples"),
        (json.dumps(FUSED | {"samples_us": [100.0] * 10_001}).encode(), "more than 10,000 samples"),
        (json.dumps(FUSED | {"at": [1]}).encode(), "where it stands"),
        (json.dumps(SUMMARY | {"method": "by hand"}).encode(), "how it was measured"),
        (json.dumps(SUMMARY | {"state": {"before": 7}}).encode(), "device's state"),
        (json.dumps(SUMMARY | {"suspect": [{}]}).encode(), "no sentences"),
        (json.dumps(CHECK | {"cap": "small"}).encode(), "what passes"),
        (json.dumps(LIMIT | {"add_gb_per_s": 0}).encode(), "rate above zero"),
        (json.dumps(FUSED | {"bytes": 10**400}).encode(), "too large"),
        (json.dumps(FUSED | {"deep": "D"}).replace('"D"', "[" * 21 + "]" * 21).encode(), "deep"),
        (json.dumps(FUSED | {"variant": ["fused"]}).encode(), "names no variant"),
        (json.dumps(DEVICE | {"name": "H200\0"}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"name": "\ud800"}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"a\0key": 1}).encode(), "can't be stored"),
        (json.dumps(DEVICE | {"name": 7}).encode(), "name the device"),
        (json.dumps(DEVICE | {"name": "W" * 201}).encode(), "name the device"),
        (json.dumps(DEVICE | {"W" * 201: 7}).encode(), "name of more than 200"),
        (json.dumps(DEVICE | {"host": "W" * 1001}).encode(), "text of more than 1,000"),
        (json.dumps(FUSED | {"variant": "W" * 201}).encode(), "names no variant"),
        (json.dumps(DEVICE | {"experiment": {}}).encode(), "name the experiment"),
        (json.dumps(DEVICE | {"parameters": []}).encode(), "what was run"),
        (json.dumps(DEVICE | {"at": "yesterday"}).encode(), "time with a zone"),
        (json.dumps(DEVICE | {"at": "2026-01-01T00:00:00"}).encode(), "time with a zone"),
        (json.dumps(DEVICE | {"at": 7}).encode(), "time with a zone"),
        (b'{"event": "progress", "done": 4, "of": 3}', "how much"),
        (b'{"event": "error", "kind": "no_gpu", "message": ""}', "neither"),
        (json.dumps({"event": "error", "kind": "k" * 101, "message": "m"}).encode(), "no word"),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_a_reason(line: bytes, why: str):
    with pytest.raises(BadLine, match=why):
        parse(line)


UNSEEN = [0x202E, 0x2066, 0x200B, 0x200F, 0x061C, 0xFEFF, 0xAD, 0x3164, 0xE0041, 0x1B, 0x7F, 0x2028]


@pytest.mark.parametrize("character", [*map(chr, UNSEEN)], ids=[f"U+{one:04X}" for one in UNSEEN])
@pytest.mark.parametrize(
    "event",
    [
        lambda bad: DEVICE | {"name": f"NVIDIA {bad}002H"},
        lambda bad: DEVICE | {"versions": {"torch": bad}},
        lambda bad: DEVICE | {"versions": {bad: "2.11"}},
        lambda bad: DEVICE | {"parameters": {"preset": f"a{bad}b"}},
        lambda bad: FUSED | {"variant": f"fused{bad}"},
        lambda bad: FUSED | {"at": {"run": bad}},
        lambda bad: SUMMARY | {"notes": [f"It was {bad} measured."]},
    ],
    ids=["device", "version", "version's name", "parameter", "variant", "place", "note"],
)
def test_no_line_holds_what_cannot_be_seen(event: Callable[[str], Any], character: str):
    with pytest.raises(BadLine, match="can't be seen, U"):
        parse(json.dumps(event(character)).encode())


def test_letters_of_any_script_are_let_through():
    for name in ("Intel(R) Xeon(R) @ 2.10\u00a0GHz", "英伟达 H200", "معالج", "Größe µ ≤ ×"):
        assert parse(json.dumps(DEVICE | {"name": name}).encode())["name"] == name


def test_an_errors_words_may_be_in_colour_and_lines():
    said = {"event": "error", "kind": "compiler", "message": "\x1b[31merror:\x1b[0m\n  here"}
    assert parse(json.dumps(said).encode()) == said
