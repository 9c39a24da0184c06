"""Two judges made one: what each can do alone, and what takes both."""

from itertools import product

import pytest

from app.domain.checking.findings import Finding, Kind, State
from app.judging.agreement import SIGN, agreed
from app.judging.questions import question_id
from app.judging.reply import Verdict, View

HERE = (3, 9)
THERE = (12, 20)


def found(kind, state):
    place = (None, None) if state is State.NOT_FOUND else HERE
    return Finding(kind, "one", state, *place, () if place[0] is None else ("a cue",))


def viewed(verdict):
    return View(verdict, *((None, None) if verdict is Verdict.NEITHER else THERE))


def together(kind, state, verdict):
    (finding,) = agreed([found(kind, state)], {question_id(kind, "one"): viewed(verdict)})
    return finding


def test_flagged_takes_both():
    flagged = [
        (state, verdict)
        for state, verdict in product(State, Verdict)
        if together(Kind.PITFALL, state, verdict).state is State.FLAGGED
    ]
    assert flagged == [
        (State.FLAGGED, Verdict.ASSERTS),
        (State.POSSIBLE, Verdict.ASSERTS),
    ]


@pytest.mark.parametrize("state", [State.FLAGGED, State.POSSIBLE])
@pytest.mark.parametrize("verdict", [Verdict.REJECTS, Verdict.NEITHER])
def test_what_was_seen_here_alone_stays_possible_with_its_words(state, verdict):
    finding = together(Kind.PITFALL, state, verdict)
    assert (finding.state, finding.start, finding.end) == (State.POSSIBLE, *HERE)
    assert finding.signs == ("a cue",)


def test_what_the_judge_alone_sees_is_possible_by_its_words():
    for state in (State.NOT_FOUND, State.REJECTED):
        finding = together(Kind.PITFALL, state, Verdict.ASSERTS)
        assert (finding.state, finding.start, finding.end) == (State.POSSIBLE, *THERE)
        assert SIGN in finding.signs


def test_a_rejection_that_the_judge_alone_sees_is_one_by_its_words():
    finding = together(Kind.PITFALL, State.NOT_FOUND, Verdict.REJECTS)
    assert finding == Finding(Kind.PITFALL, "one", State.REJECTED, *THERE, (SIGN,))


def test_a_point_that_was_not_found_here_is_covered_by_the_words_that_the_judge_names():
    finding = together(Kind.KEY_POINT, State.NOT_FOUND, Verdict.ASSERTS)
    assert finding == Finding(Kind.KEY_POINT, "one", State.COVERED, *THERE, (SIGN,))


def test_a_point_that_the_judge_sees_denied_is_not_covered():
    finding = together(Kind.KEY_POINT, State.COVERED, Verdict.REJECTS)
    assert finding == Finding(Kind.KEY_POINT, "one", State.NOT_FOUND)


def test_a_judge_that_overlooks_a_point_takes_nothing_away():
    before = found(Kind.KEY_POINT, State.COVERED)
    assert together(Kind.KEY_POINT, State.COVERED, Verdict.NEITHER) == before


def test_without_a_view_a_finding_stays_as_it_is():
    findings = [found(Kind.PITFALL, state) for state in State]
    assert agreed(findings, {}) == tuple(findings)


@pytest.mark.parametrize("kind", Kind)
def test_a_finding_points_at_words_exactly_when_something_was_found(kind):
    states = (
        (State.COVERED, State.NOT_FOUND)
        if kind is Kind.KEY_POINT
        else (State.FLAGGED, State.POSSIBLE, State.REJECTED, State.NOT_FOUND)
    )
    for state, verdict in product(states, Verdict):
        finding = together(kind, state, verdict)
        assert finding.state in states
        assert (finding.start is None) == (finding.state is State.NOT_FOUND)
