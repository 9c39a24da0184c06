"""An answer cut into marked pieces."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.marking import Span, pieces

spans = st.builds(Span, st.integers(-3, 40), st.integers(-3, 40), st.sampled_from(["a", "b", "c"]))


@given(st.text(max_size=30), st.lists(spans, max_size=6))
def test_the_pieces_joined_are_the_answer(answer, marks):
    assert "".join(piece.text for piece in pieces(answer, marks)) == answer


@given(st.text(min_size=1, max_size=30), st.lists(spans, max_size=6))
def test_every_character_carries_the_names_of_the_spans_over_it(answer, marks):
    inside = [mark for mark in marks if 0 <= mark.start < mark.end <= len(answer)]
    at = 0
    for piece in pieces(answer, marks):
        for place in range(at, at + len(piece.text)):
            over = sorted(mark.name for mark in inside if mark.start <= place < mark.end)
            assert sorted(piece.names) == over
        at += len(piece.text)


def test_overlapping_spans_are_told_apart_and_each_begins_once():
    cut = pieces("abcdef", [Span(0, 4, "one"), Span(2, 6, "two")])
    assert [(piece.text, piece.names, piece.begins) for piece in cut] == [
        ("ab", ("one",), ("one",)),
        ("cd", ("one", "two"), ("two",)),
        ("ef", ("two",), ()),
    ]
