"""How moments and lengths of time are told."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.words import against, ago, day, going_on, length_of_time, moment, several

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (timedelta(seconds=-2), "just now"),
        (timedelta(seconds=4), "just now"),
        (timedelta(seconds=59), "59 seconds ago"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=14), "2 weeks ago"),
        (timedelta(days=59), "8 weeks ago"),
        (timedelta(days=60), "2 months ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_how_long_ago_is_told_in_the_largest_whole_unit(passed, expected):
    assert ago(NOW - passed, NOW) == expected


@given(st.timedeltas(timedelta(), timedelta(days=20_000)))
def test_no_time_ago_counts_zero_of_anything(passed):
    assert not ago(NOW - passed, NOW).startswith("0")


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-1, "0 s"), (0.9, "0 s"), (50, "50 s"), (60, "1 min"), (72, "1 min 12 s"), (180, "3 min")],
)
def test_a_length_of_time_carries_its_unit(seconds, expected):
    assert length_of_time(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (41.9, "41 s of 50 s"),
        (50, "50 s of 50 s"),
        (72, "1 min 12 s, 22 s over the 50 s"),
    ],
)
def test_a_time_stands_beside_its_target(seconds, expected):
    assert against(seconds, 50) == expected


def test_counts_and_moments_read_as_spoken():
    assert (several(1, "answer"), several(0, "answer")) == ("1 answer", "0 answers")
    assert moment(datetime(2026, 11, 30, 17, 42, tzinfo=UTC)) == "30 Nov 2026, 17:42 UTC"
    assert day(datetime(2026, 12, 1, tzinfo=UTC)) == "1 Dec 2026"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The chain has fewer.", "the chain has fewer."),
        ("A step gets faster.", "a step gets faster."),
        ("FLOPs go down.", "FLOPs go down."),
        ("I expect more.", "I expect more."),
        ("I'm sure.", "I'm sure."),
        ("In bf16 it is.", "in bf16 it is."),
        ("Élan", "élan"),
        ("3× faster", "3× faster"),
        ("", ""),
    ],
)
def test_a_text_goes_on_in_small_letters_but_for_names(text, expected):
    assert going_on(text) == expected
