"""Pitfalls: told though the networks doubt, and not told where the words are of another thing."""

import pytest

from app.domain.checking.check import check
from app.domain.checking.findings import State
from tests.checking.first_card import load

CARD = load()
TOLD = (State.FLAGGED, State.POSSIBLE)
PITFALLS = [pitfall.id for pitfall in CARD.pitfalls]


def states(answer: str) -> dict[str, State]:
    return {finding.ref: finding.state for finding in check(answer, CARD)}


@pytest.mark.parametrize(
    ("ref", "answer"),
    [
        ("fewer_flops", "It needs a third of the FLOPs, so it takes a third of the time."),
        ("fewer_flops", "Fusing halves the FLOPs and makes the matmuls three times faster."),
        ("faster_matmul", "Fusing halves the FLOPs and makes the matmuls three times faster."),
    ],
)
def test_what_a_cue_says_outright_is_told_though_the_verifier_doubts(ref: str, answer: str):
    assert states(answer)[ref] in TOLD


@pytest.mark.parametrize(
    "answer",
    [
        "You do everything at once instead of three times.",
        "One pass over the row rather than three, everything in one kernel.",
        "For inference there's no backward.",
        "For inference there's no backward, so the forward is all you fuse.",
        "When serving you have no gradients to care for.",
        "torch.compile gives you this for free.",
        "An H200 instead of an H100 is the better buy: same FLOPs and more bandwidth.",
    ],
)
def test_words_that_are_of_another_thing_are_no_pitfall(answer: str):
    assert [ref for ref in PITFALLS if states(answer)[ref] in TOLD] == []


@pytest.mark.parametrize(
    "answer",
    [
        "In training autograd does the backward for free, and for inference there's no backward.",
        "The backward comes for free.",
    ],
)
def test_inference_beside_training_excuses_nothing(answer: str):
    assert states(answer)["ignores_backward"] in TOLD


LIST = "The FLOPs drop. The matmuls get faster. The backward comes for free."


@pytest.mark.parametrize("refusal", ["No.", "Nope.", "None of that.", "Of course not!"])
def test_a_list_that_a_no_of_its_own_refuses_is_not_flagged(refusal: str):
    assert State.FLAGGED in states(LIST).values()
    refused = states(f"{LIST} {refusal} What goes away is the traffic between the stages.")
    assert State.FLAGGED not in refused.values()


def test_a_no_that_answers_a_later_question_refuses_nothing_before_it():
    answer = "Fusing lowers the FLOPs. Do the matmuls change? No."
    assert states(answer)["fewer_flops"] is State.FLAGGED


def test_what_hangs_on_other_words_is_not_flagged():
    answer = "The round trips to HBM go away and so do the FLOPs for them."
    assert State.FLAGGED not in states(answer).values()
