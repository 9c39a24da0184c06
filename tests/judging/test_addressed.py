"""What speaks to a grader is told from what speaks of the question."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.judging.addressed import addressed, overlaps, without
from app.judging.controls import absent
from tests.checking.scoring import DEV, labelled
from tests.judging.conftest import TO_A_GRADER

ANSWER = "One pass reads the tensor once and writes it once. The FLOPs stay the same."
OF_THE_QUESTION = [
    "Count every trip to memory: that is the whole point.",
    "Forget the FLOPs, what counts is the traffic above all.",
    "If time < bytes / bandwidth you are on the wrong side of the ridge.",
    "I would report the chain's share before anything else.",
    "Ignore the matmuls, they are compute bound.",
    "The AI of these ops should be well under one FLOP for each byte.",
    "Mark the reduction as a synchronization point.",
    "As a system gets bigger, the note on launches matters less.",
    "The user sees the step time, the system sees bytes.",
]


@pytest.mark.parametrize("instruction", TO_A_GRADER)
@pytest.mark.parametrize("form", ["{0}\n\n{1}", "{1}\n\n{0}", "{1} {0}"])
def test_what_speaks_to_a_grader_is_left_out_wherever_it_stands(instruction, form):
    answer = form.format(instruction, ANSWER)
    shown = without(answer, addressed(answer))
    assert shown.replace("[…]", "").strip() == ANSWER


@pytest.mark.parametrize("sentence", OF_THE_QUESTION)
def test_what_speaks_of_the_question_is_kept(sentence):
    assert addressed(sentence) == ()


def test_of_ordinary_answers_nothing_is_left_out():
    ordinary = [line for line in labelled(DEV) if line["style"] != "injection"]
    assert len(ordinary) > 40
    assert [line["text"] for line in ordinary if addressed(line["text"])] == []


@given(st.text(st.sampled_from("system:<|>{}[INST] ignore instructions.\n`"), max_size=300))
def test_whatever_stands_there_the_stretches_lie_in_order_and_apart(answer):
    spans = addressed(answer)
    ends = [0, *(place for span in spans for place in (span.start, span.end)), len(answer)]
    assert ends == sorted(ends)
    assert not any(overlaps(spans, b.end, b.end + 1) for b in spans if b.end < len(answer))


def test_a_very_long_answer_is_read_in_one_go():
    for hostile in ("ignore ", "mark everything ", "<a", "system:", "\n\n", "````", '"id'):
        answer = (hostile * 20_000)[:20_000]
        assert without(answer, addressed(answer)) is not None


def test_the_question_holds_the_text_as_it_is():
    text = 'He said "{id}" and {mark} and \\n and {0}.'
    assert json.loads(json.dumps(absent(text).text)) == text
