"""The cue language: what it finds, what it refuses, and that it stays fast."""

import pytest

from app.domain.checking.cues import CueError, compile_cue
from app.domain.checking.words import read
from app.domain.rubric import Concept

CONCEPTS = (
    Concept("flops", ("flops", "number of .. sums")),
    Concept("less", ("fewer", "reduc*")),
    Concept("loop", ("{loop}",)),
)


def found(cue: str, answer: str) -> list[str]:
    text = read(answer)
    hits = compile_cue(cue, CONCEPTS).find(text)
    spans = [text.span(hit.first, hit.last) for hit in hits]
    return [answer[start:end] for start, end in spans]


def test_alternatives_stems_and_concepts_are_found_with_their_exact_words():
    assert found("{less} .. {flops}", "It is reducing the FLOPs.") == ["reducing the FLOPs"]
    assert found("{less} {flops}", "fewer flaps") == ["fewer flaps"]
    assert found("{flops}", "the number of little sums") == ["number of little sums"]


def test_a_short_gap_holds_four_words_and_stays_in_the_clause():
    assert found("fewer .. flops", "fewer a b c d flops")
    assert not found("fewer .. flops", "fewer a b c d e flops")
    assert not found("fewer .. flops", "fewer trips, flops")


def test_a_long_gap_crosses_a_comma_but_no_full_stop():
    assert found("fewer ... flops", "fewer trips, same flops")
    assert not found("fewer ... flops", "Fewer trips. Same flops.")


def test_an_ampersand_takes_either_order():
    assert found("flops & fewer", "fewer flops")
    assert found("fewer & flops", "flops are fewer")


def test_an_optional_word_may_be_missing():
    assert found("fewer the? flops", "fewer flops")
    assert found("fewer the? flops", "fewer the flops")


@pytest.mark.parametrize(
    ("cue", "reason"),
    [
        ("{nowhere}", "no concept"),
        ("{loop}", "itself"),
        ("a & b .. c", "mixed"),
        ("a..b", "spaces"),
        ("(a+)+$[x]", "use words"),
        ("  ", "use words"),
    ],
)
def test_a_cue_that_cannot_be_read_says_why(cue: str, reason: str):
    with pytest.raises(CueError, match=reason):
        compile_cue(cue, CONCEPTS)
