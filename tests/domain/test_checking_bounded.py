"""A long answer is read up to a bound, in whole sentences, and what isn't read is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.checking.bounded import READ, read_part, unread
from app.domain.checking.check import check
from app.domain.checking.findings import State
from tests.checking.first_card import load

CARD = load()
SENTENCE = "We talked about the weather for quite a while. "
LAST = "The backward comes for free."


@given(st.text(max_size=300).map(lambda text: text * 40))
def test_what_is_read_is_a_start_of_the_answer_and_the_rest_is_counted(answer: str):
    read = read_part(answer)
    assert answer.startswith(read)
    assert len(read) <= READ
    assert unread(answer) == len(answer[len(read) :].strip())


def test_a_short_answer_is_read_whole():
    assert read_part(SENTENCE * 20) == SENTENCE * 20
    assert unread(SENTENCE * 20) == 0


@pytest.mark.parametrize(
    "answer", [SENTENCE * 400, "no full stop here\n" * 800, "words only " * 900]
)
def test_a_long_answer_ends_with_a_whole_sentence_or_word(answer: str):
    read = read_part(answer)
    assert len(read) > READ / 2
    assert read.rstrip()[-1] in ".n" or read.endswith(("here\n", "words ", "only "))
    assert unread(answer) > len(answer) - READ - 2


def test_marks_without_words_are_bounded_more_tightly():
    assert len(read_part(". " * 10_000)) < READ
    assert len(read_part("流" * 20_000)) == READ


def test_nothing_is_found_in_what_is_not_read():
    before = SENTENCE * (READ // len(SENTENCE) + 1)
    found = {finding.ref: finding.state for finding in check(before + LAST, CARD)}
    assert found["ignores_backward"] is State.NOT_FOUND
    assert unread(before + LAST) >= len(LAST)


def test_what_is_read_is_found_as_if_nothing_came_after():
    start = (LAST + " " + SENTENCE * 200)[:READ]
    start = read_part(start + " " * READ + "x")
    assert check(start + SENTENCE * 300, CARD) == check(start, CARD)


@pytest.mark.parametrize(
    "piece", ["FLOPs. ", "a. ", ", ", "the matmuls\n", '"no." ', "fewer flops "]
)
def test_twenty_thousand_characters_are_bounded_work(piece: str, monkeypatch: pytest.MonkeyPatch):
    """Counted in pieces that the networks read: 2,500 take half a second of one core."""
    from app.domain.checking.session import Session

    read = []
    run = Session.run
    monkeypatch.setattr(
        Session,
        "run",
        lambda self, ids, **shares: read.append(len(ids)) or run(self, ids, **shares),
    )
    check(piece * (20_000 // len(piece)), CARD)
    assert sum(read) <= 2_500
