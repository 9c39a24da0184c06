"""Times set against each other: how much shorter one is than the other, and whom that belies."""

import pytest

from app.domain.checking.amounts import belies, gains

THREEFOLD = "The whole step runs three times as fast."


@pytest.mark.parametrize(
    ("words", "gain"),
    [
        ("total: 0.42 s vs 0.37 s", 0.42 / 0.37),
        ("the run went from 61 to 56 hours", 61 / 56),
        ("300 ms → about 100 ms", 3.0),
        ("1,2 s now 0,6 s", 2.0),
        ("5 days instead of 15 days", 3.0),
    ],
)
def test_a_pair_of_times_is_a_gain(words: str, gain: float):
    assert gains(words) == [pytest.approx(gain)]


@pytest.mark.parametrize("words", ["", "7B to 3B", "30 h to 10 ms", "3 of 5", "0 s → 4 s", "61 56"])
def test_other_numbers_are_none(words: str):
    assert gains(words) == []


def test_a_claim_with_a_factor_is_belied_by_a_small_gain():
    assert belies(THREEFOLD, "step: 310 ms → 282 ms")
    assert belies("It gets 3x faster.", "from 61 to 56 hours")


@pytest.mark.parametrize(
    "words", ["310 ms → 104 ms", "chain 12 ms → 10 ms, step 300 ms → 100 ms", ""]
)
def test_it_is_not_belied_by_what_comes_near_it(words: str):
    assert not belies(THREEFOLD, words)


def test_a_claim_without_a_factor_is_belied_by_nothing():
    assert not belies("The matmuls get faster.", "310 ms → 308 ms")
