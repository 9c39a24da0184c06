"""What is disputed counts no more: in the history, in the standing, in what to practise next."""

import pytest

from app.domain.checking.findings import Finding, Kind, State
from tests.web.practising import answered, find, kept

ANSWER = "The flops go down. It saves trips."
FOUND = [
    Finding(Kind.KEY_POINT, "round_trips", State.COVERED, 19, 33, ("a sign",)),
    Finding(Kind.PITFALL, "fewer_flops", State.FLAGGED, 0, 17, ("a sign", "another")),
]


@pytest.fixture
def attempt_id(client, database):
    attempt_id = answered(client, ANSWER, "basics")
    find(database, attempt_id, FOUND)
    return attempt_id


@pytest.fixture
def say(client, database, attempt_id):
    def say(ref, words):
        row = next(row for row in kept(database, attempt_id).findings if row.ref == ref)
        address = f"/attempts/{attempt_id}/findings/{row.id}/dispute"
        client.post(address if words else f"{address}/withdrawal", data={"words": words or ""})

    return say


@pytest.mark.parametrize("words", ["opposite", "not_said"])
def test_a_disputed_pitfall_is_in_no_count_until_that_is_taken_back(client, say, words):
    say("fewer_flops", words)
    assert "1 pitfall tripped" not in client.get("/history").text
    assert "no pitfall tripped" in client.get("/").text
    say("fewer_flops", None)
    assert "1 pitfall tripped" in client.get("/history").text
    assert "1 pitfall tripped" in client.get("/").text


def test_a_pitfall_that_was_owned_up_to_counts_as_before(client, say):
    say("fewer_flops", "said")
    assert "1 pitfall tripped" in client.get("/history").text
    assert "1 pitfall tripped" in client.get("/").text


@pytest.mark.parametrize("words", ["opposite", "not_said"])
def test_a_disputed_point_is_covered_no_more(client, say, words):
    assert "1 of 2 points" in client.get("/history").text
    say("round_trips", words)
    assert "0 of 2 points" in client.get("/history").text


def test_checking_again_does_not_count_what_was_disputed(client, database, attempt_id, say):
    say("fewer_flops", "opposite")
    find(database, attempt_id, FOUND)
    assert "1 pitfall tripped" not in client.get("/history").text
