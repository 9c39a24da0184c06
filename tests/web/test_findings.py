"""The check as a page shows it, and what a learner says to it."""

import re

import pytest

from app.domain.checking.findings import Finding, Kind, State
from tests.web.practising import PAGE, answered, begin, find, hand_in, kept, review

ANSWER = "The flops go down. Maybe the whole step is 3x. It keeps the trips to memory away."


def finding(kind, ref, state, words=None):
    start = ANSWER.index(words) if words else None
    return Finding(kind, ref, state, start, start + len(words) if words else None, ("a sign",))


FOUND = [
    finding(Kind.KEY_POINT, "round_trips", State.COVERED, "keeps the trips to memory away"),
    finding(Kind.KEY_POINT, "same_arithmetic", State.NOT_FOUND),
    finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, "The flops go down"),
    finding(Kind.PITFALL, "whole_step_3x", State.POSSIBLE, "the whole step is 3x"),
    finding(Kind.PITFALL, "faster_matmul", State.NOT_FOUND),
]


@pytest.fixture
def attempt_id(client, database):
    attempt_id = answered(client, ANSWER, "basics")
    find(database, attempt_id, FOUND)
    return attempt_id


def row_of(database, attempt_id, ref):
    return next(row for row in kept(database, attempt_id).findings if row.ref == ref)


def say(client, database, attempt_id, ref, words, **form):
    row = row_of(database, attempt_id, ref)
    address = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
    return client.post(address, data={"words": words, **form})


def marked(page):
    return dict(re.findall(r'<mark class="(\w+)">([^<]+)</mark>', page.split("legend")[0]))


def test_the_very_words_are_marked_by_state(client, attempt_id):
    assert marked(client.get(PAGE).text) == {
        "flagged": "The flops go down",
        "possible": "the whole step is 3x",
        "covered": "keeps the trips to memory away",
    }


def test_a_pitfall_leads_to_the_rung_that_explains_it(client, database, attempt_id):
    page = client.get(PAGE).text
    address = f"{PAGE}?open=solid"
    assert f'href="{address}#solid"' in page
    opened = client.get(address).text
    assert '<h3 id="solid"' in opened
    assert "Explained in" in client.get(f"/attempts/{attempt_id}").text


def test_a_mark_is_told_in_words_too(client, attempt_id):
    page = client.get(PAGE).text
    for words in ("[look here 1:]", "[possible 2:]", "[covers a point:]"):
        assert words in page


def test_a_pitfall_says_why_it_costs_the_question_and_what_to_say_instead(client, attempt_id, card):
    page = client.get(PAGE).text
    pitfall = card.pitfall("fewer_flops")
    assert "You said “The flops go down”." in page
    assert pitfall.why in page
    assert pitfall.instead in page
    assert card.pitfall("faster_matmul").says not in page


def test_the_sentence_counts_what_the_length_asks_for(client, attempt_id):
    page = client.get(PAGE).text
    assert "Your answer covers 1 of the 2 points that its length asks for" in page
    assert "trips 1 pitfall; 1 more possible, you judge." in page


def test_the_page_neither_grades_nor_praises(client, attempt_id):
    page = client.get(PAGE).text.lower()
    for word in ("correct", "%", "score", "well done", "great"):
        assert word not in re.sub(r"<[^>]+>", "", page)


@pytest.mark.parametrize("words", ["opposite", "not_said"])
def test_a_disputed_pitfall_counts_no_more_and_is_marked_no_more(
    client, database, attempt_id, words
):
    page = say(client, database, attempt_id, "fewer_flops", words).text
    assert "trips no known pitfall for certain; 1 possible, you judge." in page
    assert "It counts no more." in page
    assert "flagged" not in marked(page)


def test_a_possible_pitfall_counts_once_the_learner_says_so(client, database, attempt_id):
    page = say(client, database, attempt_id, "whole_step_3x", "said").text
    assert "trips 2 pitfalls." in page


def test_a_point_that_was_not_found_counts_once_the_learner_says_so(client, database, attempt_id):
    page = say(client, database, attempt_id, "same_arithmetic", "said").text
    assert "covers 2 of the 2 points" in page


def test_a_wrong_covered_can_be_taken_out(client, database, attempt_id):
    page = say(client, database, attempt_id, "round_trips", "not_said").text
    assert "covers 0 of the 2 points" in page


def test_what_was_said_is_taken_back_exactly(client, database, attempt_id):
    before = client.get(PAGE).text
    say(client, database, attempt_id, "fewer_flops", "opposite")
    row = row_of(database, attempt_id, "fewer_flops")
    after = client.post(f"/attempts/{attempt_id}/findings/{row.id}/dispute/withdrawal").text
    assert re.sub(r'nonce="[^"]+"', "", after) == re.sub(r'nonce="[^"]+"', "", before)


def test_what_was_said_outlives_another_check(client, database, attempt_id):
    say(client, database, attempt_id, "fewer_flops", "opposite")
    find(database, attempt_id, FOUND)
    assert row_of(database, attempt_id, "fewer_flops").dispute == "opposite"


def test_a_finding_that_the_checker_no_longer_gives_goes_away(client, database, attempt_id):
    find(database, attempt_id, FOUND[:1])
    assert [row.ref for row in kept(database, attempt_id).findings] == ["round_trips"]


def test_from_the_record_one_comes_back_to_the_record(client, database, attempt_id):
    page = say(client, database, attempt_id, "fewer_flops", "said", from_record="1")
    assert page.url.path == f"/attempts/{attempt_id}"


def test_unknown_words_and_unknown_findings_are_refused(client, database, attempt_id):
    assert say(client, database, attempt_id, "fewer_flops", "nonsense").status_code == 422
    address = f"/attempts/{attempt_id}/findings/999999/dispute"
    assert client.post(address, data={"words": "said"}).status_code == 404


def test_a_finding_of_another_attempt_is_not_found(client, database, attempt_id):
    row = row_of(database, attempt_id, "fewer_flops")
    other = answered(client)
    address = f"/attempts/{other}/findings/{row.id}/dispute"
    assert client.post(address, data={"words": "said"}).status_code == 404


def test_the_own_view_is_held_against_what_the_check_found(client, database):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "The flops stay, the trips go.")
    find(
        database,
        attempt_id,
        [
            Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 16, 28),
            Finding(Kind.KEY_POINT, "on_chip", State.NOT_FOUND),
        ],
    )
    page = review(client, attempt_id, "round_trips", "on_chip").text
    told = " ".join(page.split())
    assert "You ticked 2 points, and the check found 1 of them. You were sure." in told


def test_a_mark_begins_and_ends_with_a_word(client, database):
    attempt_id = answered(client, "Less traffic, it stays on chip. Good.")
    find(database, attempt_id, [Finding(Kind.KEY_POINT, "on_chip", State.COVERED, 12, 31)])
    page = client.get(PAGE).text
    assert '<mark class="covered">it stays on chip</mark>.' in page
    assert "covered: “it stays on chip”" in page


def test_an_empty_answer_has_nothing_to_dispute(client):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "")
    page = review(client, attempt_id).text
    assert "Nothing to check" in page
    assert "I said that" not in page
