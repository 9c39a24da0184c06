"""What an answer has no word on, by what its length asks for."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.checking.findings import Kind, State
from app.domain.omissions import SPOKEN_OF, Spoken, meant, omissions
from app.domain.practice import Dispute

BACKWARD = "No word on the backward, and leaving it out is heard as often as denying it"


@pytest.fixture
def silent(card):
    """The check of an answer that says nothing."""
    points = [Spoken(Kind.KEY_POINT, point.id, State.NOT_FOUND) for point in card.key_points]
    return points + [Spoken(Kind.PITFALL, one.id, State.NOT_FOUND) for one in card.pitfalls]


def left_out(card, silent, *changed, tier="solid"):
    rest = {(told.kind, told.ref): told for told in (*silent, *changed)}
    return [omission.ref for omission in omissions(rest.values(), card, tier)]


def test_the_short_answer_owes_two_points_and_the_long_one_all(card, silent):
    assert left_out(card, silent, tier="basics") == ["same_arithmetic", "round_trips"]
    assert left_out(card, silent, tier="solid") == [point.id for point in card.key_points]
    assert left_out(card, silent, tier="deep") == [point.id for point in card.key_points]


def test_leaving_the_backward_out_is_told_where_it_is_asked_for_and_only_there(card, silent):
    said = {one.ref: one.says for one in omissions(silent, card, "solid")}
    assert said["backward"] == BACKWARD
    assert "backward" not in left_out(card, silent, tier="basics")


def test_a_point_that_was_covered_is_not_left_out(card, silent):
    covered = Spoken(Kind.KEY_POINT, "backward", State.COVERED)
    assert "backward" not in left_out(card, silent, covered)


@pytest.mark.parametrize(
    ("state", "dispute", "is_left_out"),
    [
        (State.NOT_FOUND, Dispute.SAID, False),
        (State.COVERED, Dispute.NOT_SAID, True),
        (State.COVERED, Dispute.OPPOSITE, False),
    ],
)
def test_the_learner_has_the_last_word(card, silent, state, dispute, is_left_out):
    told = Spoken(Kind.KEY_POINT, "backward", state, dispute)
    assert ("backward" in left_out(card, silent, told)) is is_left_out


@pytest.mark.parametrize(
    ("state", "dispute", "is_left_out"),
    [
        (State.FLAGGED, None, False),
        (State.POSSIBLE, None, False),
        (State.REJECTED, None, True),
        (State.FLAGGED, Dispute.NOT_SAID, True),
        (State.POSSIBLE, Dispute.SAID, False),
        (State.FLAGGED, Dispute.OPPOSITE, False),
        (State.POSSIBLE, Dispute.OPPOSITE, False),
    ],
)
def test_a_point_whose_opposite_was_said_is_not_left_out(card, silent, state, dispute, is_left_out):
    assert card.key_point("backward").opposes == "ignores_backward"
    told = Spoken(Kind.PITFALL, "ignores_backward", state, dispute)
    assert ("backward" in left_out(card, silent, told)) is is_left_out
    assert meant([told], card) == ({"backward"} if dispute is Dispute.OPPOSITE else set())


def test_without_a_check_nothing_is_left_out(card):
    assert omissions([], card, "solid") == ()


@given(data=st.data())
def test_no_point_is_both_counted_and_left_out(card, data):
    states = {point.id: data.draw(st.booleans()) for point in card.key_points}
    told = [
        Spoken(Kind.KEY_POINT, ref, State.COVERED if covered else State.NOT_FOUND)
        for ref, covered in states.items()
    ]
    for tier in card.tiers:
        out = {omission.ref for omission in omissions(told, card, tier.id)}
        assert out == {ref for ref in tier.asks if not states[ref]}


@pytest.mark.parametrize(
    ("answer", "ref"),
    [
        ("The backward? Don't ask.", "backward"),
        ("Sechs Transfers werden zwei.", "traffic_ratio"),
        ("One kernel launch.", "launches_temporaries"),
        ("FLOPS, well.", "same_arithmetic"),
    ],
)
def test_of_a_subject_that_was_spoken_of_it_is_not_said_that_there_is_no_word(
    card, silent, answer, ref
):
    said = {one.ref: one.says for one in omissions(silent, card, "solid", answer)}
    assert [other for other in said if said[other] == SPOKEN_OF] == [ref]


@pytest.mark.parametrize(
    ("subject", "answer", "is_spoken_of"),
    [
        ("the loss", "Losses, well.", True),
        ("the loss", "Lo and behold.", False),
        ("the caches", "One cache.", True),
        ("the classes", "One class.", True),
    ],
)
def test_one_and_many_of_a_thing_are_the_same_word_and_others_are_not(
    card, silent, subject, answer, is_spoken_of
):
    point = replace(card.key_point("backward"), left_out=f"No word on {subject}")
    [told] = omissions(silent, replace(card, key_points=(point,)), "solid", answer)
    assert (told.says == SPOKEN_OF) is is_spoken_of


def test_the_words_of_the_question_itself_are_no_word_on_any_point(card, silent):
    asked = f"{card.prompt.text} It is so, and that is why, before and after."
    assert omissions(silent, card, "solid", asked) == omissions(silent, card, "solid")
