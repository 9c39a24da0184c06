"""What is typed as a guess is read as a person means it, or refused with what would do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.guess import BadGuess, Guess, in_words, matched, read, told
from kernels.lab.experiment import Kind, Question

FACTOR = Question("How many times?")
PERCENT = Question("By how much?", Kind.PERCENT)
CHOICE = Question("What binds it?", Kind.CHOICE, {"memory": "the memory", "launches": "launches"})
MATCH = Question("Which is which?", Kind.MATCH, {"cold": "a cold start", "hot": "a hot cache"})


@pytest.mark.parametrize(
    ("low", "high", "guess"),
    [
        ("2", "2.5", Guess(2.0, 2.5)),
        ("2,5×", "", Guess(2.5, 2.5)),
        ("", "3x", Guess(3.0, 3.0)),
        ("3", "2", Guess(2.0, 3.0)),
        (" .5 ", "1 X", Guess(0.5, 1.0)),
        ("", "  ", None),
    ],
)
def test_a_range_is_read_from_two_fields(low: str, high: str, guess: Guess | None):
    assert read(FACTOR, low, high) == guess


@pytest.mark.parametrize("typed", ["-4 %", "−4", "−4,0 %"])
def test_per_cent_may_be_below_zero(typed: str):
    assert read(PERCENT, typed) == Guess(-4.0, -4.0)


@pytest.mark.parametrize("typed", ["fast", "1e3", "nan", "inf", "1_000", "٣", "2 3", "2-3", "--1"])
def test_what_is_no_number_is_refused_with_an_example(typed: str):
    with pytest.raises(BadGuess, match=r"such as 2\.5"):
        read(FACTOR, typed)


@pytest.mark.parametrize("typed", ["0", "-1", "1001", "9" * 400])
def test_a_factor_out_of_reach_is_refused_with_its_limits(typed: str):
    with pytest.raises(BadGuess, match=r"from 0\.01 to 1000"):
        read(FACTOR, typed)


@given(st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_any_two_numbers_make_a_range_in_order(low: float, high: float):
    guess = read(FACTOR, f"{low:.12f}", f"{high:.12f}")
    assert guess is not None and guess.low is not None and guess.high is not None
    assert guess.low <= guess.high
    assert guess.low == pytest.approx(min(low, high), abs=1e-11)


@given(st.text(max_size=20))
def test_whatever_is_typed_is_read_or_refused(typed: str):
    try:
        guess = read(FACTOR, typed)
    except BadGuess as refused:
        assert str(refused).endswith(".")
    else:
        assert guess is None or guess.low == guess.high


def test_a_choice_is_one_of_the_options_or_nothing():
    assert read(CHOICE, choice="memory") == Guess(choice="memory")
    assert read(CHOICE) is None
    with pytest.raises(BadGuess, match="choose one of those"):
        read(CHOICE, choice="luck")


def test_matches_are_those_of_the_runs_items_and_what_is_left_out_stays_out():
    said = {"A": "cold", "B": "", "Z": "hot"}
    assert matched(MATCH, {"A": "slow", "B": "fast"}, said) == Guess(matches={"A": "cold"})
    with pytest.raises(BadGuess, match="'luck'"):
        matched(MATCH, {"A": "slow"}, {"A": "luck"})
    assert read(MATCH, "2", "3", "cold") is None


def test_a_guess_is_told_in_the_unit_of_its_question():
    assert in_words(FACTOR, Guess(2.0, 2.5)) == "2 to 2.5×"
    assert in_words(FACTOR, Guess(3.0, 3.0)) == "3×"
    assert in_words(PERCENT, Guess(-5.0, 10.0)) == "−5 to 10\N{NO-BREAK SPACE}%"
    assert in_words(CHOICE, Guess(choice="memory")) == "the memory"
    assert told(Kind.FACTOR, 7 / 3) == "2.33×"
    assert told(Kind.PERCENT, 7.14) == "7.1\N{NO-BREAK SPACE}%"
    assert told(Kind.PERCENT, -0.03) == "0.0\N{NO-BREAK SPACE}%"  # and not −0.0
