"""What a learner says to a finding: it counts or counts no more, and is taken back."""

import re

import pytest

from app.domain.checking.findings import Kind, State
from tests.web.checked_answer import FOUND, finding, marked, row_of, say
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


def told_of(page, database, attempt_id, ref):
    """What the page says of this finding, without its buttons."""
    row = row_of(database, attempt_id, ref)
    part = page.split(f'id="finding-{row.id}"')[1].split("<form")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def test_a_point_that_the_learner_meant_is_not_said_to_have_no_word_on_it(
    client, database, attempt_id
):
    page = say(client, database, attempt_id, "fewer_flops", "not_said").text
    assert "you spoke of it" in told_of(page, database, attempt_id, "same_arithmetic")
    page = say(client, database, attempt_id, "fewer_flops", "opposite").text
    told = told_of(page, database, attempt_id, "same_arithmetic")
    assert "not found, though you say that you meant it" in told
    omissions = client.get(f"/api/v1/attempts/{attempt_id}").json()["omissions"]
    assert "same_arithmetic" not in [one["ref"] for one in omissions]


@pytest.mark.parametrize("words", ["opposite", "not_said"])
def test_a_point_that_was_taken_out_is_called_covered_no_more(client, database, attempt_id, words):
    page = say(client, database, attempt_id, "round_trips", words).text
    assert "taken for covered: “keeps the" in told_of(page, database, attempt_id, "round_trips")


def test_a_point_that_counts_by_the_learners_word_is_not_said_to_be_found(
    client, database, attempt_id
):
    review(client, attempt_id, "same_arithmetic")
    page = say(client, database, attempt_id, "same_arithmetic", "said").text
    assert "not found by the check" in told_of(page, database, attempt_id, "same_arithmetic")
    assert "the check did not find it" in page


def test_a_pitfall_that_the_learner_owns_up_to_is_no_longer_possible(client, database, attempt_id):
    page = say(client, database, attempt_id, "whole_step_3x", "said").text
    assert "Possible, you judge" not in page and marked(page).keys() == {"flagged", "covered"}
    assert "Look here: " in told_of(page, database, attempt_id, "whole_step_3x")


def test_one_that_the_answer_seemed_to_steer_clear_of_is_told_with_what_to_say(
    client, database, attempt_id, card
):
    find(database, attempt_id, [finding(Kind.PITFALL, "fewer_flops", State.REJECTED, "The flops")])
    page = client.get(PAGE).text
    assert "Steered clear of" in page and "I meant the opposite" not in page
    page = say(client, database, attempt_id, "fewer_flops", "said").text
    assert "Steered clear of" not in page and "trips 1 pitfall." in page
    assert card.pitfall("fewer_flops").instead in page


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
