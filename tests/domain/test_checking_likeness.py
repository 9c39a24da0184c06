"""Claims without cues are found by the words of their statements."""

from app.domain.checking.check import check
from app.domain.checking.findings import State
from app.domain.checking.likeness import alike
from app.domain.checking.stance import Stance
from app.domain.checking.words import read
from tests.checking.second_card import load

CARD = load()
STATEMENTS = ("Memory grows linearly with the sequence length.",)


def stances(answer: str) -> set[Stance]:
    return {found.stance for found in alike(read(answer), STATEMENTS, {})}


def test_a_sentence_with_most_of_the_telling_words_says_the_same():
    assert stances("The memory is linear in the length of the sequence") == {Stance.SAYS}


def test_one_negation_more_says_the_opposite():
    assert stances("memory doesn't grow linearly with the sequence length") == {Stance.DENIES}


def test_a_sentence_with_one_common_word_says_nothing():
    assert stances("The memory is full.") == set()


def test_a_long_sentence_is_compared_in_parts():
    answer = "well " * 60 + "memory grows linearly with sequence length " + "well " * 60
    (first, *_) = alike(read(answer), STATEMENTS, {})
    assert first.last - first.first < 40


def test_a_card_of_sentences_only_is_checked_with_at_most_one_sign():
    answer = "It is exact, the same attention. Memory grows linearly with the sequence length."
    found = {finding.ref: finding for finding in check(answer, CARD)}
    assert found["linear_memory"].state is State.COVERED
    assert all(finding.state is not State.FLAGGED for finding in found.values())
