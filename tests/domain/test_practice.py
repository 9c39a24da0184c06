"""The rules of a rehearsal."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute, Step, as_kept, clock, counts, step, tone

AT = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "in time"),
        (49.99, "in time"),
        (50, "over"),
        (74.99, "over"),
        (75, "far over"),
        (9_999, "far over"),
    ],
)
def test_the_tone_turns_at_the_target_and_at_one_and_a_half_times_it(seconds, expected):
    assert tone(seconds, 50) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-3, "0:00"), (0, "0:00"), (7.9, "0:07"), (60, "1:00"), (750, "12:30"), (3600, "60:00")],
)
def test_a_clock_drops_parts_of_a_second_and_never_goes_below_zero(seconds, expected):
    assert clock(seconds) == expected


def test_the_own_view_comes_before_the_check():
    assert step(None, None, None) is Step.ANSWER
    assert step(AT, None, None) is Step.OWN_VIEW
    assert step(AT, None, AT) is Step.OWN_VIEW
    assert step(AT, AT, None) is Step.UNCHECKED
    assert step(AT, AT, AT) is Step.CHECKED


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("state", State)
def test_the_learner_has_the_last_word_on_what_counts(kind, state):
    assert counts(kind, state, Dispute.SAID)
    assert not counts(kind, state, Dispute.OPPOSITE)
    assert not counts(kind, state, Dispute.NOT_SAID)


def test_without_a_word_of_the_learner_only_a_covered_point_and_a_flagged_pitfall_count():
    assert [state for state in State if counts(Kind.KEY_POINT, state, None)] == [State.COVERED]
    assert [state for state in State if counts(Kind.PITFALL, state, None)] == [State.FLAGGED]


@given(st.text(alphabet=st.characters(codec=None, categories=None)))
def test_a_kept_text_can_be_stored_and_is_kept_the_same_way_again(text):
    kept = as_kept(text)
    kept.encode("utf-8")
    assert "\r" not in kept
    assert "\0" not in kept
    assert as_kept(kept) == kept


def test_a_kept_text_keeps_every_line_and_character_that_can_be_stored():
    assert as_kept("a\r\nb\rc\nd  <b>é→</b>\t") == "a\nb\nc\nd  <b>é→</b>\t"
    assert as_kept("a\0b") == "a\N{REPLACEMENT CHARACTER}b"
