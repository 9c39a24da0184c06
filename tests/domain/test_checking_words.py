"""Answers as comparable words: one spelling for each thing, spans into the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.checking.words import normalise, read


@pytest.mark.parametrize(
    "spelling", ["HBM", "hbm", "H.B.M.", "h b m", "HBM3", "global memory", "device-memory", "D RAM"]
)
def test_every_name_of_device_memory_is_one_word(spelling: str):
    assert normalise(spelling) == "dram"


@pytest.mark.parametrize("spelling", ["3x", "3×", "3 x", "three times", "Three Times", "3*"])
def test_times_is_spelled_one_way(spelling: str):
    assert normalise(spelling) == "3 times"


@pytest.mark.parametrize("spelling", ["L2 cache", "L2-cache", "l two cache", "l 2 cache"])
def test_the_l2_cache_is_spelled_one_way(spelling: str):
    assert normalise(spelling) == "l2 cache"


@pytest.mark.parametrize(
    "spelling", ["mat mul", "matmuls", "GEMMs", "mat moles", "matrix products"]
)
def test_matrix_products_are_one_word_even_when_misheard(spelling: str):
    assert normalise(spelling) == "matmul"


@pytest.mark.parametrize("spelling", ["flops", "FLOPs", "flaps", "floating-point operations"])
def test_flops_are_one_word_even_when_misheard(spelling: str):
    assert normalise(spelling) == "flops"


def test_apostrophes_and_fillers_make_no_difference():
    assert normalise("it um doesn’t uh help") == normalise("it doesn't help")


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_word_lies_in_it_in_order(answer: str):
    words = read(answer).words
    assert all(0 <= word.start < word.end <= len(answer) for word in words)
    starts = [word.start for word in words]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (0, 4, ["same"]),
        (2, 7, ["same", "maths"]),
        (4, 5, []),
        (0, 18, ["same", "maths", ";", "done"]),
    ],
)
def test_the_words_of_a_stretch_are_those_that_it_touches(start: int, end: int, words: list[str]):
    text = read("same math. done   ")
    first, last = text.words_of(start, end)
    assert [word.text for word in text.words[first:last]] == words
