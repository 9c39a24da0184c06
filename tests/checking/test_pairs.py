"""What the verifier learns from: verdicts that the marks bear out, and answers kept from it."""

import random

import pytest

from app.domain.checking.weights import FOLDER
from app.domain.checking.wordpiece import END, START
from tests.checking.markup import parse
from tests.checking.training.compose import Composed, load_pool
from tests.checking.training.lines import kept_back, seen_lines
from tests.checking.training.packed import Cutter, text_of
from tests.checking.training.pairs import (
    DENIES,
    NEITHER,
    SAYS,
    WINDOW,
    Pair,
    card_claims,
    pair,
    pairs,
)
from tests.checking.training.subjects import load_subjects

FRAGMENTS = FOLDER / "fragments"
CUTTER = Cutter(FOLDER / "vocab.txt")
CLAIMS = {"F+": ["fewer operations"], "F-": ["as many operations"]}


OTHERS = frozenset(axis + "-" for axis in "MDBS") | {"rt", "ra", "bw", "rd", "la", "oc"}


def drawn(text: str) -> list[Pair]:
    """Pairs of an answer with 'fewer operations', cut in many ways."""
    made = Composed(parse(f"@x-1 test\n{text}")[0].segments, OTHERS)
    every = [pair(made, CLAIMS, card_claims(), CUTTER, random.Random(s)) for s in range(60)]
    return [one for one in every if one is not None]


def verdicts(text: str) -> set[int]:
    """The verdicts that an answer is given, however it is cut."""
    return {one.verdict for one in drawn(text)}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("It is one pass. [[F+ There's less to compute.]]", SAYS),
        ("It is one pass. [[F- There's as much to compute.]]", DENIES),
    ],
)
def test_a_marked_stretch_gives_its_verdict_and_its_opposites_the_other(text: str, verdict: int):
    assert verdicts(text) <= {SAYS, DENIES}
    assert verdict in verdicts(text)


def test_what_is_marked_with_something_else_says_neither():
    assert verdicts("It is one pass. [[rt Nothing goes out and comes back.]]") == {NEITHER}


def test_no_window_cuts_much_from_a_stretch_that_matters():
    (word,) = CUTTER.ids("word")
    made = drawn(f"{'filler ' * 150} [[F+ {'word ' * 40}]] {'filler ' * 30}")
    assert made
    for one in made:
        assert one.ids[one.before :].count(word) >= 0.7 * 40 * 0.9  # a few pieces are hidden


def test_a_pair_is_a_claim_and_a_window_between_their_marks():
    pool = load_pool(FRAGMENTS, seen_lines()[:40])
    made = pairs(pool, load_subjects(FRAGMENTS / "other.txt"), CUTTER, random.Random(2))
    for _ in range(100):
        one = next(made)
        assert (one.ids[0], one.ids[one.before - 1], one.ids[-1]) == (START, END, END)
        assert len(one.ids) - one.before - 1 <= WINDOW


def test_nothing_is_learned_from_the_answers_that_are_kept_back():
    learned = {text_of(line.segments) for line in seen_lines()}
    kept = {answer.text for answer in kept_back()}
    assert kept
    assert not learned & kept
