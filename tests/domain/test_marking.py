"""An answer cut into marked pieces."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.checking.findings import State
from app.domain.marking import STRONGEST_FIRST, Mark, pieces

marks = st.lists(
    st.builds(Mark, st.integers(-3, 40), st.integers(-3, 40), st.sampled_from(STRONGEST_FIRST)),
    max_size=6,
)


@given(st.text(max_size=30), marks)
def test_the_pieces_joined_are_the_answer(answer, marks):
    assert "".join(piece.text for piece in pieces(answer, marks)) == answer


@given(st.text(min_size=1, max_size=30), marks)
def test_every_character_is_under_just_the_marks_that_span_it(answer, marks):
    within = [mark for mark in marks if 0 <= mark.start < mark.end <= len(answer)]
    at = 0
    for piece in pieces(answer, marks):
        for place in range(at, at + len(piece.text)):
            over = [mark for mark in within if mark.start <= place < mark.end]
            assert sorted(piece.under, key=hash) == sorted(over, key=hash)
        at += len(piece.text)


@given(st.text(min_size=1, max_size=30), marks)
def test_every_mark_within_the_answer_begins_once(answer, marks):
    begun = [mark for piece in pieces(answer, marks) for mark in piece.begins]
    within = [mark for mark in marks if 0 <= mark.start < mark.end <= len(answer)]
    assert sorted(begun, key=hash) == sorted(within, key=hash)


def test_where_marks_overlap_the_strongest_gives_the_look():
    covered, flagged = Mark(0, 4, State.COVERED), Mark(2, 6, State.FLAGGED, 1)
    cut = pieces("abcdef", [covered, flagged])
    assert [(piece.text, piece.state, piece.begins) for piece in cut] == [
        ("ab", State.COVERED, (covered,)),
        ("cd", State.FLAGGED, (flagged,)),
        ("ef", State.FLAGGED, ()),
    ]
