"""Which side words take, and when a claim's words go the other way."""

import pytest

from app.domain.checking.amounts import grows, is_count
from app.domain.checking.contrary import is_contrary
from app.domain.checking.sides import sides
from app.domain.checking.words import normalise, read

FEWER = ("Two crates go away.", "Fewer crates to carry.", "One crate instead of three.")


@pytest.mark.parametrize(
    ("words", "axis", "side"),
    [
        ("it adds crates", "amount", "more"),
        ("it adds no crates", "amount", "less"),
        ("it doesn't save a crate", "amount", "not less"),
        ("more crates, not fewer", "amount", "more"),
        ("no more crates", "amount", "less"),
        ("the crates are the same", "amount", "persists"),
        ("multiplies and adds", "amount", None),
        ("it never leaves the shed", "place", "stays"),
        ("it isn't kept there", "place", "leaves"),
        ("bandwidth isn't the bottleneck", "bound", "maths"),
        ("no doubt memory-bound, no doubt at all", "bound", "bytes"),
        ("no need to wait", "need", "not needed"),
        ("it can't do more, it's capped", "limit", "limited"),
    ],
)
def test_words_take_sides_that_a_negation_turns(words: str, axis: str, side: str | None):
    assert sides(normalise(words) + " ")[axis] == (frozenset({side}) if side else frozenset())


@pytest.mark.parametrize(
    ("words", "contrary"),
    [
        ("it adds crates", True),
        ("still three crates", True),
        ("packed or not, three crates", True),
        ("it drops two crates", False),
        ("two crates dropped, more work", False),
        ("carried separately you have extra crates", False),
        ("crates in the shed", False),
    ],
)
def test_a_claim_is_turned_by_the_other_side_alone(words: str, contrary: bool):
    text = read(words)
    assert is_contrary(FEWER, text, 0, len(text.words)) is contrary


@pytest.mark.parametrize(
    "words", ["six become two", "about a third", "3x less", "twofold", "7 vs 3"]
)
def test_two_numbers_a_share_or_a_factor_are_a_count(words: str):
    assert is_count(normalise(words) + " ")


@pytest.mark.parametrize("words", ["it goes down", "three of them", "six before, six after"])
def test_less_than_that_is_no_count(words: str):
    assert not is_count(normalise(words) + " ")


@pytest.mark.parametrize(
    ("words", "rises"),
    [
        ("two become six", True),
        ("three times more", True),
        ("six to two", False),
        ("2 to 3x", False),
    ],
)
def test_a_count_may_go_up(words: str, rises: bool):
    assert grows(normalise(words) + " ") is rises
