"""What a learner says to a finding: it counts or counts no more, and is taken back."""

import re

import pytest

from tests.web.checked_answer import FOUND, marked, row_of, say
from tests.web.practising import PAGE, answered, begin, find, hand_in, kept, review


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


def test_an_empty_answer_has_nothing_to_dispute(client):
    attempt_id = begin(client)
    hand_in(client, attempt_id, "")
    page = review(client, attempt_id).text
    assert "Nothing to check" in page
    assert "I said that" not in page
