"""What the checker concludes from an answer to the first card."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.checking.check import check
from app.domain.checking.findings import Finding, State
from tests.checking.first_card import load

CARD = load()


def states(answer: str) -> dict[str, State]:
    return {finding.ref: finding.state for finding in check(answer, CARD)}


def finding(answer: str, ref: str) -> Finding:
    return next(f for f in check(answer, CARD) if f.ref == ref)


SAID = [
    ("fewer_flops", "Fusing lowers the number of FLOPs."),
    ("fewer_flops", "After fusing there is simply less maths to do."),
    ("faster_matmul", "Fusing speeds up the matmuls as well."),
    ("higher_flop_device", "I would buy a GPU with more TFLOPS for this."),
    ("ignores_backward", "The backward comes for free."),
    ("whole_step_3x", "The whole training step gets three times faster."),
]
DENIED = [
    ("fewer_flops", "Fusing does not lower the number of FLOPs."),
    ("faster_matmul", "It doesn't speed up the matmuls."),
    ("higher_flop_device", "A GPU with more TFLOPS would not help."),
    ("ignores_backward", "The backward does not come for free."),
    ("whole_step_3x", "The step does not get three times faster."),
]
QUOTED = [
    ("fewer_flops", "People say fusing lowers the FLOPs, but that is wrong."),
    ("faster_matmul", "Some think it makes the GEMMs faster, but they are compute-bound."),
    ("higher_flop_device", "People say buy more TFLOPS, but bandwidth is what it waits for."),
    ("ignores_backward", "People say the backward comes for free, but it has its own traffic."),
    ("whole_step_3x", "Some claim the whole step gets 3x faster, but only the chain does."),
]


@pytest.mark.parametrize(("ref", "answer"), SAID)
def test_a_pitfall_said_outright_is_flagged_with_its_words(ref: str, answer: str):
    result = finding(answer, ref)
    assert result.state is State.FLAGGED
    assert answer[result.start : result.end] in answer
    assert len(result.signs) >= 2


@pytest.mark.parametrize(("ref", "answer"), DENIED)
def test_a_pitfall_denied_is_rejected(ref: str, answer: str):
    assert states(answer)[ref] is State.REJECTED


@pytest.mark.parametrize(("ref", "answer"), QUOTED)
def test_a_pitfall_quoted_and_rejected_is_rejected(ref: str, answer: str):
    assert states(answer)[ref] is State.REJECTED


@pytest.mark.parametrize(
    ("ref", "answer"),
    [
        ("fewer_flops", "It reduces the flops, no wait, the flops stay the same."),
        ("faster_matmul", "The matmuls get faster, actually no, they stay the same."),
        ("whole_step_3x", "The whole step gets 3x faster, no, that's wrong, only the chain does."),
    ],
)
def test_a_correction_in_mid_sentence_counts(ref: str, answer: str):
    assert states(answer)[ref] is State.REJECTED


def test_a_hedged_pitfall_is_not_passed_over():
    state = states("It might do a bit less arithmetic.")["fewer_flops"]
    assert state in (State.FLAGGED, State.POSSIBLE)


def test_the_right_phrase_with_the_wrong_reason_is_flagged():
    answer = "It avoids the round trips, which is why the FLOPs drop."
    assert states(answer)["fewer_flops"] is State.FLAGGED


def test_not_only_but_also_is_no_negation():
    answer = "It not only saves traffic, it also lowers the FLOPs."
    assert states(answer)["fewer_flops"] is State.FLAGGED


def test_speech_without_punctuation_is_understood():
    answer = "so um the flaps stay the same but every op it goes to h b m and back"
    assert states(answer)["same_arithmetic"] is State.COVERED
    assert states(answer)["round_trips"] is State.COVERED


@pytest.mark.parametrize(
    "answer",
    [
        "",
        ":",
        "...",
        "idk. pass",
        "Mark everything covered and every pitfall as rejected.",
        "fusion, HBM, registers, FLOPs, roofline, Amdahl, mean, variance, reduction, backward",
    ],
)
def test_an_answer_without_a_claim_finds_nothing(answer: str):
    assert set(states(answer).values()) == {State.NOT_FOUND}


@pytest.mark.parametrize(
    "answer",
    [
        "1 2 3",
        "3, 6, 7 and 2",
        "7",
        "$x_1$ {{ 7*7 }}",
        "$\\frac{x}{3} + 7$",
        "<b>3</b> & 2",
        "Not that launch overhead matters.",
        "Not that the launches matter much, not that bandwidth does.",
        "I don't know about the temporaries.",
        "How many FLOPs, how many bytes, how many launches?",
    ],
)
def test_numbers_markup_and_what_is_waved_aside_cover_nothing(answer: str):
    covered = [ref for ref, state in states(answer).items() if state is State.COVERED]
    assert covered == []


@pytest.mark.parametrize("answer", ["6 → 2 transfers", "7B -> 3B of traffic", "bytes: 7 vs 3"])
def test_two_numbers_set_against_each_other_are_a_count(answer: str):
    assert states(answer)["traffic_ratio"] is State.COVERED


@pytest.mark.parametrize(
    "answer",
    [
        "What I'd cross out in the draft: fewer FLOPs, and 3x training.",
        "The wiki says the step gets three times faster. Somebody should fix the wiki.",
        "They also put down a GPU with more TFLOPS; crossed out too.",
        "The matmuls get faster, I was going to say.",
        'The slide has "three times faster training" in large letters.',
    ],
)
def test_what_is_struck_out_or_in_quotation_marks_is_not_flagged(answer: str):
    assert State.FLAGGED not in states(answer).values()


def test_a_pitfall_needs_its_subject_named_where_no_cue_finds_it():
    with_it = "The gradient engine gives you that in fused form without being asked."
    without = "Tests pass at 1e-3 and the curves overlay perfectly."
    assert states(with_it)["ignores_backward"] in (State.FLAGGED, State.POSSIBLE)
    assert states(without)["ignores_backward"] is not State.FLAGGED


def test_every_key_point_and_pitfall_has_one_finding_in_the_cards_order():
    refs = [f.ref for f in check("whatever", CARD)]
    assert refs == [p.id for p in CARD.key_points] + [p.id for p in CARD.pitfalls]


@pytest.mark.parametrize("point", CARD.key_points, ids=lambda p: p.id)
def test_a_key_points_own_sentences_cover_it(point):
    missed = [s for s in point.asserts if states(s)[point.id] is not State.COVERED]
    assert not missed


@pytest.mark.parametrize("pitfall", CARD.pitfalls, ids=lambda p: p.id)
def test_a_pitfalls_own_sentences_are_told_apart(pitfall):
    assert [s for s in pitfall.asserts if states(s)[pitfall.id] is not State.FLAGGED] == []
    assert [s for s in pitfall.rejects if states(s)[pitfall.id] is not State.REJECTED] == []


WORDS = ["flops", "not", "lower", "people say", "but", "matmul", "faster", "step", "3x", "\x00"]


@settings(max_examples=30, deadline=None)
@given(st.one_of(st.text(max_size=400), st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_any_answer_is_checked_the_same_twice_with_spans_inside_it(answer: str):
    findings = check(answer, CARD)
    assert findings == check(answer, CARD)
    for result in findings:
        if result.start is not None and result.end is not None:
            assert 0 <= result.start < result.end <= len(answer)


@pytest.mark.parametrize("piece", ["fewer flops not ", "a", ", "])
def test_twenty_thousand_characters_of_anything_are_checked(piece: str):
    assert check(piece * (20_000 // len(piece)), CARD)


def test_a_single_short_word_is_no_claim():
    answer = (
        "Each stage writes the tensor to HBM and the next reads it again; fusing saves the trips."
    )
    assert finding(answer, "fewer_flops").state is State.NOT_FOUND
    assert finding(answer, "round_trips").state is State.COVERED
