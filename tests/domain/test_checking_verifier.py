"""The verifier: what a 'not' belongs to, whose claim it is, and whether it is taken back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.checking.sighting import NOWHERE, Sighting, Verdict
from app.domain.checking.verifier import Verifier, the_verifier
from tests.checking.first_card import load

CARD = load()


def verdict(ref: str, answer: str) -> Verdict:
    return the_verifier().read(CARD.pitfall(ref).says, answer, Sighting(1.0, 0, len(answer)))


@pytest.mark.parametrize(
    ("ref", "answer"),
    [
        ("fewer_flops", "It not only saves traffic, it also lowers the FLOPs."),
        ("fewer_flops", "People say the FLOPs drop, and they are right."),
        ("higher_flop_device", "so what I would do is buy the card with more teraflops for it"),
        ("ignores_backward", "The backward? Nothing to be done there."),
    ],
)
def test_what_is_said_is_said_however_it_is_dressed(ref: str, answer: str):
    assert verdict(ref, answer).says > 0.5


@pytest.mark.parametrize(
    ("ref", "answer"),
    [
        ("fewer_flops", "People say the FLOPs drop, but they don't."),
        ("fewer_flops", "I would never claim, as some do, that there is less to compute."),
        ("faster_matmul", "The matmuls get faster, no wait, they don't, they are compute-bound."),
        ("whole_step_3x", "Is the whole step three times faster? No, only the chain."),
        ("ignores_backward", "It'd be wrong to think that the backward needs no work."),
    ],
)
def test_what_is_quoted_and_refused_or_taken_back_is_denied(ref: str, answer: str):
    assert verdict(ref, answer).denies > 0.5


@pytest.mark.parametrize("ref", [pitfall.id for pitfall in CARD.pitfalls])
def test_an_answer_about_something_else_does_neither(ref: str):
    read = verdict(ref, "We moved the meeting to Thursday, and the coffee machine is broken.")
    assert max(read.says, read.denies) < 0.3


def test_of_a_long_answer_the_words_around_the_sighting_are_read():
    said = "The whole training step gets three times faster."
    answer = "We talked about the weather for a while. " * 60 + said
    place = Sighting(1.0, len(answer) - len(said), len(answer))
    claim = CARD.pitfall("whole_step_3x").says
    assert the_verifier().read(claim, answer, place).says > 0.5
    assert the_verifier().read(claim, answer, Sighting(1.0, 0, 40)).says < 0.5


def test_another_loading_reads_the_same():
    claim, answer = CARD.pitfalls[0].says, "fewer flops, so it's quicker"
    place = Sighting(1.0, 0, len(answer))
    assert Verifier().read(claim, answer, place) == the_verifier().read(claim, answer, place)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=200))
def test_verdicts_are_in_range_for_any_text(answer: str):
    read = the_verifier().read(CARD.pitfalls[0].says, answer, NOWHERE)
    assert 0 <= read.says <= 1
    assert 0 <= read.denies <= 1
    assert read.says + read.denies <= 1.0002
