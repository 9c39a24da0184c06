"""The network: what it takes apart, that it repeats itself, and where it points."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.checking.network import Network, the_network
from app.domain.checking.sighting import NOWHERE, Claim
from app.domain.checking.spans import sentences
from app.domain.checking.weights import FOLDER
from app.domain.checking.wordpiece import UNKNOWN, WordPiece

WORDS = WordPiece(FOLDER / "vocab.txt")
CLAIMS = (
    Claim("fewer", ("Fusing lowers the number of floating-point operations.",)),
    Claim("same", ("The arithmetic is the same before and after.",)),
)


def test_pieces_are_those_of_the_published_tokenizer():
    # ids of "naive gemms" by all-MiniLM-L6-v2's own tokenizer.json
    assert [piece.id for piece in WORDS.pieces("Naïve GEMMs")] == [15743, 17070, 5244]


@pytest.mark.parametrize("end", [".", '."', "?’)", "…", ";"])
def test_a_sentence_keeps_what_closes_it_and_the_next_begins_after_it(end: str):
    text = f"It is free{end} Next"
    pieces = WORDS.pieces(text)
    first, second = sentences(text, pieces)
    assert text[: pieces[first][-1].end] == f"It is free{end}"
    assert [piece.start for piece in pieces[second]] == [text.index("Next")]


@given(st.text(max_size=200))
def test_every_piece_lies_in_the_text_in_order(text: str):
    pieces = WORDS.pieces(text)
    edges = [edge for piece in pieces for edge in (piece.start, piece.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)


def test_a_word_without_pieces_is_unknown_and_keeps_its_place():
    (piece,) = WORDS.pieces("ᛉᛉᛉ")
    assert (piece.id, piece.start, piece.end) == (UNKNOWN, 0, 3)


def test_a_claim_and_its_opposite_are_told_apart():
    says = the_network().look("you end up doing fewer FLOPs", CLAIMS)
    denies = the_network().look("the FLOPs stay exactly what they were", CLAIMS)
    assert says["fewer"].probability > 0.5 > says["same"].probability
    assert denies["same"].probability > 0.5 > denies["fewer"].probability


def test_the_words_that_it_points_at_are_the_ones_that_say_it():
    answer = "I looked at a profile first. Then I saw that the arithmetic is the same. It rained."
    sighting = the_network().look(answer, CLAIMS)["same"]
    assert "arithmetic" in answer[sighting.start : sighting.end]
    assert "rained" not in answer[sighting.start : sighting.end]


def test_a_claim_far_into_a_long_answer_is_found():
    answer = "We talked about the weather for a while. " * 60 + "The arithmetic is the same."
    sighting = the_network().look(answer, CLAIMS)["same"]
    assert sighting.probability > 0.5
    assert sighting.start > len(answer) - 40


def test_another_loading_sees_the_same():
    answer = "same maths, fewer trips"
    assert Network().look(answer, CLAIMS) == the_network().look(answer, CLAIMS)


@pytest.mark.parametrize("answer", ["", " ", "\n\t"])
def test_an_answer_without_words_says_nothing(answer: str):
    found = the_network().look(answer, CLAIMS)
    assert {sighting.probability for sighting in found.values()} == {0.0}


def test_a_claim_of_a_subject_that_it_does_not_know_has_no_sighting():
    strange = Claim("bread", ("Rye needs a sourdough.", "Without acid the crumb stays sticky."))
    assert "bread" not in the_network().look("Rye needs a sourdough.", (*CLAIMS, strange))


@settings(max_examples=25, deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_probabilities_and_places_are_in_range_for_any_text(answer: str):
    for sighting in the_network().look(answer, CLAIMS).values():
        assert 0 <= sighting.probability <= 1
        if WORDS.pieces(answer):
            assert 0 <= sighting.start < sighting.end <= len(answer)
        else:
            assert sighting == NOWHERE
