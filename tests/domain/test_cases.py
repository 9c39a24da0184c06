"""Disputes as labelled lines."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.cases import Case, Disputed, case_lines
from app.domain.checking.findings import Kind, State
from app.domain.practice import Dispute

ANSWER = "The FLOPs go down.\nIt saves trips."
FLOPS = Disputed(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 17, Dispute.OPPOSITE)
TRIPS = Disputed(Kind.KEY_POINT, "round_trips", State.NOT_FOUND, None, None, Dispute.SAID)


def case(*disputed, answer=ANSWER):
    return Case("a-card", "abc", "here", answer, disputed)


def line(*disputed, answer=ANSWER):
    (line,) = case_lines([case(*disputed, answer=answer)])
    return json.loads(line)


def test_a_line_holds_the_answer_and_what_was_said_to_its_check():
    told = line(TRIPS, FLOPS)
    assert told.pop("id").startswith("d-")
    assert told == {
        "style": "disputed",
        "text": ANSWER,
        "key_points": {"round_trips": True},
        "pitfalls": {"fewer_flops": "rejects"},
        "evidence": {},
        "disputed": {
            "key_point:round_trips": {"found": "not_found", "words": None, "said": "said"},
            "pitfall:fewer_flops": {
                "found": "flagged",
                "words": "The FLOPs go down",
                "said": "opposite",
            },
        },
        "card": "a-card",
        "content_hash": "abc",
        "checked_by": "here",
    }


@pytest.mark.parametrize(
    ("said", "pitfall", "point"),
    [
        (Dispute.SAID, "commits", True),
        (Dispute.OPPOSITE, "rejects", False),
        (Dispute.NOT_SAID, "silent", False),
    ],
)
def test_what_was_said_becomes_the_label(said, pitfall, point):
    told = line(replace(FLOPS, said=said), replace(TRIPS, said=said))
    assert told["pitfalls"] == {"fewer_flops": pitfall}
    assert told["key_points"] == {"round_trips": point}


def test_the_evidence_of_a_pitfall_that_was_said_is_verbatim():
    told = line(replace(FLOPS, said=Dispute.SAID))
    assert told["evidence"] == {"fewer_flops": "The FLOPs go down"}


def test_the_lines_are_the_same_in_whatever_order_the_cases_come():
    cases = [case(FLOPS), case(TRIPS), case(TRIPS, FLOPS), case(FLOPS, answer="The FLOPs …")]
    assert case_lines(cases) == case_lines(cases[::-1])
    assert case_lines([case(TRIPS, FLOPS)]) == case_lines([case(FLOPS, TRIPS)])


def test_the_same_case_twice_is_one_line():
    assert len(case_lines([case(FLOPS), case(FLOPS)])) == 1


def test_without_disputes_there_is_no_line():
    assert case_lines([]) == []


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_answer_is_one_line_that_gives_it_back(answer):
    (told,) = case_lines([case(TRIPS, answer=answer)])
    assert "\n" not in told
    assert json.loads(told)["text"] == answer
