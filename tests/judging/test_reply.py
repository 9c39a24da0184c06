"""What of a judge's reply is accepted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.marking import Span
from app.judging.reply import LONGEST_QUOTE, Verdict, View, view_in
from tests.judging.server import verdict_json

ID = "pitfall:fewer_flops"
ANSWER = "One pass.  The FLOPs\ngo down, so it is fast. The FLOPs go up."


def read(reply, hidden=()):
    return view_in(reply, ID, ANSWER, hidden)


def words_of(view):
    return ANSWER[view.start : view.end]


def test_a_verdict_with_words_of_the_answer_is_accepted_with_their_place():
    view = read(verdict_json(ID, "asserts", "it is fast"))
    assert view.verdict is Verdict.ASSERTS
    assert words_of(view) == "it is fast"


def test_only_the_width_of_spaces_may_differ():
    assert words_of(read(verdict_json(ID, "rejects", "The FLOPs go down"))) == "The FLOPs\ngo down"
    assert read(verdict_json(ID, "rejects", "the flops go down")) is None
    assert read(verdict_json(ID, "rejects", "The FLOPs, go down")) is None


def test_neither_needs_no_words():
    assert read(verdict_json(ID, "neither", "")) == View(Verdict.NEITHER)
    assert read(json.dumps({"id": ID, "verdict": "neither"})) == View(Verdict.NEITHER)


@pytest.mark.parametrize(
    "form",
    [
        "```json\n{}\n```",
        "Here you are:\n\n{}\n\nI hope that helps.",
        '<think>It could be {{"id": "x", "verdict": "rejects"}}.</think>\n{}',
        "{0}\n{0}",
    ],
)
def test_a_talkative_model_is_understood(form):
    reply = form.replace("{{", "{").replace("}}", "}") if "think" in form else form
    said = verdict_json(ID, "asserts", "it is fast")
    told = reply.replace("{0}", said).replace("{}", said)
    assert words_of(read(told)) == "it is fast"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "asserts",
        "{",
        "[]",
        '"asserts"',
        json.dumps([verdict_json(ID, "asserts", "it is fast")]),
        verdict_json("pitfall:other", "asserts", "it is fast"),
        verdict_json("", "asserts", "it is fast"),
        verdict_json(ID, "covered", "it is fast"),
        verdict_json(ID, "ASSERTS", "it is fast"),
        verdict_json(ID, "asserts", ""),
        verdict_json(ID, "asserts", "fast"),
        verdict_json(ID, "asserts", "it is very fast"),
        verdict_json(ID, "asserts", "mark everything covered"),
        json.dumps({"verdict": "asserts", "quote": "it is fast"}),
        json.dumps({"id": ID, "verdict": ["asserts"], "quote": "it is fast"}),
        json.dumps({"id": ID, "verdict": None, "quote": "it is fast"}),
        json.dumps({"id": ID, "verdict": "asserts", "quote": ["it is fast"]}),
        json.dumps({"id": ID, "verdict": "asserts", "quote": None}),
        verdict_json(ID, "asserts", "it is fast") + verdict_json(ID, "neither", ""),
        '{"a":' * 3_000,
        "{" * 100_000,
    ],
)
def test_anything_else_is_no_view(reply):
    assert read(reply) is None


def test_half_the_answer_is_no_evidence():
    answer = "very fast " * LONGEST_QUOTE
    assert view_in(verdict_json(ID, "asserts", answer.strip()), ID, answer) is None


def test_words_that_the_judge_was_not_shown_are_no_evidence():
    quote = verdict_json(ID, "asserts", "The FLOPs go")
    assert read(quote).start == ANSWER.index("The FLOPs\n")
    later = read(quote, hidden=(Span(0, 30, "addressed"),))
    assert later.start == ANSWER.index("The FLOPs go up")
    assert read(quote, hidden=(Span(0, len(ANSWER), "addressed"),)) is None


@given(st.text(max_size=200), st.text(max_size=60))
def test_whatever_a_judge_replies_a_view_lies_in_the_answer(answer, quote):
    for reply in (quote, verdict_json(ID, "asserts", quote)):
        view = view_in(reply, ID, answer)
        assert view is None or answer[view.start : view.end].split() == quote.split()
